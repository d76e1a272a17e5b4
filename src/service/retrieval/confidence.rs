//! Whether the answer is among what was found at all.
//!
//! A question about a thing that does not exist finds passages too, and a reranker scores many of
//! them high. What tells such questions: an identifier or a word of the question that no passage
//! holds, and a best score that is low.

use super::Candidate;
use crate::store::{Snapshot, StoreError};

/// What speaks for and against the answer being among the results.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Certainty {
    /// Identifiers, quoted phrases and words of the question that occur nowhere in the index.
    pub unknown_terms: Vec<String>,
    /// 0 to 1; none where nothing was ordered by a calibrated score.
    pub confidence: Option<f64>,
}

/// Shorter words say little: they are particles, or typing errors of them.
const SHORTEST_WORD: usize = 4;
/// Words of a long question that are looked up.
const MAX_WORDS: usize = 64;

/// The identifiers, quoted phrases and plain words of a question that occur nowhere in the index.
pub(super) fn unknown_terms(
    snapshot: &Snapshot,
    question: &str,
    identifiers: &[String],
) -> Result<Vec<String>, StoreError> {
    let words = question.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| word.chars().count() >= SHORTEST_WORD);
    let words = words.filter(|word| word.chars().all(char::is_alphabetic)).take(MAX_WORDS);
    let mut unknown: Vec<String> = Vec::new();
    for term in identifiers.iter().map(String::as_str).chain(words) {
        // A part of an unknown identifier adds nothing to it.
        if !unknown.iter().any(|known| known.contains(term)) && snapshot.occurrences(term)? == 0 {
            unknown.push(term.to_owned());
        }
    }
    Ok(unknown)
}

/// What one unknown term leaves of the confidence. On the development questions 5 of 100 that can
/// be answered have one, and most of those about invented things.
const UNKNOWN_FACTOR: f64 = 0.25;

impl Certainty {
    /// Weighs the best score of the last stage and what is unknown.
    pub(super) fn weigh(&mut self, candidates: &[Candidate], scored: usize) {
        if scored == 0 {
            return;
        }
        let best = candidates.first().map_or(0.0, |candidate| candidate.score);
        let known =
            UNKNOWN_FACTOR.powi(i32::try_from(self.unknown_terms.len()).unwrap_or(i32::MAX));
        self.confidence = Some(best * known);
    }
}
