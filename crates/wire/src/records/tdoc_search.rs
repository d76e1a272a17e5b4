//! Results of a search of meeting documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{OrganizationResolution, TdocCoverage, TdocMeeting, TdocSource};
use crate::values::{DocKind, RegisterStatus, SearchPath, TdocMatch, UnitType};

/// The answer of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocSearchReply {
    /// Passages, the best first; those that hold an identifier of the query before the others.
    pub results: Vec<TdocPassage>,
    /// How far the search reached.
    pub coverage: TdocCoverage,
    /// How `filters.source` was understood; none where none was given. (An addition to the contract, as all that
    /// follows.)
    pub source_resolution: Option<OrganizationResolution>,
    /// Whether the passages were reranked.
    pub reranked: bool,
    /// The way that could not be searched, where the other alone answers.
    pub degraded: Vec<SearchPath>,
    /// Identifiers of the query that are in no document.
    pub unknown_terms: Vec<String>,
    /// Milliseconds that the search took.
    pub elapsed_ms: f64,
}

/// A passage of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TdocPassage {
    /// The document's number.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: String,
    /// Its title.
    pub title: String,
    /// Its kind.
    #[schemars(example = &"contribution")]
    pub doc_kind: DocKind,
    /// What became of it, by the newest register.
    #[schemars(example = &"noted")]
    pub status: RegisterStatus,
    /// Kind, status and meeting as a sentence.
    pub status_label: String,
    /// Its meeting.
    pub meeting: TdocMeeting,
    /// Its item of the agenda.
    pub agenda_item: Option<String>,
    /// Who it is from.
    pub sources: Vec<TdocSource>,
    /// Where its file is on the standards body's server.
    pub official_url: Option<String>,
    /// What the passage is.
    #[schemars(example = &"proposal")]
    pub unit_type: UnitType,
    /// Labels of the proposal or observation.
    pub unit_labels: Vec<String>,
    /// The page it begins on, when that is known.
    pub page: Option<u32>,
    /// Where it begins in the file.
    #[schemars(example = &"R1-2405780.docx#p42")]
    pub anchor: String,
    /// Where its last paragraph stands; none where the file was read before this was kept. (An addition to the
    /// contract.)
    pub last_anchor: Option<String>,
    /// The passage; none with `include_text: false`.
    pub text: Option<String>,
    /// How well it fits, 0 to 1.
    pub relevance_score: f64,
    /// How it was found.
    pub matched_by: Vec<TdocMatch>,
    /// Identifiers of the query that stand in it.
    pub identifier_hits: Vec<String>,
    /// Other documents with the same passage, the newest first.
    pub also_in: Vec<TdocOccurrence>,
    /// The headings above it. (An addition to the contract.)
    pub section: Option<String>,
}

/// The same passage in another document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocOccurrence {
    /// The document's number.
    pub tdoc_id: String,
    /// Where the passage begins in its file.
    pub anchor: String,
    /// Where its last paragraph stands; none where the file was read before this was kept. (An addition to the
    /// contract.)
    pub last_anchor: Option<String>,
}
