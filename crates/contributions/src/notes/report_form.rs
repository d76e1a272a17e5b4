//! Identifies a file as a meeting report: by its cover and its content, never by its name.

use std::sync::LazyLock;

use regex::Regex;

use super::document_numbers::document_numbers;
use extract::Contribution;

/// First lines that may open a meeting: many, because a table of contents precedes them.
const OPENING_LINES: usize = 2_000;
/// Minimum number of documents with an outcome in an unsigned report: a file with one or two entries is quickly made
/// up or copied from a report.
const MIN_UNSIGNED_ENTRIES: usize = 3;

fn compile_pattern(text: &str) -> Regex {
    Regex::new(&format!("(?i){text}")).expect("a constant pattern; a test uses each")
}

/// The words that open a meeting in a report.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:\d+\W+)?opening\s+of\s+the\s+(?:\S+\s+){0,3}meeting|\bopened\s+the\s+meeting\b",
    )
});
/// The agenda item that approves the agenda.
static APPROVAL: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(r"^\W*(?:\d+\W+)?(?:approval|adoption)\s+of\s+(?:the\s+)?agenda\b")
});
/// The words that close a meeting, and the list of participants.
static CLOSING: LazyLock<Regex> = LazyLock::new(|| {
    compile_pattern(
        r"^\W*(?:\d+\W+)?clos(?:e|ing|ure)\s+of\s+the\s+(?:\S+\s+){0,3}meeting|\bclosed\s+the\s+meeting\b|^\W*(?:annex\s+\w+\W+)?(?:list\s+of\s+)?(?:participants|attendees)\b",
    )
});

/// What a file lacks to be a meeting report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportGap {
    /// Its cover does not call it a report.
    Cover,
    /// The secretary signs it, and it has neither an opening nor documents. It need not have decisions: the report of a
    /// short session may record only a discussion.
    Content,
    /// It is unsigned, and does not have the whole form of a report.
    Form,
}

impl ReportGap {
    /// What is missing, in a sentence.
    pub(super) fn as_sentence(self) -> &'static str {
        match self {
            Self::Cover => "its first page does not identify it as a meeting report",
            Self::Content => {
                "it contains no opening of the meeting, no approval of the agenda and no documents"
            }
            Self::Form => {
                "it is not signed by a secretary, and it lacks the opening of the meeting, outcomes of documents, or \
                 both the closing and the list of participants"
            }
        }
    }
}

/// What a file lacks to be a meeting report. `is_called_report`: whether its first page calls it one; `is_signed`:
/// whether the secretary signs it.
pub(super) fn find_report_gap(
    read: &Contribution,
    is_called_report: bool,
    is_signed: bool,
) -> Option<ReportGap> {
    let lines = || read.blocks.iter().flat_map(|block| block.text.lines());
    let opens = || lines().take(OPENING_LINES).any(|line| OPENING.is_match(line));
    let has_content = || {
        opens()
            || lines().take(OPENING_LINES).any(|line| APPROVAL.is_match(line))
            || !document_numbers(read).is_empty()
    };
    let has_form = || {
        let decisions = read.minutes.decisions.iter();
        let outcomes = decisions.filter(|decision| decision.decision.outcome.is_some());
        opens()
            && outcomes.count() >= MIN_UNSIGNED_ENTRIES
            && !document_numbers(read).is_empty()
            && lines().any(|line| CLOSING.is_match(line))
    };
    if !is_called_report {
        Some(ReportGap::Cover)
    } else if is_signed && !has_content() {
        Some(ReportGap::Content)
    } else if !is_signed && !has_form() {
        Some(ReportGap::Form)
    } else {
        None
    }
}
