//! Rows of decisions of meetings, as their notes and reports record them.
//!
//! The status of a document is that of its register; the two are joined when a question needs both.

use serde::{Deserialize, Serialize};

use domain::{DecisionKind, DecisionOutcome, DoubtReason, MeetingId, NotesKind, TdocId};

/// Notes or a report of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesRow {
    /// The meeting.
    pub meeting: MeetingId,
    /// Its key among the meeting's sources; all its versions have the same.
    pub key: String,
    /// What kind of notes it is.
    pub kind: NotesKind,
    /// Its title, or the name of its file.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// Its number, where it is a TDoc.
    pub tdoc: Option<TdocId>,
    /// Its version as written: `v07`, `eom2`.
    pub version: Option<String>,
    /// The order of versions: a higher one replaces a lower one.
    pub rank: u32,
    /// Whether it is the final report: what notes say is provisional until then.
    pub is_final: bool,
    /// Hash of the file.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
    /// What could not be read of it, one sentence each.
    pub faults: Vec<String>,
    /// How many decisions are in it.
    pub decisions: u32,
}

/// What of notes is uncertain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotesDoubts {
    /// Texts that read like decisions and are probably none.
    pub doubtful: Vec<DoubtfulRow>,
    /// Decisions whose text may continue after the quote, by their index in the notes.
    pub uncertain_ends: Vec<u32>,
}

/// Text that reads like a decision and is probably none of the meeting's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtfulRow {
    /// Why it is probably none.
    pub reason: DoubtReason,
    /// The text, as a decision has it.
    pub decision: DecisionRow,
}

/// A decision as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// What kind it is.
    pub kind: DecisionKind,
    /// The outcome for a document, as the notes say it.
    pub outcome: Option<DecisionOutcome>,
    /// The words that mark it as a decision.
    pub marker: String,
    /// Its text, word by word.
    pub quote: String,
    /// Whether the quote is cut.
    pub is_cut: bool,
    /// The anchor of its first paragraph.
    pub anchor: String,
    /// The anchor of its last paragraph.
    pub last_anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
    /// The item of the agenda.
    pub agenda_item: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
    /// The document it was recorded under.
    pub recorded_under: Option<TdocId>,
    /// Documents that it names.
    pub references: Vec<TdocId>,
    /// The session.
    pub session: Option<String>,
    /// The decision that it is a part of, by its index in the list.
    pub part_of: Option<u32>,
}
