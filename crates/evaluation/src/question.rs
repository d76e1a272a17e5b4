//! A question and the clauses that answer it.

use serde::{Deserialize, Serialize};

use super::{ClauseId, QuestionError};

/// The group of questions about things that do not exist.
pub const NOTHING: &str = "nothing";
/// The kind and group of questions in everyday words.
const PLAIN: &str = "plain";
/// The group of all other questions that name none.
const TECHNICAL: &str = "technical";
/// The kind of questions that name none.
const UNSORTED: &str = "question";

/// A question. Which clauses answer it is known: none if it is in the group [`NOTHING`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvaluationQuestion {
    /// Unique among the questions of a run.
    pub id: String,
    /// The text of the question.
    pub text: String,
    /// A word of the set's author: `table`, `identifier`.
    pub kind: String,
    /// Kinds that have a separate line in the summary: `technical`, `plain`, `nothing`.
    pub group: String,
    /// The clauses that answer, none inside another.
    pub golds: Vec<ClauseId>,
}

impl EvaluationQuestion {
    /// A question of a set. Without a kind and a group, a question without clauses is about nothing; the
    /// kind `plain` is a group of its own, and all others are technical.
    pub fn new(
        id: &str,
        text: &str,
        kind: Option<&str>,
        group: Option<&str>,
        golds: Vec<ClauseId>,
    ) -> Result<Self, QuestionError> {
        let golds = drop_nested_golds(golds);
        let says_nothing = kind == Some(NOTHING) || (kind.is_none() && golds.is_empty());
        let group = group.unwrap_or(match kind {
            _ if says_nothing => NOTHING,
            Some(PLAIN) => PLAIN,
            _ => TECHNICAL,
        });
        if (group == NOTHING) != golds.is_empty() {
            let (id, group, golds) = (id.to_owned(), group.to_owned(), golds.len());
            return Err(QuestionError::Contradiction { id, group, golds });
        }
        let kind = kind.unwrap_or(if golds.is_empty() { NOTHING } else { UNSORTED });
        Ok(Self {
            id: hyphenate_blanks(id),
            text: join_lines(text),
            kind: kind.to_owned(),
            group: group.to_owned(),
            golds,
        })
    }

    /// Whether no clause answers it.
    pub fn is_unanswerable(&self) -> bool {
        self.golds.is_empty()
    }
}

/// Removes clauses inside another gold clause, and duplicates: a subclause of a gold clause counts as
/// the gold clause.
fn drop_nested_golds(golds: Vec<ClauseId>) -> Vec<ClauseId> {
    let mut outermost: Vec<ClauseId> = Vec::new();
    for gold in golds {
        let inside = |inner: &ClauseId, outer: &ClauseId| {
            inner.document == outer.document && inner.section.is_within(outer.section.as_str())
        };
        if outermost.iter().any(|other| inside(&gold, other)) {
            continue;
        }
        outermost.retain(|other| !inside(other, &gold));
        outermost.push(gold);
    }
    outermost
}

/// An id without blanks, which separate fields in files of other tools.
pub(super) fn hyphenate_blanks(id: &str) -> String {
    id.split_whitespace().collect::<Vec<_>>().join("-")
}

fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rejects a set in which two questions have the same id.
pub(super) fn check_unique_ids(questions: &[EvaluationQuestion]) -> Result<(), QuestionError> {
    let mut seen = std::collections::HashSet::new();
    match questions.iter().find(|question| !seen.insert(&question.id)) {
        Some(question) => Err(QuestionError::DuplicateId { id: question.id.clone() }),
        None => Ok(()),
    }
}
