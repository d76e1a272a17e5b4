//! Meeting documents (TDocs).

use domain::ChangeCover;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OrganizationResolution;
use crate::values::{
    DocKind, NumberedUnitType, RegisterStatus, RevisionRelation, SourceRole, TdocContentStatus,
};

/// A meeting document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocRecord {
    /// The TDoc number.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: String,
    /// The title of the document.
    pub title: String,
    /// The kind of document.
    #[schemars(example = &"contribution")]
    pub doc_kind: DocKind,
    /// The outcome of the document, according to the newest register.
    #[schemars(example = &"noted")]
    pub status: RegisterStatus,
    /// Kind, status and meeting as a sentence.
    #[schemars(example = &"Contribution: noted at RAN1#118 (presented, nothing was decided).")]
    pub status_label: String,
    /// The meeting of the document.
    pub meeting: TdocMeeting,
    /// The agenda item of the document.
    #[schemars(example = &"8.1")]
    pub agenda_item: Option<String>,
    /// The sources of the document, in the order of the register.
    pub sources: Vec<TdocSource>,
    /// The URL of its file on the 3GPP server, even if there is no file yet. If the folder of its meeting is
    /// unknown, this is the URL of the portal page that links to the file.
    pub official_url: Option<String>,
    /// Whether its file was read.
    pub content: TdocContent,
    /// The numbered proposals and observations, with `include=units`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<Vec<TdocUnit>>,
    /// The text, with `include=text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<TdocText>,
    /// The documents that it replaces and that replace it, and those that were merged, with `include=revisions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revisions: Option<Vec<TdocRevision>>,
    /// How its file was fetched; only from `fetch_tdoc`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetch: Option<FetchTimes>,
    /// The data on its cover, if it is a change request, with `include=units` or `text`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cover: Option<ChangeCover>,
    /// The status as written in the register.
    #[schemars(extend("x-addition" = true))]
    pub register_status: Option<String>,
    /// What rows of the register state of the outcome, if rows of this document contradict each other (its status is then
    /// `unknown`), or if the row of the document that it revises states its outcome; left out otherwise. An outcome in a
    /// row of its own counts before one in the row of another document.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outcome_statements: Vec<String>,
    /// The type as written in the register.
    #[schemars(extend("x-addition" = true))]
    pub register_type: Option<String>,
    /// The purpose, such as decision, discussion or information.
    #[schemars(extend("x-addition" = true))]
    pub purpose: Option<String>,
    /// The abstract in the register.
    #[schemars(extend("x-addition" = true))]
    #[serde(rename = "abstract")]
    pub summary: Option<String>,
    /// The title of its agenda item.
    #[schemars(extend("x-addition" = true))]
    pub agenda_title: Option<String>,
    /// The release it applies to.
    #[schemars(extend("x-addition" = true))]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// The specification it is about.
    #[schemars(extend("x-addition" = true))]
    #[schemars(example = &"38.214")]
    pub spec: Option<String>,
    /// The version of that specification.
    #[schemars(extend("x-addition" = true))]
    pub spec_version: Option<String>,
    /// Codes of work items.
    #[schemars(extend("x-addition" = true))]
    pub work_items: Vec<String>,
    /// The change request, if it is one.
    #[schemars(extend("x-addition" = true))]
    pub change_request: Option<ChangeRequest>,
    /// The document it replaces.
    #[schemars(extend("x-addition" = true))]
    pub revision_of: Option<String>,
    /// The document that replaces it.
    #[schemars(extend("x-addition" = true))]
    pub revised_to: Option<String>,
    /// The documents into which it was merged, according to the remarks of the register; left out if none.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub merged_into: Vec<String>,
    /// The liaison statement it answers.
    #[schemars(extend("x-addition" = true))]
    pub reply_to: Option<String>,
    /// The document that answers it.
    #[schemars(extend("x-addition" = true))]
    pub reply_in: Option<String>,
    /// When it was uploaded; registers do not state a time zone.
    #[schemars(extend("x-addition" = true))]
    pub uploaded_at: Option<String>,
}

/// The meeting of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocMeeting {
    /// The meeting ID.
    #[schemars(example = &"R1-118")]
    pub meeting_id: String,
    /// The first day of the meeting (YYYY-MM-DD), if known.
    #[schemars(example = &"2024-08-19")]
    pub start_date: Option<String>,
    /// The last day of the meeting (YYYY-MM-DD), if known.
    #[schemars(example = &"2024-08-23")]
    pub end_date: Option<String>,
    /// Whether the first day is estimated from the dates in the register.
    #[schemars(extend("x-addition" = true))]
    pub dates_estimated: bool,
    /// The common name of the meeting.
    #[schemars(extend("x-addition" = true))]
    #[schemars(example = &"RAN1#118")]
    pub name: String,
    /// The location of the meeting, if a calendar or the first page of its report states it.
    #[schemars(extend("x-addition" = true))]
    pub place: Option<String>,
    /// Where the dates are from: `calendar`, `report` (the first page of the meeting report) or `estimate`; null if the
    /// dates are unknown.
    #[schemars(extend("x-addition" = true))]
    #[schemars(example = &"calendar")]
    #[serde(default)]
    pub dates_source: Option<String>,
}

/// An organization that is a source of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocSource {
    /// The ID of the organization.
    #[schemars(example = &"ericsson")]
    pub org_id: String,
    /// The name of the organization.
    #[schemars(example = &"Ericsson")]
    pub display_name: String,
    /// The role of the organization in the document.
    #[schemars(example = &"submitter")]
    pub role: SourceRole,
}

/// How much of the file of a document was read, and why not all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocContent {
    /// How much of it was read.
    #[schemars(example = &"not_retrieved")]
    pub status: TdocContentStatus,
    /// The reader that was used.
    pub extractor: Option<String>,
    /// Number of numbered proposals and observations.
    pub unit_count: u32,
    /// Why it is partial or unavailable.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partial_reasons: Vec<String>,
    /// Whether it is waiting to be fetched, or to be converted by LibreOffice.
    #[schemars(extend("x-addition" = true))]
    pub queued: bool,
    /// When it was read.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_at: Option<String>,
}

/// How the file of a document was fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FetchTimes {
    /// Whether the file had already been read.
    pub was_there: bool,
    /// Milliseconds to fetch the file.
    pub download_ms: u64,
    /// Milliseconds to read it.
    pub parse_ms: u64,
    /// Milliseconds to split, embed and store it.
    pub index_ms: u64,
    /// Total milliseconds.
    pub total_ms: u64,
}

/// A numbered proposal or observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocUnit {
    /// The ID of the proposal or observation.
    pub unit_id: String,
    /// Whether it is a proposal or an observation.
    pub unit_type: NumberedUnitType,
    /// The label, such as `Proposal 1`.
    pub label: String,
    /// The text, word for word.
    pub quote: String,
    /// The page, if known.
    pub page: Option<u32>,
    /// The anchor in the file.
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored.
    #[schemars(extend("x-addition" = true))]
    pub last_anchor: Option<String>,
    /// Where it is repeated, in a conclusion or a list.
    #[schemars(extend("x-addition" = true))]
    pub repeated_at: Vec<String>,
}

/// Text of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocText {
    /// Blocks of text in their order.
    pub blocks: Vec<TdocBlock>,
    /// The offset of the block after the last one; null at the end.
    pub next_offset: Option<u32>,
    /// Total number of blocks.
    #[schemars(extend("x-addition" = true))]
    pub total_blocks: u32,
}

/// A block of text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocBlock {
    /// The anchor of the block in the file.
    pub anchor: String,
    /// The text of the block.
    pub text: String,
    /// The page, if known.
    #[schemars(extend("x-addition" = true))]
    pub page: Option<u32>,
    /// The level, if the block is a heading.
    #[schemars(extend("x-addition" = true))]
    pub heading_level: Option<u8>,
    /// Whether a tracked change touched it; the text has all changes accepted.
    #[schemars(extend("x-addition" = true))]
    pub changed: bool,
    /// Whether it was shortened because it exceeds the requested length.
    #[schemars(extend("x-addition" = true))]
    pub is_cut: bool,
}

/// A document in a chain of revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocRevision {
    /// The TDoc number.
    pub tdoc_id: String,
    /// The relation to the requested document.
    #[schemars(example = &"later")]
    pub relation: RevisionRelation,
    /// The title, if a register lists the document.
    pub title: Option<String>,
    /// The outcome, if a register lists the document.
    pub status: Option<RegisterStatus>,
    /// The meeting, if a register lists the document.
    pub meeting_id: Option<String>,
    /// The URL of its file on the 3GPP server.
    pub official_url: Option<String>,
}

/// The register entry of a change request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRequest {
    /// The number of the change request.
    #[schemars(example = &"0612")]
    pub number: Option<String>,
    /// The revision of the change request.
    pub revision: Option<String>,
    /// The category of the change request, A to F.
    #[schemars(example = &"F")]
    pub category: Option<String>,
    /// The clauses it changes.
    #[schemars(example = &"5.2.1, 5.2.2")]
    pub clauses: Option<String>,
    /// The CR pack in which it was sent to the TSG.
    pub pack: Option<String>,
    /// The decision of the TSG, if its register was imported.
    pub tsg_decision: Option<String>,
}

/// A page of a list of documents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocListReply {
    /// The documents, newest first.
    pub items: Vec<TdocRecord>,
    /// How complete the list is.
    pub coverage: TdocCoverage,
    /// How `source` was interpreted; null if `source` was not set.
    pub source_resolution: Option<OrganizationResolution>,
    /// The `cursor` of the next page; null on the last page.
    pub next_cursor: Option<String>,
    /// The total number of documents on all pages.
    #[schemars(extend("x-addition" = true))]
    pub total: u64,
}

/// The scope of an answer: what was searched, regardless of what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocCoverage {
    /// The groups whose meetings were searched.
    pub groups: Vec<String>,
    /// The meetings that were searched.
    pub meetings: Vec<String>,
    /// Number of their documents that were read.
    pub indexed_tdocs: u64,
    /// Number of documents in their registers.
    pub registered_tdocs: u64,
    /// Number of known documents of these meetings: those in their registers, and those of which only the file is known.
    /// `indexed_tdocs` and the documents of an answer are among them.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub known_tdocs: u64,
    /// Meetings that were left out because their date is unknown.
    #[schemars(extend("x-addition" = true))]
    pub undated_meetings: Vec<String>,
}

impl TdocRecord {
    /// One to show: a withdrawn contribution.
    pub fn sample() -> Self {
        Self {
            tdoc_id: "R1-2405790".to_owned(),
            title: "Discussion on beam management".to_owned(),
            doc_kind: DocKind::Contribution,
            status: RegisterStatus::Withdrawn,
            status_label: "Contribution: withdrawn from RAN1#118.".to_owned(),
            meeting: TdocMeeting {
                meeting_id: "R1-118".to_owned(),
                start_date: Some("2024-08-19".to_owned()),
                end_date: Some("2024-08-23".to_owned()),
                dates_estimated: false,
                name: "RAN1#118".to_owned(),
                place: None,
                dates_source: Some("calendar".to_owned()),
            },
            agenda_item: Some("8.1".to_owned()),
            sources: vec![TdocSource {
                org_id: "example-radio".to_owned(),
                display_name: "Example Radio".to_owned(),
                role: SourceRole::Submitter,
            }],
            official_url: None,
            content: TdocContent::not_retrieved(),
            units: None,
            text: None,
            revisions: None,
            fetch: None,
            cover: None,
            register_status: Some("withdrawn".to_owned()),
            outcome_statements: Vec::new(),
            register_type: Some("discussion".to_owned()),
            purpose: Some("Decision".to_owned()),
            summary: None,
            agenda_title: Some("Beam management".to_owned()),
            release: Some("Rel-19".to_owned()),
            spec: None,
            spec_version: None,
            work_items: vec!["NR_MIMO_Ph5-Core".to_owned()],
            change_request: None,
            revision_of: None,
            revised_to: None,
            merged_into: Vec::new(),
            reply_to: None,
            reply_in: None,
            uploaded_at: None,
        }
    }
}

impl TdocContent {
    /// Of a document whose file was not read.
    pub fn not_retrieved() -> Self {
        Self {
            status: TdocContentStatus::NotRetrieved,
            extractor: None,
            unit_count: 0,
            partial_reasons: Vec::new(),
            queued: false,
            read_at: None,
        }
    }
}
