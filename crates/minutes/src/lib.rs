//! What a meeting decided, as chair notes, session notes and reports write it down: agreements, working
//! assumptions, conclusions, open items, and what became of documents.
//!
//! Only the words of the meeting count. What stands under a proposal, a possible agreement or an earlier
//! meeting's agreement is none of its decisions, whatever it looks like. Whether a file is such notes at all is
//! not known here: who stores decisions says it (`contributions::notes`).
//!
//! The forms of RAN1 (markers in colour) and of SA2 (an entry for each document) were counted on real reports;
//! those of RAN2, RAN3 and RAN4 (`=> Agreed`, boxes headed "Agreements") follow descriptions of them.

#![forbid(unsafe_code)]

mod body;
mod decision_date;
mod document_entries;
mod entry_context;
mod find;
mod finder;
mod following;
mod line;
mod look_ahead;
mod marker;
mod meeting_evidence;
mod others_lead;
mod outcome;
mod own_meeting;
mod quote;
mod remark;
mod state;
mod unanchored;

use serde::{Deserialize, Serialize};

pub use find::read_minutes;

use domain::{DecisionDoubt, DecisionType, DocumentOutcome, TdocId};

/// What notes of a meeting say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minutes {
    /// The meeting's decisions, in the order of the text.
    pub decisions: Vec<ExtractedDecision>,
    /// What reads like a decision and is probably none, in the order of the text.
    pub doubtful: Vec<DoubtfulDecision>,
    /// The item of the agenda that the cover names.
    pub cover_agenda_item: Option<String>,
}

/// Text that reads like a decision and is probably none of the meeting's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtfulDecision {
    /// Why it is probably none.
    pub reason: DecisionDoubt,
    /// The text, as a decision has it.
    pub decision: ExtractedDecision,
}

/// A decision as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedDecision {
    /// What kind it is.
    pub kind: DecisionType,
    /// What became of a document.
    pub outcome: Option<DocumentOutcome>,
    /// The words that mark it, such as `Agreement:`; what follows them is the quote.
    pub marker: String,
    /// Its text, word by word: paragraphs on lines of their own, items indented, tables as Markdown.
    pub quote: String,
    /// Whether the quote is cut, for it is longer than any decision is.
    pub is_cut: bool,
    /// Whether its text may continue after the quote: an empty paragraph ended it, and plain text follows that.
    pub end_uncertain: bool,
    /// Whether its marker has the colour of one: green, or dark yellow for a working assumption.
    pub is_coloured: bool,
    /// Whether the lines before it say that the file's own meeting took it; a summary quotes other meetings' too.
    pub shows_own_meeting: bool,
    /// Where it begins.
    pub anchor: String,
    /// Where its last paragraph stands.
    pub last_anchor: String,
    /// The page it begins on, when the file tells.
    pub page: Option<u32>,
    /// The item of the agenda, such as `9.1.1`.
    pub agenda_item: Option<String>,
    /// The heading it stands under.
    pub heading: Option<String>,
    /// The document it was recorded under.
    pub recorded_under: Option<TdocId>,
    /// Documents that it names.
    pub references: Vec<TdocId>,
    /// The session, when the notes say it: `Thursday`, `parallel`.
    pub session: Option<String>,
    /// The decision that it is a part of, by its index in the list.
    pub part_of: Option<u32>,
}
