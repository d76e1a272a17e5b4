//! Answer confidence: whether the results contain the answer at all.
//!
//! A question about a thing that does not exist finds passages too, and a reranker scores many of them high. Such
//! questions are recognized by an identifier or a word that no passage has, and by a low best score.

use super::{FittedModel, PassageCandidate, exact_phrases::DOCUMENT_TYPES};
use domain::DocNumber;
use lexical::analyzer::is_ideograph;
use store::{Snapshot, StoreError};

/// How likely the answer is among the results, and the terms that make it unlikely.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnswerConfidence {
    /// Identifiers, quoted phrases and words of the question that occur nowhere in the index.
    pub unknown_terms: Vec<String>,
    /// How many of them are identifiers or quoted phrases.
    unknown_names: usize,
    /// The documents that the question names and that are not in the index, though others may cite them.
    pub missing_documents: Vec<String>,
    /// Whether the answer is probably not among the results; false says nothing.
    pub answer_unlikely: bool,
    /// Whether the question has identifiers or quoted phrases, and none of them is known.
    pub asks_for_unknown_names: bool,
    /// 0 to 1; `None` if the order is not that of a calibrated score.
    pub confidence: Option<f64>,
}

/// Shorter words say little: they are particles, or typing errors of them.
const MIN_WORD_CHARS: usize = 4;
/// Maximum number of words of a question that are looked up: each is a search of the word index.
const MAX_WORDS: usize = 64;

/// The runs of ideographs in a question.
fn ideograph_runs(question: &str) -> impl Iterator<Item = &str> {
    question.split(|c: char| !is_ideograph(c)).filter(|run| !run.is_empty())
}

/// The names of a question that are numbers of documents, and not in the index. `23.040` may be a value or a clause:
/// it is a document if the question calls it one, or an indexed document cites it as one.
fn find_missing_documents(
    snapshot: &Snapshot,
    question: &str,
    names: &[String],
) -> Result<Vec<String>, StoreError> {
    let mut missing = Vec::new();
    for name in names.iter().filter(|name| name.contains('.')) {
        let Ok(number) = name.parse::<DocNumber>() else { continue };
        let called = DOCUMENT_TYPES.map(|kind| format!("{kind} {name}"));
        let mut is_document = called.iter().any(|called| question.contains(called));
        for called in &called {
            is_document |= snapshot.contents().count_occurrences(called, 1)? > 0;
        }
        if is_document && snapshot.catalog().document_versions(&number).is_empty() {
            missing.push(number.as_str().to_owned());
        }
    }
    Ok(missing)
}

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
        confidence.missing_documents = find_missing_documents(snapshot, question, identifiers)?;
        let is_unknown =
            |name: &String| confidence.unknown_terms.iter().any(|known| known.contains(name));
        confidence.asks_for_unknown_names =
            !identifiers.is_empty() && identifiers.iter().all(is_unknown);
        let words = question.split(|c: char| !c.is_alphanumeric() || is_ideograph(c));
        let words = words.filter(|word| word.chars().count() >= MIN_WORD_CHARS);
        for word in words.filter(|word| word.chars().all(char::is_alphabetic)).take(MAX_WORDS) {
            confidence.look_up_term(snapshot, word)?;
        }
        for run in ideograph_runs(question).take(MAX_WORDS) {
            confidence.look_up_term(snapshot, run)?;
        }
        // Signs and pictures have no words that could be looked up.
        let bare = question.trim();
        if !bare.is_empty() && !bare.contains(|c: char| c.is_alphanumeric()) {
            confidence.unknown_terms.push(bare.to_owned());
        }
        Ok(confidence)
    }

    /// How many unknown names there are, and how many other unknown words.
    pub(crate) fn unknown_counts(&self) -> (usize, usize) {
        (self.unknown_names, self.unknown_terms.len() - self.unknown_names)
    }

    fn look_up_term(&mut self, snapshot: &Snapshot, term: &str) -> Result<(), StoreError> {
        // A part of an unknown identifier is no further evidence.
        let is_known_part = self.unknown_terms.iter().any(|known| known.contains(term));
        if !is_known_part && snapshot.contents().count_occurrences(term, 1)? == 0 {
            self.unknown_terms.push(term.to_owned());
        }
        Ok(())
    }

    /// Sets it to the probability of the best result, if the reranker has read any: unknown terms count in it.
    pub(crate) fn compute_confidence(
        &mut self,
        candidates: &[PassageCandidate],
        scored: usize,
        fitted: FittedModel,
    ) {
        let best = candidates.first().map_or(0.0, |candidate| candidate.score);
        self.confidence = (scored > 0).then_some(best);
        // No threshold told everyday questions with an answer from those without.
        let has_names = candidates.first().is_some_and(|best| best.features.question_has_names);
        let threshold = fitted.weights().unlikely_named_below;
        self.answer_unlikely = has_names && scored > 0 && threshold.is_some_and(|most| best < most);
    }
}
