//! What a search knows of its question as a whole: whether anything in the index answers it at all.

use super::{AnswerConfidence, RankingFeatures};

/// Evidence that all candidates of a question share.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct QuestionEvidence {
    /// The best cosine of a candidate.
    pub best_cosine: f64,
    /// The largest share of its words that a candidate has.
    pub best_coverage: f64,
    /// The best logit of the reranker over ten, if it has read any.
    pub best_logit: f64,
    /// Identifiers and quoted phrases of the question that occur nowhere.
    pub unknown_names: f64,
    /// Other words of it that occur nowhere.
    pub unknown_words: f64,
}

impl QuestionEvidence {
    /// Collects the evidence from the features of all candidates.
    pub(crate) fn collect<'a>(
        features: impl Iterator<Item = &'a RankingFeatures> + Clone,
        confidence: &AnswerConfidence,
    ) -> Self {
        let best =
            |value: fn(&RankingFeatures) -> f64| features.clone().map(value).fold(0.0, f64::max);
        let logits = features.clone().filter_map(|features| features.logit);
        let (names, words) = confidence.unknown_counts();
        Self {
            best_cosine: best(|features| features.cosine.max(features.field_cosine)),
            best_coverage: best(|features| features.words_coverage),
            best_logit: logits.reduce(f64::max).unwrap_or(0.0) / 10.0,
            unknown_names: names as f64,
            unknown_words: words as f64,
        }
    }

    /// Names and values.
    pub fn named(&self) -> [(&'static str, f64); 5] {
        [
            ("best_cosine", self.best_cosine),
            ("best_coverage", self.best_coverage),
            ("best_logit", self.best_logit),
            ("unknown_names", self.unknown_names),
            ("unknown_words", self.unknown_words),
        ]
    }
}
