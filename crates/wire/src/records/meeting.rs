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
    /// Its ID.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// Its common name.
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// The code of its group.
    #[schemars(example = &"R1")]
    pub group: String,
    /// Its first day (YYYY-MM-DD), if known.
    pub start_date: Option<String>,
    /// Its last day (YYYY-MM-DD), if known.
    pub end_date: Option<String>,
    /// Whether the first day is estimated from the dates in the register.
    pub dates_estimated: bool,
    /// Its place, if a calendar gives it.
    pub place: Option<String>,
    /// Its state in time.
    #[schemars(example = &"ended")]
    pub state: MeetingState,
    /// First and last of its document numbers, if known.
    pub tdoc_range: Option<TdocRange>,
    /// How many documents its registers list.
    pub tdoc_count: u64,
    /// How many of its documents were read.
    pub indexed_tdocs: u64,
    /// Number of decisions in the notes and reports that were read.
    pub decision_count: u64,
    /// How much of it its register covers.
    #[schemars(example = &"full_register")]
    pub coverage: MeetingCoverage,
}

/// A range of document numbers.
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
    /// The total number on all pages.
    pub total: u64,
    /// The `offset` of the next page; null on the last page.
    pub next_offset: Option<u32>,
}

/// A meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingDetail {
    /// The meeting, as in lists.
    #[serde(flatten)]
    pub meeting: MeetingRecord,
    /// Its agenda items, in numerical order.
    pub agenda_items: Vec<AgendaItemRecord>,
    /// Chair notes, reports, summaries and ways forward among its documents.
    pub key_documents: Vec<KeyDocument>,
    /// The sources of its decisions: those that were read, and known ones that were not.
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
    /// Its title, if known.
    pub title: Option<String>,
    /// Number of documents under it, without those of its sub-items.
    pub tdoc_count: u64,
    /// Number of decisions under it, without noted documents and without those of its sub-items.
    pub decision_count: u64,
}

/// A key document of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyDocument {
    /// Its number.
    pub tdoc_id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    #[schemars(example = &"summary")]
    pub doc_kind: KeyDocumentKind,
    /// Its outcome, by the newest register.
    pub status: RegisterStatus,
    /// Its agenda item.
    pub agenda_item: Option<String>,
    /// The address of its file on the standards body's server.
    pub official_url: Option<String>,
}

/// A source of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSourceRecord {
    /// Its kind.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// Its key among the sources of its meeting that were read. (Not in the interface
    /// specification.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// Its title or file name.
    pub title: String,
    /// Its TDoc number, if it is a document of the meeting.
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
    /// Number of decisions found in it.
    pub decision_count: u64,
    /// What could not be read in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partial_reasons: Vec<String>,
}

/// Numbers of decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCounts {
    /// By type, including noted documents.
    pub counts: BTreeMap<DecisionType, u64>,
    /// Total.
    pub total: u64,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionRecord {
    /// Its ID; valid as long as its source exists.
    #[schemars(example = &"R1-118-4f1d8a02c3")]
    pub decision_id: String,
    /// Its type.
    #[schemars(example = &"agreement")]
    pub decision_type: DecisionType,
    /// Outcome of a document.
    pub outcome: Option<DocumentOutcome>,
    /// Its text, word for word. Text that the meeting struck out is between `~~`.
    pub quote: String,
    /// Whether the quote is shortened.
    pub is_cut: bool,
    /// Whether the text may continue after the quote in the source: check the source before you rely on the end.
    #[serde(default)]
    pub end_uncertain: bool,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The agenda item.
    pub agenda_item: Option<String>,
    /// The heading above it.
    pub heading: Option<String>,
    /// Its source.
    pub source: DecisionSource,
    /// Other sources that contain it.
    pub also_in: Vec<DecisionSource>,
    /// The document it was recorded under, with its register entry.
    pub recorded_under: Option<DecisionTdoc>,
    /// Documents that it names, with their register entries.
    pub references: Vec<DecisionTdoc>,
    /// Proposals that it adopts, best first, for documents that were read.
    pub adopts: Vec<AdoptedProposal>,
    /// The session, if the notes name it: `Thursday`, `parallel`; `e-mail, March 1` for a decision by email.
    pub session: Option<String>,
    /// The day of that session, if the calendar of the meeting gives it.
    #[schemars(example = &"2026-03-01")]
    pub date: Option<String>,
    /// The decision that it is a part of.
    pub part_of: Option<String>,
    /// Whether the final report confirms it.
    #[schemars(example = &"final")]
    pub standing: ReportStanding,
    /// Whether notes and register agree on the document; null if only one of them has an outcome.
    pub register_agrees: Option<bool>,
    /// Match with `q`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevance_score: Option<f64>,
}

/// An occurrence of a decision in a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSource {
    /// What it is.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// Its key among the sources of its meeting that were read. (Not in the interface
    /// specification.)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// Its title or file name.
    pub title: String,
    /// Its TDoc number, if it is a document of the meeting.
    pub tdoc_id: Option<String>,
    /// The anchor of its first paragraph. In a workbook of a register it is the row, `<file>#<Sheet>!r<N>`; on a page, the
    /// number of the table replaces the sheet: `<file>#table2!r41`.
    pub anchor: Option<String>,
    /// The anchor of its last paragraph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_anchor: Option<String>,
    /// The page it begins on, if the file has page numbers.
    pub page: Option<u32>,
}

/// A document that a decision is about or names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionTdoc {
    /// Its number.
    pub tdoc_id: String,
    /// Its title, if a register lists it.
    pub title: Option<String>,
    /// Its kind.
    pub doc_kind: Option<DocKind>,
    /// Its outcome, by the newest register.
    pub status: Option<RegisterStatus>,
    /// The address of its file on the standards body's server.
    pub official_url: Option<String>,
    /// Its changes, if it is a change request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<ClauseChange>,
}

/// The changes of a change request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClauseChange {
    /// The specification.
    #[schemars(example = &"38.214")]
    pub doc_number: String,
    /// The number of the change request.
    pub cr_number: Option<String>,
    /// The clauses, as in its register.
    pub clauses: Option<String>,
}

/// A proposal that a decision adopts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AdoptedProposal {
    /// The document it is in.
    pub tdoc_id: String,
    /// Its ID.
    pub unit_id: String,
    /// Its label.
    pub label: String,
    /// Its anchor.
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored. (Not in
    /// the interface specification.)
    pub last_anchor: Option<String>,
    /// How the match was found.
    pub matched_by: AdoptionMatch,
    /// How certain it is, 0 to 1: the share of its words that occur in the decision.
    pub score: f64,
}

/// Decisions of a meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionListReply {
    /// The decisions: in the order of their sources and of the text, or best first with `q`.
    pub items: Vec<DecisionRecord>,
    /// How complete the list is.
    pub coverage: DecisionCoverage,
    /// The total number on all pages.
    pub total: u64,
    /// The `offset` of the next page; null on the last page.
    pub next_offset: Option<u32>,
    /// Text in the sources that looks like a decision but probably is not: a proposal, or an agreement of another group. Only
    /// on the first page, and only the first 50 that match the filters.
    #[serde(default)]
    pub doubtful: Vec<DoubtfulDecisionRecord>,
}

/// Text that looks like a decision but probably is not one of this meeting. Never cite it as a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoubtfulDecisionRecord {
    /// The type that it would have.
    pub decision_type: DecisionType,
    /// The reason for the doubt.
    pub reason: DecisionDoubt,
    /// Its text, word for word.
    pub quote: String,
    /// The words that mark it, such as `Agreement:`.
    pub marker: Option<String>,
    /// The agenda item.
    pub agenda_item: Option<String>,
    /// The document that it is listed under.
    pub recorded_under: Option<String>,
    /// Its source.
    pub source: DecisionSource,
}

/// The sources of a meeting that were read, and known ones that were not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCoverage {
    /// The meeting.
    pub meeting_id: String,
    /// Sources that were read.
    pub processed: Vec<DecisionSourceRecord>,
    /// Known sources that were not read.
    pub missing: Vec<DecisionSourceRecord>,
    /// How much of the meeting its register covers.
    #[schemars(example = &"full_register")]
    pub register: RegisterCoverage,
    /// Whether the final report was read; until then, decisions from notes are provisional.
    pub has_final_report: bool,
}
