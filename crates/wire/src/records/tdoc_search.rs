//! Results of a search of meeting documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{OrganizationResolution, TdocCoverage, TdocMeeting, TdocSource};
use crate::values::{DocKind, RegisterStatus, SearchPath, TdocMatch, UnitType};

/// The reply of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocSearchReply {
    /// The passages, best first; those that contain an identifier of the query come first.
    pub results: Vec<TdocPassage>,
    /// The scope of the search.
    pub coverage: TdocCoverage,
    /// How `filters.source` was interpreted; null if `filters.source` was not set.
    #[schemars(extend("x-addition" = true))]
    pub source_resolution: Option<OrganizationResolution>,
    /// Whether the passages were reranked.
    #[schemars(extend("x-addition" = true))]
    pub reranked: bool,
    /// Number of passages that the reranker read before its deadline.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub rerank_scored: usize,
    /// The search method that failed, if all results come from the other one.
    #[schemars(extend("x-addition" = true))]
    pub degraded: Vec<SearchPath>,
    /// Identifiers of the query that occur in no document.
    #[schemars(extend("x-addition" = true))]
    pub unknown_terms: Vec<String>,
    /// Elapsed time in milliseconds.
    #[schemars(extend("x-addition" = true))]
    pub elapsed_ms: f64,
}

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocPassage {
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
    pub status_label: String,
    /// The meeting of the document.
    pub meeting: TdocMeeting,
    /// The agenda item of the document.
    pub agenda_item: Option<String>,
    /// The sources of the document.
    pub sources: Vec<TdocSource>,
    /// The URL of its file on the 3GPP server.
    pub official_url: Option<String>,
    /// The kind of passage.
    #[schemars(example = &"proposal")]
    pub unit_type: UnitType,
    /// Labels of the proposal or observation.
    pub unit_labels: Vec<String>,
    /// The page it begins on, if known.
    pub page: Option<u32>,
    /// The anchor of its first paragraph in the file.
    #[schemars(example = &"R1-2405780.docx#p42")]
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored.
    #[schemars(extend("x-addition" = true))]
    pub last_anchor: Option<String>,
    /// The passage; null with `include_text: false`.
    pub text: Option<String>,
    /// Relevance to the query, 0 to 1.
    pub relevance_score: f64,
    /// How it was found.
    pub matched_by: Vec<TdocMatch>,
    /// Identifiers of the query that occur in it.
    pub identifier_hits: Vec<String>,
    /// Other documents with the same passage, newest first.
    pub also_in: Vec<TdocOccurrence>,
    /// The headings above it.
    #[schemars(extend("x-addition" = true))]
    pub section: Option<String>,
}

/// The same passage in another document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocOccurrence {
    /// The document's number.
    pub tdoc_id: String,
    /// The anchor of the passage in its file.
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored.
    #[schemars(extend("x-addition" = true))]
    pub last_anchor: Option<String>,
}
