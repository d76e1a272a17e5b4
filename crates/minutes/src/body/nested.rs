//! Decisions within a decision: what is for further study, or assumed.

use crate::{outcome, quote::Quote, unanchored::UnanchoredDecision};
use domain::DecisionType;
use word::{Highlight, ParagraphPiece};

/// An item in the body of a decision that is a decision of its own.
pub(super) struct NestedDecision {
    pub(super) kind: DecisionType,
    pub(super) first: (u32, u32),
    pub(super) depth: u8,
    pub(super) quote: Quote,
    pub(super) is_open: bool,
    /// It is only "FFS:": options beside it belong to it.
    pub(super) takes_options: bool,
}

impl NestedDecision {
    pub(super) fn into_decision(
        self,
        whole: &UnanchoredDecision,
        index: Option<u32>,
    ) -> UnanchoredDecision {
        let (text, last, is_cut) = self.quote.into_text();
        UnanchoredDecision {
            kind: self.kind,
            outcome: if self.kind.is_text() { None } else { outcome::outcome_in(&text) },
            marker: String::new(),
            quote: text,
            is_cut,
            first: self.first,
            last,
            part_of: index,
            ..whole.clone()
        }
    }
}

/// The kind of an item that is a decision within a decision. Counting only markers misses working assumptions inside
/// agreements: 29 in eight reports.
pub(super) fn nested_kind(line: &ParagraphPiece) -> Option<DecisionType> {
    let text = line.text.trim_start_matches(['[', '(', '-', '\u{2022}', ' ']);
    let word = |word: &str| {
        let found = text.get(..word.len()).filter(|found| found.eq_ignore_ascii_case(word));
        found.is_some() && !text[word.len()..].starts_with(char::is_alphanumeric)
    };
    if word("FFS") {
        return Some(DecisionType::OpenItem);
    }
    let is_assumed = word("Working assumption") && line.highlight == Some(Highlight::DarkYellow);
    is_assumed.then_some(DecisionType::WorkingAssumption)
}
