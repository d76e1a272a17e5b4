//! Decisions before their paragraphs have anchors.

use super::grammar::RuleBasis;
use domain::{DecisionDoubt, DecisionType, DocumentOutcome, TdocId};

/// The decisions of a file before its paragraphs have anchors.
#[derive(Debug, Default)]
pub(super) struct UnanchoredMinutes {
    pub(super) decisions: Vec<UnanchoredDecision>,
    pub(super) doubtful: Vec<UnanchoredDecision>,
    /// The agenda item that the cover names.
    pub(super) cover_agenda_item: Option<String>,
}

/// A decision whose paragraphs are identified by their ordinals.
#[derive(Debug, Clone)]
pub(super) struct UnanchoredDecision {
    pub(super) kind: DecisionType,
    pub(super) outcome: Option<DocumentOutcome>,
    pub(super) marker: String,
    pub(super) quote: String,
    pub(super) is_cut: bool,
    /// An empty paragraph ended it, and plain text follows.
    pub(super) end_uncertain: bool,
    pub(super) is_coloured: bool,
    /// The lines before it say that the file's own meeting made it.
    pub(super) shows_own_meeting: bool,
    /// Why it probably is not a decision.
    pub(super) doubt: Option<DecisionDoubt>,
    /// Ordinal of its first paragraph, and page breaks before it.
    pub(super) first: (u32, u32),
    /// Ordinal of its last paragraph.
    pub(super) last: u32,
    pub(super) agenda_item: Option<String>,
    pub(super) heading: Option<String>,
    pub(super) recorded_under: Option<TdocId>,
    pub(super) session: Option<String>,
    /// The decision that it is a part of, by its index in the list.
    pub(super) part_of: Option<u32>,
    /// Where the rule comes from that read it; `None` if it has a form that the program itself reads.
    pub(super) basis: Option<RuleBasis>,
}
