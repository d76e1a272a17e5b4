//! Combines the ranking features into the probability that a passage answers: logistic models with weights from
//! `data/ranking.toml`.
//!
//! Two steps. The **order** of the candidates of a question follows from a weighted sum of their features. The
//! **probability** is a logistic function of that sum and of the evidence that they share (`evidence.rs`), so that a good
//! candidate among bad ones is not taken for an answer; it never changes the order. `scripts/fit-ranking` fits both
//! with whole documents left out, and reports the results on those. A model this small (one weight for each feature)
//! cannot learn single questions.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use super::{QuestionEvidence, RankingFeatures};

/// The shipped weights.
static WEIGHTS: LazyLock<RankingWeights> = LazyLock::new(|| {
    let text = include_str!("../../../data/ranking.toml");
    RankingWeights::parse(text).expect("a test reads the shipped weights")
});

/// Added to a rank before it is inverted: the first ranks count, the tenth hardly does. Chosen
/// among 3, 10 and 60 on left-out questions.
const RANK_OFFSET: f64 = 3.0;

/// Subtracted from the logit of a passage that contains none of the rare identifiers of a question. Set by hand: the
/// questions of the fit are sentences, and for `T310 expiry` the reranker prefers `T316 expiry` to a passage on T310.
/// nDCG@10 of 17 identifier questions rose from .899 to .911, and did not change for plain ones.
const LACKED_IDENTIFIERS: f64 = 2.0;

/// Weights of both stages, for candidates with vectors and for those that have none yet.
struct RankingWeights {
    first_stage: RankingModel,
    reranked: RankingModel,
    words_first_stage: RankingModel,
    words_reranked: RankingModel,
}

/// One model.
struct RankingModel {
    order: [f64; FEATURE_NAMES.len()],
    scale: f64,
    bias: f64,
    evidence: [f64; EVIDENCE_NAMES.len()],
}

/// Names of the features, in the order of [`feature_values`].
const FEATURE_NAMES: [&str; 9] = [
    "cosine_deviation",
    "heading_deviation",
    "words_share",
    "words_rank",
    "vector_rank",
    "best_rank",
    "exact_words",
    "logit",
    "exact_relevance",
];

/// Names of the evidence, in the order of [`QuestionEvidence::named`].
const EVIDENCE_NAMES: [&str; 5] =
    ["best_cosine", "best_coverage", "best_logit", "unknown_names", "unknown_words"];

/// The feature values of a candidate, by name, with others that are only shown.
pub fn named_features(features: &RankingFeatures) -> Vec<(&'static str, f64)> {
    let others = [
        ("cosine", features.cosine),
        ("field_cosine", features.field_cosine),
        ("heading_cosine", features.heading_cosine),
        ("words_coverage", features.words_coverage),
        ("similarity", features.similarity()),
    ];
    FEATURE_NAMES.into_iter().zip(feature_values(features)).chain(others).collect()
}

/// The values of [`FEATURE_NAMES`]; each is within a few units of 0.
fn feature_values(features: &RankingFeatures) -> [f64; FEATURE_NAMES.len()] {
    let inverse = |rank: usize| RANK_OFFSET / (RANK_OFFSET + rank as f64);
    let words_rank = features.words_rank.map_or(0.0, inverse);
    let vector_rank = features.vector_rank.map_or(0.0, inverse);
    // If the question names a rare identifier, word scores are reliable and the reranker is not.
    let exact = if features.question_is_exact { 1.0 } else { 0.0 };
    [
        features.cosine_deviation / 3.0,
        features.heading_deviation / 3.0,
        features.words_share,
        words_rank,
        vector_rank,
        // What one arm ranks first stays near the top, whatever the other says.
        words_rank.max(vector_rank),
        exact * features.words_share,
        features.logit.map_or(0.0, |logit| logit / 10.0),
        exact * features.logit.map_or(0.0, sigmoid),
    ]
}

/// Probability before the reranker has read the passage.
pub(crate) fn first_stage_score(features: &RankingFeatures, evidence: &QuestionEvidence) -> f64 {
    let model = if features.has_vector { &WEIGHTS.first_stage } else { &WEIGHTS.words_first_stage };
    model.predict_probability(features, evidence)
}

/// Probability afterwards; that of the first stage if it was not read.
pub(crate) fn reranked_score(features: &RankingFeatures, evidence: &QuestionEvidence) -> f64 {
    match (features.logit, features.has_vector) {
        (Some(_), true) => WEIGHTS.reranked.predict_probability(features, evidence),
        (Some(_), false) => WEIGHTS.words_reranked.predict_probability(features, evidence),
        (None, _) => first_stage_score(features, evidence),
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl RankingModel {
    fn predict_probability(&self, features: &RankingFeatures, evidence: &QuestionEvidence) -> f64 {
        let weighed = self.order.iter().zip(feature_values(features)).map(|(w, x)| w * x);
        let shared = self.evidence.iter().zip(evidence.named()).map(|(w, (_, x))| w * x);
        let lacked = if features.lacks_identifiers { LACKED_IDENTIFIERS } else { 0.0 };
        sigmoid(self.scale * weighed.sum::<f64>() + self.bias + shared.sum::<f64>() - lacked)
    }

    fn new(file: RankingModelFile) -> Result<Self, String> {
        let mut probability = file.probability;
        let mut take = |name: &str| probability.remove(name).ok_or(format!("'{name}' is missing"));
        let (scale, bias) = (take("scale")?, take("bias")?);
        if scale <= 0.0 {
            return Err("the scale must be positive, or the order would change".to_owned());
        }
        let evidence = take_weights(probability, EVIDENCE_NAMES)?;
        Ok(Self { order: take_weights(file.order, FEATURE_NAMES)?, scale, bias, evidence })
    }
}

/// The weights by name; what is not named has no weight.
fn take_weights<const N: usize>(
    mut table: BTreeMap<String, f64>,
    names: [&str; N],
) -> Result<[f64; N], String> {
    let weights = names.map(|name| table.remove(name).unwrap_or(0.0));
    match table.keys().next() {
        Some(unknown) => Err(format!("'{unknown}' is not a feature")),
        None => Ok(weights),
    }
}

/// A model in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RankingModelFile {
    order: BTreeMap<String, f64>,
    probability: BTreeMap<String, f64>,
}

impl RankingWeights {
    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct RankingFile {
            first_stage: RankingModelFile,
            reranked: RankingModelFile,
            words_first_stage: RankingModelFile,
            words_reranked: RankingModelFile,
        }
        let file: RankingFile = toml::from_str(text).map_err(|error| error.to_string())?;
        Ok(Self {
            first_stage: RankingModel::new(file.first_stage)?,
            reranked: RankingModel::new(file.reranked)?,
            words_first_stage: RankingModel::new(file.words_first_stage)?,
            words_reranked: RankingModel::new(file.words_reranked)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIDENCE: QuestionEvidence = QuestionEvidence {
        best_cosine: 0.6,
        best_coverage: 0.5,
        best_logit: 0.3,
        unknown_names: 0.0,
        unknown_words: 0.0,
    };

    #[test]
    fn the_shipped_weights_are_usable_and_name_known_features() {
        let shipped = include_str!("../../../data/ranking.toml");
        let weights = RankingWeights::parse(shipped).expect("usable");
        assert!(weights.reranked.order.iter().any(|weight| *weight != 0.0));
        for (from, to) in
            [("words_share", "luck"), ("unknown_names", "luck"), ("scale = ", "scale = -")]
        {
            assert!(RankingWeights::parse(&shipped.replace(from, to)).is_err(), "{to}");
        }
    }

    #[test]
    fn more_evidence_never_lowers_the_score() {
        let poor = RankingFeatures { has_vector: true, ..RankingFeatures::default() };
        let better = [
            RankingFeatures { bm25_score: 9.0, words_share: 0.9, words_rank: Some(2), ..poor },
            RankingFeatures { cosine_deviation: 2.0, vector_rank: Some(1), ..poor },
            RankingFeatures { heading_deviation: 2.0, ..poor },
        ];
        for has_vector in [true, false] {
            for better in better.iter().take(if has_vector { 3 } else { 1 }) {
                let better = RankingFeatures { has_vector, ..*better };
                let poor = RankingFeatures { has_vector, ..poor };
                let score = |features: &RankingFeatures| first_stage_score(features, &EVIDENCE);
                assert!(score(&better) > score(&poor), "{better:?}");
                let read = |features: RankingFeatures, logit| {
                    let read = RankingFeatures { logit: Some(logit), ..features };
                    reranked_score(&read, &EVIDENCE)
                };
                assert!(read(better, 1.0) > read(poor, 1.0), "{better:?}");
                assert!(read(better, 5.0) > read(better, -5.0), "{better:?}");
            }
        }
    }

    #[test]
    fn a_question_of_unknown_names_has_less_probable_answers() {
        let features = RankingFeatures { has_vector: true, words_share: 0.5, ..Default::default() };
        let unknown = QuestionEvidence { unknown_names: 1.0, ..EVIDENCE };
        assert!(first_stage_score(&features, &unknown) < first_stage_score(&features, &EVIDENCE));
    }

    #[test]
    fn a_passage_that_was_not_read_keeps_the_score_of_the_first_stage() {
        let features = RankingFeatures { words_share: 0.5, ..RankingFeatures::default() };
        let (first, last) =
            (first_stage_score(&features, &EVIDENCE), reranked_score(&features, &EVIDENCE));
        assert!((first - last).abs() < 1e-12);
    }
}
