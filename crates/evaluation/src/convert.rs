//! Converts question files of other projects into evaluation questions.
//!
//! A question is accepted if its file names a clause for it, or says that it has no answer. One with only a document
//! is rejected: any ranking would be right too often. Rejected questions are listed with the reason.

mod forms;

use std::{collections::HashSet, fmt};

use super::{ClauseId, EvaluationQuestion, QuestionError, question::hyphenate_blanks};
use forms::{GivenAnswer, parse_question_file};

/// The questions of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConvertedQuestions {
    /// Those that were accepted.
    pub questions: Vec<EvaluationQuestion>,
    /// Those that were rejected.
    pub rejected: Vec<RejectedQuestion>,
}

/// A question that was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedQuestion {
    /// Its id, prefixed with the name of its file.
    pub question: String,
    /// The reason.
    pub reason: RejectionReason,
}

/// Why a question is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RejectionReason {
    /// Its file names no clause for it.
    NoClause,
    /// It has no answer in the documents it was written for, but names another one by number.
    OtherDocuments,
    /// Another question has the same text.
    Repeated,
    /// None of its documents is in the index.
    NoDocument,
    /// None of its clauses is in any indexed version of its documents.
    NoSection,
}

impl fmt::Display for RejectionReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoClause => "no clause is named",
            Self::OtherDocuments => "marked as having no answer, but names a document",
            Self::Repeated => "repeats an earlier question word for word",
            Self::NoDocument => "its documents are not in the index",
            Self::NoSection => "no indexed version contains its clauses",
        })
    }
}

/// Converts a file of questions; `name` becomes the prefix of their ids.
pub fn convert_questions(name: &str, text: &str) -> Result<ConvertedQuestions, QuestionError> {
    let mut converted = ConvertedQuestions::default();
    for item in parse_question_file(text)? {
        let id = hyphenate_blanks(&format!("{name}-{}", item.id));
        let golds = match accepted_golds(&item.text, item.answer) {
            Ok(golds) => golds,
            Err(reason) => {
                converted.reject_question(id, reason);
                continue;
            }
        };
        let (kind, group) = (Some(item.kind.as_str()), item.group.as_deref());
        converted.questions.push(EvaluationQuestion::new(&id, &item.text, kind, group, golds)?);
    }
    Ok(converted)
}

/// The clauses that answer a question of this text, or why it is rejected.
fn accepted_golds(text: &str, answer: GivenAnswer) -> Result<Vec<ClauseId>, RejectionReason> {
    match answer {
        GivenAnswer::Nothing if names_document(text) => Err(RejectionReason::OtherDocuments),
        GivenAnswer::Nothing => Ok(Vec::new()),
        GivenAnswer::Clauses(golds) if golds.is_empty() => Err(RejectionReason::NoClause),
        GivenAnswer::Clauses(golds) => Ok(golds),
    }
}

/// Whether a text names a document: `38.331`, `TS 38.101-1`.
fn names_document(text: &str) -> bool {
    let is_separator = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-');
    text.split(is_separator)
        .map(|word| word.trim_matches(['.', '-']))
        .any(|word| word.contains('.') && word.parse::<domain::DocNumber>().is_ok())
}

impl ConvertedQuestions {
    /// Adds the questions of another file; those whose text is already included are rejected.
    pub fn merge_questions(&mut self, other: Self) {
        let mut seen: HashSet<String> = self.questions.iter().map(|q| q.text.clone()).collect();
        for question in other.questions {
            if seen.insert(question.text.clone()) {
                self.questions.push(question);
            } else {
                self.reject_question(question.id, RejectionReason::Repeated);
            }
        }
        self.rejected.extend(other.rejected);
    }

    /// Keeps the questions for which the index has a document and a clause, and the unanswerable ones. Drops clauses
    /// of documents that are not indexed.
    pub fn keep_indexed(
        &mut self,
        has_document: impl Fn(&ClauseId) -> bool,
        has_section: impl Fn(&ClauseId) -> bool,
    ) {
        for mut question in std::mem::take(&mut self.questions) {
            let is_unanswerable = question.is_unanswerable();
            question.golds.retain(&has_document);
            if is_unanswerable || question.golds.iter().any(&has_section) {
                self.questions.push(question);
            } else if question.golds.is_empty() {
                self.reject_question(question.id, RejectionReason::NoDocument);
            } else {
                self.reject_question(question.id, RejectionReason::NoSection);
            }
        }
    }

    fn reject_question(&mut self, question: String, reason: RejectionReason) {
        self.rejected.push(RejectedQuestion { question, reason });
    }
}

#[cfg(test)]
mod tests;
