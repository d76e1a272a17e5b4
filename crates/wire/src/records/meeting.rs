//! Meetings and what they decided.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{
    AdoptionMatch, DecisionDoubt, DecisionSourceKind, DecisionSourceStatus, DecisionType, DocKind,
    DocumentOutcome, KeyDocumentKind, MeetingCoverage, MeetingState, RegisterCoverage,
    RegisterStatus, ReportStanding,
};

/// A meeting in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingRecord {
    /// Its id.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// What people call it.
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// The code of its group.
    #[schemars(example = &"R1")]
    pub group: String,
    /// Its first day (YYYY-MM-DD), when it is known.
    pub start_date: Option<String>,
    /// Its last day (YYYY-MM-DD), when it is known.
    pub end_date: Option<String>,
    /// Whether the first day is estimated from the dates in the register.
    pub dates_estimated: bool,
    /// Where it is, when a calendar says it.
    pub place: Option<String>,
    /// Where it is in time.
    #[schemars(example = &"ended")]
    pub state: MeetingState,
    /// First and last number of its documents, as far as they are known.
    pub tdoc_range: Option<TdocRange>,
    /// How many documents its registers list.
    pub tdoc_count: u64,
    /// How many of its documents were read.
    pub indexed_tdocs: u64,
    /// How many decisions are written down in the notes and reports that were read.
    pub decision_count: u64,
    /// How much of it its register lists.
    #[schemars(example = &"full_register")]
    pub coverage: MeetingCoverage,
}

/// Numbers of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocRange {
    /// The first.
    #[schemars(example = &"R1-2405780")]
    pub first: String,
    /// The last.
    #[schemars(example = &"R1-2407579")]
    pub last: String,
}

/// Meetings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingListReply {
    /// The meetings, newest first.
    pub items: Vec<MeetingRecord>,
    /// How many there are on all pages.
    pub total: u64,
    /// What to give as `offset` for the next page; none on the last one.
    pub next_offset: Option<u32>,
}

/// A meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingDetail {
    /// The meeting as in lists.
    #[serde(flatten)]
    pub meeting: MeetingRecord,
    /// Items of its agenda, in the order of their numbers.
    pub agenda_items: Vec<AgendaItemRecord>,
    /// Chair notes, reports, summaries and way forwards among its documents.
    pub key_documents: Vec<KeyDocument>,
    /// Where its decisions are written down: what was read, and what is known and was not.
    pub decision_sources: Vec<DecisionSourceRecord>,
    /// Its decisions.
    pub decisions: DecisionCounts,
}

/// An item of an agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgendaItemRecord {
    /// Its number.
    #[schemars(example = &"9.1.1")]
    pub agenda_item: String,
    /// Its title, when it is known.
    pub title: Option<String>,
    /// How many documents are under it, without those of items below it.
    pub tdoc_count: u64,
    /// How many decisions are under it, without noted documents and without those of items below it.
    pub decision_count: u64,
}

/// A document of a meeting that others refer to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyDocument {
    /// Its number.
    pub tdoc_id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    #[schemars(example = &"summary")]
    pub doc_kind: KeyDocumentKind,
    /// What became of it, by the newest register.
    pub status: RegisterStatus,
    /// Its item of the agenda.
    pub agenda_item: Option<String>,
    /// Where its file is on the standards body's server.
    pub official_url: Option<String>,
}

/// Where decisions are written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSourceRecord {
    /// What it is.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// Its key among the sources of its meeting that were read. (An addition to the contract.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// Its title, or the name of its file.
    pub title: String,
    /// The document of the meeting that it is.
    pub tdoc_id: Option<String>,
    /// Its file.
    pub file: Option<String>,
    /// Its version as written, such as `eom2`.
    pub version: Option<String>,
    /// Whether it is the final report.
    pub is_final: bool,
    /// Whether it was read.
    #[schemars(example = &"processed")]
    pub status: DecisionSourceStatus,
    /// When it was read.
    pub read_at: Option<String>,
    /// How many decisions were found in it.
    pub decision_count: u64,
    /// What of it was not read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partial_reasons: Vec<String>,
}

/// How many decisions there are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCounts {
    /// By type, noted documents among them.
    pub counts: BTreeMap<DecisionType, u64>,
    /// All of them.
    pub total: u64,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionRecord {
    /// What names it for as long as its source stays.
    #[schemars(example = &"R1-118-4f1d8a02c3")]
    pub decision_id: String,
    /// Its type.
    #[schemars(example = &"agreement")]
    pub decision_type: DecisionType,
    /// What became of a document.
    pub outcome: Option<DocumentOutcome>,
    /// Its text, word by word. What the meeting took out again stands between `~~`, as it is struck through there.
    pub quote: String,
    /// Whether the quote is cut.
    pub is_cut: bool,
    /// Whether the text may continue after the quote in the source: open it there before you rely on the end.
    #[serde(default)]
    pub end_uncertain: bool,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The item of the agenda.
    pub agenda_item: Option<String>,
    /// The heading it stands under.
    pub heading: Option<String>,
    /// Where it is written down.
    pub source: DecisionSource,
    /// Where else it is written down.
    pub also_in: Vec<DecisionSource>,
    /// The document it was recorded under, with what its register says.
    pub recorded_under: Option<DecisionTdoc>,
    /// Documents that it names, with what their registers say.
    pub references: Vec<DecisionTdoc>,
    /// Proposals that it adopts, best first, as far as the documents it names were read.
    pub adopts: Vec<AdoptedProposal>,
    /// The session, when the notes say it: `Thursday`, `parallel`; `e-mail, March 1` for a decision by e-mail.
    pub session: Option<String>,
    /// The day of that session, when the calendar of the meeting tells.
    #[schemars(example = &"2026-03-01")]
    pub date: Option<String>,
    /// The decision that it is a part of.
    pub part_of: Option<String>,
    /// How it stands beside the final report.
    #[schemars(example = &"final")]
    pub standing: ReportStanding,
    /// Whether notes and register say the same of the document; none where only one of them says something.
    pub register_agrees: Option<bool>,
    /// How well it fits `q`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance_score: Option<f64>,
}

/// A place where a decision is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSource {
    /// What it is.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// Its key among the sources of its meeting that were read. (An addition to the contract.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// Its title, or the name of its file.
    pub title: String,
    /// The document of the meeting that it is.
    pub tdoc_id: Option<String>,
    /// Where the decision begins. In a register it is the row, as `<file>#<Sheet>!r<N>`; a page has the number of its
    /// table for a sheet: `<file>#table2!r41`.
    pub anchor: Option<String>,
    /// Where its last paragraph stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_anchor: Option<String>,
    /// The page it begins on, when the file tells.
    pub page: Option<u32>,
}

/// A document that a decision is about, or names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionTdoc {
    /// Its number.
    pub tdoc_id: String,
    /// Its title, when a register lists it.
    pub title: Option<String>,
    /// Its kind.
    pub doc_kind: Option<DocKind>,
    /// What became of it, by the newest register.
    pub status: Option<RegisterStatus>,
    /// Where its file is on the standards body's server.
    pub official_url: Option<String>,
    /// What it changes, where it is a change request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ClauseChange>,
}

/// What a change request changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseChange {
    /// The specification.
    #[schemars(example = &"38.214")]
    pub doc_number: String,
    /// The number of the change request.
    pub cr_number: Option<String>,
    /// The clauses, as its register has them.
    pub clauses: Option<String>,
}

/// A proposal that a decision adopts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdoptedProposal {
    /// The document it is in.
    pub tdoc_id: String,
    /// Its id.
    pub unit_id: String,
    /// Its label.
    pub label: String,
    /// Where it stands.
    pub anchor: String,
    /// Where its last paragraph stands; none where the file was read before this was kept. (An addition to the
    /// contract.)
    pub last_anchor: Option<String>,
    /// How it is known that the decision adopts it.
    pub matched_by: AdoptionMatch,
    /// How sure it is, 0 to 1: the share of its words that stand in the decision.
    pub score: f64,
}

/// Decisions of a meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionListReply {
    /// The decisions: in the order of their sources and of the text, or best first where `q` is given.
    pub items: Vec<DecisionRecord>,
    /// How far the list reaches.
    pub coverage: DecisionCoverage,
    /// How many there are on all pages.
    pub total: u64,
    /// What to give as `offset` for the next page; none on the last one.
    pub next_offset: Option<u32>,
    /// Text in the sources that reads like a decision and is probably none: a proposal, or what another group
    /// agreed. On the first page only, and the first 50 that fit the filters.
    #[serde(default)]
    pub doubtful: Vec<DoubtfulDecisionRecord>,
}

/// Text that reads like a decision and is probably none of the meeting's. Never cite it as one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoubtfulDecisionRecord {
    /// The type that it would have.
    pub decision_type: DecisionType,
    /// Why it is probably none.
    pub reason: DecisionDoubt,
    /// Its text, word by word.
    pub quote: String,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The item of the agenda.
    pub agenda_item: Option<String>,
    /// The document that it is listed under.
    pub recorded_under: Option<String>,
    /// Where it is written down.
    pub source: DecisionSource,
}

/// Which sources of a meeting were read, and which are known and were not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCoverage {
    /// The meeting.
    pub meeting_id: String,
    /// Sources that were read.
    pub processed: Vec<DecisionSourceRecord>,
    /// Sources that are known and were not read.
    pub missing: Vec<DecisionSourceRecord>,
    /// How much of the meeting its register lists.
    #[schemars(example = &"full_register")]
    pub register: RegisterCoverage,
    /// Whether the final report was read; until then notes are provisional.
    pub has_final_report: bool,
}
