//! What a search knows of its question as a whole: whether anything in the index answers it at all.

use super::{AnswerConfidence, FittedModel, RankingFeatures};

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
    /// How many documents it names that are not in the index.
    pub missing_documents: f64,
    /// 1 if an identifier, an abbreviation or a quoted phrase stands in the question, otherwise 0.
    pub named: f64,
    /// Whose weights score the candidates.
    pub fitted_model: FittedModel,
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
            missing_documents: confidence.missing_documents.len() as f64,
            named: best(|features| f64::from(u8::from(features.question_has_names))),
            fitted_model: FittedModel::default(),
        }
    }

    /// Names and values.
    pub fn named(&self) -> [(&'static str, f64); 10] {
        [
            ("best_cosine", self.best_cosine),
            ("best_coverage", self.best_coverage),
            ("best_logit", self.best_logit),
            ("unknown_names", self.unknown_names),
            ("unknown_words", self.unknown_words),
            ("missing_documents", self.missing_documents),
            // The best cosine and logit of everyday questions with an answer are lower.
            ("named", self.named),
            ("named_best_cosine", self.named * self.best_cosine),
            ("named_best_coverage", self.named * self.best_coverage),
            ("named_best_logit", self.named * self.best_logit),
        ]
    }
}
