//! Question files of others, in the forms seen so far, made into questions with clauses.
//!
//! A question is taken when a clause is named for it, or when it is said to have no answer. One
//! that names only a document is left out: whatever ranks would be right too often. What is left
//! out is told with its reason.

mod forms;

use std::{collections::HashSet, fmt};

use super::{Place, Question, QuestionError, question::one_word};
use forms::{Item, read_items};

/// The questions of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Converted {
    /// Those that were taken.
    pub questions: Vec<Question>,
    /// Those that were not.
    pub left_out: Vec<LeftOut>,
}

/// A question that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its id, with the name of its file before it.
    pub question: String,
    /// Why.
    pub reason: Reason,
}

/// Why a question is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// No clause is named for it.
    NoClause,
    /// It has no answer in the documents it was written for, but asks about another by number.
    OtherDocuments,
    /// Its text was there before.
    Repeated,
    /// None of its documents is in the index.
    NoDocument,
    /// Its documents are, but none of its clauses is in any of their versions.
    NoSection,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoClause => "no clause is named",
            Self::OtherDocuments => "said to have no answer, but names a document",
            Self::Repeated => "asked before in the same words",
            Self::NoDocument => "its documents are not in the index",
            Self::NoSection => "its clauses are in no version in the index",
        })
    }
}

/// Reads a file of questions; `name` goes before their ids.
pub fn convert(name: &str, text: &str) -> Result<Converted, QuestionError> {
    let mut converted = Converted::default();
    for item in read_items(text)? {
        let id = one_word(&format!("{name}-{}", item.id));
        match reason_against(&item) {
            Some(reason) => converted.left_out.push(LeftOut { question: id, reason }),
            None => converted.questions.push(Question::new(
                &id,
                &item.text,
                Some(&item.kind),
                item.group.as_deref(),
                item.golds,
            )?),
        }
    }
    Ok(converted)
}

fn reason_against(item: &Item) -> Option<Reason> {
    if !item.unanswerable {
        return item.golds.is_empty().then_some(Reason::NoClause);
    }
    names_document(&item.text).then_some(Reason::OtherDocuments)
}

/// Whether a text names a document: `38.331`, `TS 38.101-1`.
fn names_document(text: &str) -> bool {
    let word = |c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '-');
    text.split(word)
        .map(|word| word.trim_matches(['.', '-']))
        .any(|word| word.contains('.') && word.parse::<domain::DocNumber>().is_ok())
}

impl Converted {
    /// Adds the questions of another file, those asked in the same words once.
    pub fn extend(&mut self, other: Self) {
        let mut seen: HashSet<String> = self.questions.iter().map(|q| q.text.clone()).collect();
        for question in other.questions {
            if seen.insert(question.text.clone()) {
                self.questions.push(question);
            } else {
                self.leave(question.id, Reason::Repeated);
            }
        }
        self.left_out.extend(other.left_out);
    }

    /// Keeps the questions of which the index has a document and a clause. Clauses of documents
    /// that are not there are dropped from those that stay.
    pub fn keep_indexed(
        &mut self,
        has_document: impl Fn(&Place) -> bool,
        has_section: impl Fn(&Place) -> bool,
    ) {
        for mut question in std::mem::take(&mut self.questions) {
            let nothing = question.is_nothing();
            question.golds.retain(&has_document);
            if nothing || question.golds.iter().any(&has_section) {
                self.questions.push(question);
            } else if question.golds.is_empty() {
                self.leave(question.id, Reason::NoDocument);
            } else {
                self.leave(question.id, Reason::NoSection);
            }
        }
    }

    fn leave(&mut self, question: String, reason: Reason) {
        self.left_out.push(LeftOut { question, reason });
    }
}

#[cfg(test)]
mod tests;
