//! Combines the ranking features into the probability that a passage answers: logistic models with weights from
//! `data/ranking.toml`.
//!
//! Two steps. The **order** of the candidates of a question follows from a weighted sum of their features. The
//! **probability** is a logistic function of that sum and of the evidence that they share (`evidence.rs`), so that a good
//! candidate among bad ones is not taken for an answer; it never changes the order. `scripts/fit-ranking` fits both
//! with whole documents left out, and reports the results on those. A model this small (one weight for each feature)
//! cannot learn single questions.

use super::{QuestionEvidence, RankingFeatures};
use crate::weights::{FEATURE_NAMES, RankingModel, WEIGHTS};

/// Added to a rank before it is inverted: the first ranks count, the tenth hardly does. Chosen
/// among 3, 10 and 60 on left-out questions.
const RANK_OFFSET: f64 = 3.0;

/// Subtracted from the logit of a passage that contains none of the rare identifiers of a question. Set by hand: the
/// questions of the fit are sentences, and for `T310 expiry` the reranker prefers `T316 expiry` to a passage on T310.
/// nDCG@10 of 17 identifier questions rose from .899 to .911, and did not change for plain ones.
const LACKED_IDENTIFIERS: f64 = 2.0;

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
    // Words count for more where names stand in the question, and meaning for more where none do: the passages that
    // everyday words find first are mostly about something else.
    let named = if features.question_has_names { 1.0 } else { 0.0 };
    let (plain, cosine) = (1.0 - named, features.cosine_deviation / 3.0);
    [
        cosine,
        features.heading_deviation / 3.0,
        features.words_share,
        words_rank,
        vector_rank,
        // What one arm ranks first stays near the top, whatever the other says.
        words_rank.max(vector_rank),
        exact * features.words_share,
        features.logit.map_or(0.0, |logit| logit / 10.0),
        exact * features.logit.map_or(0.0, sigmoid),
        named * features.words_share,
        named * words_rank,
        plain * cosine,
        plain * vector_rank,
    ]
}

/// Probability before the reranker has read the passage.
pub(crate) fn first_stage_score(features: &RankingFeatures, evidence: &QuestionEvidence) -> f64 {
    let model = if features.has_vector {
        &evidence.fitted_model.weights().first_stage
    } else {
        &WEIGHTS.words_first_stage
    };
    model.predict_probability(features, evidence)
}

/// Probability afterwards; that of the first stage if it was not read.
pub(crate) fn reranked_score(features: &RankingFeatures, evidence: &QuestionEvidence) -> f64 {
    match (features.logit, features.has_vector) {
        (Some(_), true) => {
            evidence.fitted_model.weights().reranked.predict_probability(features, evidence)
        }
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::FittedModel;

    fn some_evidence() -> QuestionEvidence {
        QuestionEvidence {
            best_cosine: 0.6,
            best_coverage: 0.5,
            best_logit: 0.3,
            unknown_names: 0.0,
            unknown_words: 0.0,
            named: 0.0,
            missing_documents: 0.0,
            fitted_model: FittedModel::default(),
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
                let score =
                    |features: &RankingFeatures| first_stage_score(features, &some_evidence());
                assert!(score(&better) > score(&poor), "{better:?}");
                let read = |features: RankingFeatures, logit| {
                    let read = RankingFeatures { logit: Some(logit), ..features };
                    reranked_score(&read, &some_evidence())
                };
                assert!(read(better, 1.0) > read(poor, 1.0), "{better:?}");
                assert!(read(better, 5.0) > read(better, -5.0), "{better:?}");
            }
        }
    }

    #[test]
    fn a_question_of_unknown_names_has_less_probable_answers() {
        let features = RankingFeatures { has_vector: true, words_share: 0.5, ..Default::default() };
        let unknown = QuestionEvidence { unknown_names: 1.0, ..some_evidence() };
        assert!(
            first_stage_score(&features, &unknown) < first_stage_score(&features, &some_evidence())
        );
    }

    #[test]
    fn a_passage_that_was_not_read_keeps_the_score_of_the_first_stage() {
        let features = RankingFeatures { words_share: 0.5, ..RankingFeatures::default() };
        let (first, last) = (
            first_stage_score(&features, &some_evidence()),
            reranked_score(&features, &some_evidence()),
        );
        assert!((first - last).abs() < 1e-12);
    }
}
