//! Combines the ranking features into one score: a logistic model with weights from
//! `data/ranking.toml`.
//!
//! The score is the probability that the passage is in the clause that answers, as far as the
//! development questions tell; `scripts/fit-ranking` fits it to them and says how well it does on
//! questions left out of the fit. A model this small (one weight for each feature) cannot
//! learn single questions.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

use super::RankingFeatures;

/// The shipped weights.
static WEIGHTS: LazyLock<RankingWeights> = LazyLock::new(|| {
    let text = include_str!("../../../data/ranking.toml");
    RankingWeights::parse(text).expect("a test reads the shipped weights")
});

/// Added to a rank before it is inverted: the first ranks count, the tenth hardly does. Chosen
/// among 3, 10 and 60 on left-out questions.
const RANK_OFFSET: f64 = 3.0;

/// Weights of both stages.
struct RankingWeights {
    first_stage: LogisticModel,
    reranked: LogisticModel,
}

/// One logistic model.
struct LogisticModel {
    bias: f64,
    weights: [f64; FEATURE_NAMES.len()],
}

/// Names of the features, in the order of [`feature_values`].
const FEATURE_NAMES: [&str; 9] = [
    "cosine",
    "field_cosine",
    "words_share",
    "words_rank",
    "vector_rank",
    "best_rank",
    "exact_words",
    "logit",
    "exact_relevance",
];

/// The feature values of a candidate, by name.
pub fn named_features(features: &RankingFeatures) -> Vec<(&'static str, f64)> {
    FEATURE_NAMES.into_iter().zip(feature_values(features)).collect()
}

/// The values of [`FEATURE_NAMES`]; each lies within a few units of 0.
fn feature_values(features: &RankingFeatures) -> [f64; FEATURE_NAMES.len()] {
    let inverse = |rank: usize| RANK_OFFSET / (RANK_OFFSET + rank as f64);
    let words_rank = features.words_rank.map_or(0.0, inverse);
    let vector_rank = features.vector_rank.map_or(0.0, inverse);
    // Where the question names a rare identifier, word scores are reliable and the reranker is not.
    let exact = if features.question_is_exact { 1.0 } else { 0.0 };
    [
        features.cosine,
        features.field_cosine,
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
pub(crate) fn first_stage_score(features: &RankingFeatures) -> f64 {
    WEIGHTS.first_stage.predict_probability(features)
}

/// Probability after; the first stage's where it was not read.
pub(crate) fn reranked_score(features: &RankingFeatures) -> f64 {
    match features.logit {
        Some(_) => WEIGHTS.reranked.predict_probability(features),
        None => WEIGHTS.first_stage.predict_probability(features),
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl LogisticModel {
    fn predict_probability(&self, features: &RankingFeatures) -> f64 {
        let weighed = self.weights.iter().zip(feature_values(features)).map(|(w, x)| w * x);
        sigmoid(self.bias + weighed.sum::<f64>())
    }

    fn new(mut table: BTreeMap<String, f64>) -> Result<Self, String> {
        let bias = table.remove("bias").ok_or("there is no bias")?;
        // A feature that is not named has no weight.
        let weights = FEATURE_NAMES.map(|name| table.remove(name).unwrap_or(0.0));
        match table.keys().next() {
            Some(unknown) => Err(format!("{unknown} is no feature")),
            None => Ok(Self { bias, weights }),
        }
    }
}

impl RankingWeights {
    fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct RankingFile {
            first_stage: BTreeMap<String, f64>,
            reranked: BTreeMap<String, f64>,
        }
        let file: RankingFile = toml::from_str(text).map_err(|error| error.to_string())?;
        Ok(Self {
            first_stage: LogisticModel::new(file.first_stage)?,
            reranked: LogisticModel::new(file.reranked)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_weights_are_usable_and_name_known_features() {
        let weights =
            RankingWeights::parse(include_str!("../../../data/ranking.toml")).expect("usable");
        assert!(weights.reranked.weights.iter().any(|weight| *weight != 0.0));
        assert!(
            RankingWeights::parse("[first_stage]\nbias=1.0\nluck=1.0\n[reranked]\nbias=1.0")
                .is_err()
        );
    }

    #[test]
    fn more_evidence_never_lowers_the_score() {
        let poor = RankingFeatures { cosine: 0.3, field_cosine: 0.3, ..RankingFeatures::default() };
        let better = [
            RankingFeatures { bm25_score: 9.0, words_share: 0.9, words_rank: Some(2), ..poor },
            RankingFeatures { cosine: 0.5, field_cosine: 0.5, vector_rank: Some(1), ..poor },
        ];
        for better in better {
            assert!(first_stage_score(&better) > first_stage_score(&poor), "{better:?}");
            let read = |features: RankingFeatures, logit| RankingFeatures {
                logit: Some(logit),
                ..features
            };
            assert!(
                reranked_score(&read(better, 1.0)) > reranked_score(&read(poor, 1.0)),
                "{better:?}"
            );
            assert!(
                reranked_score(&read(better, 5.0)) > reranked_score(&read(better, -5.0)),
                "{better:?}"
            );
        }
    }

    #[test]
    fn a_passage_that_was_not_read_keeps_the_score_of_the_first_stage() {
        let features =
            RankingFeatures { cosine: 0.4, words_share: 0.5, ..RankingFeatures::default() };
        assert!((reranked_score(&features) - first_stage_score(&features)).abs() < 1e-12);
    }
}
