//! The decisions of a meeting, as recorded in chair notes, session notes and reports: agreements, working assumptions,
//! conclusions, open items, and outcomes of documents.
//!
//! Only the words of the meeting count. Text below a proposal, a possible agreement or an earlier meeting's agreement
//! is not one of its decisions, whatever it looks like. Whether a file contains such notes at all is determined by
//! the code that stores decisions (`contributions::notes`).
//!
//! The forms of RAN1 (markers in colour) and of SA2 (an entry for each document) are those of the state machine. The
//! forms of other groups are rules in `data/*.toml`, each with its origin. Text in a form that no rule knows is doubtful.

#![forbid(unsafe_code)]

mod agreed_sentences;
mod body;
mod decision_date;
mod document_entries;
mod entry_context;
mod explained;
mod find;
mod finder;
mod following;
mod form_line;
mod grammar;
mod line;
mod look_ahead;
mod marker;
mod meeting_evidence;
mod named_proposals;
mod nested_decision;
mod others_lead;
mod outcome;
mod own_meeting;
mod pending;
mod quotation;
mod quote;
mod remark;
mod replaced_documents;
mod result_tables;
mod state;
mod unanchored;

use serde::{Deserialize, Serialize};

pub use explained::{ExplainedLine, UsedRule};
pub use find::{explain_minutes, read_minutes};
pub use grammar::{
    FormRule, GrammarError, GrammarSet, GroupGrammar, LinePlace, LineReading, RuleBasis,
};
pub use named_proposals::{
    NamedProposal, NotesLine, QuotedProposal, find_named_proposals, find_proposal_above,
    has_proposal_number,
};

use domain::{DecisionDoubt, RecordedDecision};

/// The decisions in the notes of a meeting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Minutes {
    /// The meeting's decisions, in the order of the text.
    pub decisions: Vec<ExtractedDecision>,
    /// Text that looks like a decision but probably is not, in the order of the text.
    pub doubtful: Vec<DoubtfulDecision>,
    /// The agenda item that the cover names.
    pub cover_agenda_item: Option<String>,
}

/// Text that looks like a decision but probably is not one of the meeting's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoubtfulDecision {
    /// Why it probably is not.
    pub reason: DecisionDoubt,
    /// The text, in the form of a decision.
    pub read: ExtractedDecision,
}

/// A decision, and how certain it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractedDecision {
    /// The decision. Its `part_of` is an index in the list of decisions that were read.
    pub decision: RecordedDecision,
    /// Whether its text may continue after the quote: an empty paragraph ended it, and plain text follows.
    pub end_uncertain: bool,
    /// Whether its marker has the colour of one: green, or dark yellow for a working assumption.
    pub is_coloured: bool,
    /// Whether the lines before it say that the file's own meeting made it; a summary also quotes other meetings.
    pub shows_own_meeting: bool,
    /// Where the rule or form comes from that made it a decision.
    pub basis: RuleBasis,
}
