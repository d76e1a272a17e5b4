//! Meetings and what they decided.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{
    DecisionSourceKind, DecisionSourceReading, DecisionSourceStatus, DecisionType, KeyDocumentKind,
    MeetingCoverage, MeetingState, RegisterCoverage, RegisterStatus,
};

/// A meeting in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingRecord {
    /// The meeting ID.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// The common name of the meeting.
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// The code of its group.
    #[schemars(example = &"R1")]
    pub group: String,
    /// The first day of the meeting (YYYY-MM-DD), if known.
    pub start_date: Option<String>,
    /// The last day of the meeting (YYYY-MM-DD), if known.
    pub end_date: Option<String>,
    /// Whether the first day is estimated from the dates in the register.
    pub dates_estimated: bool,
    /// Where the dates are from: `calendar`, `report` (the first page of the meeting report) or `estimate`; null if the
    /// dates are unknown.
    #[serde(default)]
    pub dates_source: Option<String>,
    /// The location of the meeting, if a calendar or the first page of its report states it.
    pub place: Option<String>,
    /// State of the meeting.
    #[schemars(example = &"ended")]
    pub state: MeetingState,
    /// First and last of its document numbers, if known.
    pub tdoc_range: Option<TdocRange>,
    /// Number of documents in the registers of the meeting.
    pub tdoc_count: u64,
    /// Number of documents of the meeting that were read.
    pub indexed_tdocs: u64,
    /// Number of decisions in the notes and reports that were read. In lists, with those that they only quote from earlier
    /// meetings.
    pub decision_count: u64,
    /// How much of the meeting its register covers.
    #[schemars(example = &"full_register")]
    pub coverage: MeetingCoverage,
}

/// A range of document numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocRange {
    /// The first number.
    #[schemars(example = &"R1-2405780")]
    pub first: String,
    /// The last number.
    #[schemars(example = &"R1-2407579")]
    pub last: String,
}

/// Meetings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingListReply {
    /// The meetings, newest first.
    pub items: Vec<MeetingRecord>,
    /// The total number of results on all pages.
    #[schemars(extend("x-addition" = true))]
    pub total: u64,
    /// The `offset` of the next page; null on the last page.
    #[schemars(extend("x-addition" = true))]
    pub next_offset: Option<u32>,
}

/// A meeting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeetingDetail {
    /// The meeting, as in lists.
    #[serde(flatten)]
    pub meeting: MeetingRecord,
    /// The agenda items, in numerical order.
    pub agenda_items: Vec<AgendaItemRecord>,
    /// Chair notes, reports, summaries and ways forward of the meeting.
    pub key_documents: Vec<KeyDocument>,
    /// The sources of its decisions: those that were read, and known ones that were not.
    pub decision_sources: Vec<DecisionSourceRecord>,
    /// The decisions of the meeting.
    pub decisions: DecisionCounts,
}

/// An agenda item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgendaItemRecord {
    /// The number of the agenda item.
    #[schemars(example = &"9.1.1")]
    pub agenda_item: String,
    /// The title of the agenda item, if known.
    pub title: Option<String>,
    /// Number of documents under it, excluding those under its sub-items.
    pub tdoc_count: u64,
    /// Number of decisions under it, excluding noted documents and decisions under its sub-items.
    pub decision_count: u64,
}

/// A key document of a meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KeyDocument {
    /// The TDoc number.
    pub tdoc_id: String,
    /// The title of the document.
    pub title: String,
    /// The kind of document.
    #[schemars(example = &"summary")]
    pub doc_kind: KeyDocumentKind,
    /// The outcome of the document, according to the newest register.
    pub status: RegisterStatus,
    /// The agenda item of the document.
    pub agenda_item: Option<String>,
    /// The URL of its file on the 3GPP server.
    pub official_url: Option<String>,
}

/// A source of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionSourceRecord {
    /// The kind of source.
    #[schemars(example = &"meeting_report")]
    pub source_kind: DecisionSourceKind,
    /// The key of the source among those of its meeting that were read.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"meeting_report")]
    pub source_key: Option<String>,
    /// The title or file name of the source.
    pub title: String,
    /// The TDoc number, if the source is a document of the meeting.
    pub tdoc_id: Option<String>,
    /// The file of the source.
    pub file: Option<String>,
    /// The version as written, such as `eom2`.
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
    /// How its decisions were read; null if it was not, or before this was recorded.
    #[schemars(extend("x-addition" = true), example = &"verified")]
    #[serde(default)]
    pub reading: Option<DecisionSourceReading>,
    /// How many of its decisions come from rules of each origin; null if it was not read, or read before this was
    /// recorded.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub decision_origins: Option<DecisionOrigins>,
    /// Number of texts in it that look like decisions but were not counted, because it is not known that they are.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub doubtful_count: u64,
    /// What could not be read in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partial_reasons: Vec<String>,
}

/// How many decisions of a source come from rules of each origin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionOrigins {
    /// Read by forms that real notes or reports of the group have.
    pub real_file: u64,
    /// Read by forms that public descriptions of its notes name.
    pub public_description: u64,
    /// Read by forms that are only said to exist.
    pub own_knowledge: u64,
}

/// Decision counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DecisionCounts {
    /// By type, including noted documents.
    pub counts: BTreeMap<DecisionType, u64>,
    /// Total.
    pub total: u64,
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
