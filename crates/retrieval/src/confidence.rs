//! Answer confidence: whether the results contain the answer at all.
//!
//! A question about a thing that does not exist finds passages too, and a reranker scores many of
//! them high. Such questions show in an identifier or a word that no passage has, and in a low best
//! score.

use super::PassageCandidate;
use lexical::analyzer::is_ideograph;
use store::{Snapshot, StoreError};

/// How likely the answer is among the results, and the terms that make it unlikely.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerConfidence {
    /// Identifiers, quoted phrases and words of the question that occur nowhere in the index.
    pub unknown_terms: Vec<String>,
    /// How many of them are identifiers or quoted phrases.
    unknown_names: usize,
    /// 0 to 1; none where the order is not that of a calibrated score.
    pub confidence: Option<f64>,
}

/// Shorter words say little: they are particles, or typing errors of them.
const MIN_WORD_CHARS: usize = 4;
/// Maximum number of words of a question that are looked up.
const MAX_WORDS: usize = 64;

/// The confidence is multiplied by this for each unknown identifier or quoted phrase. On the development
/// questions 5 of 181 that can be answered have one, and 14 of 36 about invented things.
const UNKNOWN_NAME_FACTOR: f64 = 0.1;
/// The same for each unknown word. Questions in everyday words have some that no specification has,
/// and are answered all the same: 22 of 181 have one, and 7 of 36.
const UNKNOWN_WORD_FACTOR: f64 = 0.6;

impl AnswerConfidence {
    /// Looks up the identifiers, quoted phrases and plain words of a question.
    pub(crate) fn from_question(
        snapshot: &Snapshot,
        question: &str,
        identifiers: &[String],
    ) -> Result<Self, StoreError> {
        let mut confidence = Self::default();
        for name in identifiers {
            confidence.look_up_term(snapshot, name)?;
        }
        confidence.unknown_names = confidence.unknown_terms.len();
        // A question in another script has no words in common with any passage.
        let words = question.split(|c: char| !c.is_alphanumeric() || is_ideograph(c));
        let words = words.filter(|word| word.chars().count() >= MIN_WORD_CHARS);
        for word in words.filter(|word| word.chars().all(char::is_alphabetic)).take(MAX_WORDS) {
            confidence.look_up_term(snapshot, word)?;
        }
        Ok(confidence)
    }

    fn look_up_term(&mut self, snapshot: &Snapshot, term: &str) -> Result<(), StoreError> {
        // A part of an unknown identifier adds nothing to it.
        let is_known_part = self.unknown_terms.iter().any(|known| known.contains(term));
        if !is_known_part && snapshot.contents().count_occurrences(term, 1)? == 0 {
            self.unknown_terms.push(term.to_owned());
        }
        Ok(())
    }

    /// Computes the confidence from the best score of the last stage and the unknown terms.
    pub(crate) fn compute_confidence(&mut self, candidates: &[PassageCandidate], scored: usize) {
        if scored == 0 {
            return;
        }
        let best = candidates.first().map_or(0.0, |candidate| candidate.score);
        let of_each = (0..self.unknown_terms.len()).map(|index| {
            if index < self.unknown_names { UNKNOWN_NAME_FACTOR } else { UNKNOWN_WORD_FACTOR }
        });
        self.confidence = Some(best * of_each.product::<f64>());
    }
}
