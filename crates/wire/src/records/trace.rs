//! Where a clause comes from: change requests, contributions, decisions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{SectionHistoryEntry, TracedDecision};
use crate::values::{ClauseRelation, DocKind, RegisterStatus, UnitType};

/// The documents and decisions that name a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceReply {
    /// The specification.
    #[schemars(example = &"38.214")]
    pub doc_number: String,
    /// The clause.
    #[schemars(example = &"5.2.2.5")]
    pub section_number: String,
    /// Change requests to the clause. Those to exactly this clause come first; each group is sorted newest first.
    pub change_requests: Vec<TracedChange>,
    /// Decisions that name the clause, or that were recorded under one of the change requests; newest meeting first.
    pub decisions: Vec<TracedDecision>,
    /// Passages of documents that name the specification and the clause.
    pub contributions: Vec<TracedPassage>,
    /// How complete the lists are.
    pub coverage: TraceCoverage,
    /// The indexed versions in which the clause changed, newest first, with the change requests that the annex records and how
    /// certain each is (`section_history`).
    pub history: Vec<SectionHistoryEntry>,
}

/// A change request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedChange {
    /// The TDoc number.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: String,
    /// The title of the change request.
    pub title: String,
    /// The kind of document: `cr`, `draft cr` or `pCR`.
    pub doc_kind: DocKind,
    /// The outcome of the change request, according to the newest register.
    #[schemars(example = &"agreed")]
    pub status: RegisterStatus,
    /// The meeting of the change request.
    pub meeting_id: String,
    /// The number of the change request.
    pub cr_number: Option<String>,
    /// The category of the change request, A to F.
    pub category: Option<String>,
    /// The release.
    pub release: Option<String>,
    /// The clauses that it changes, according to the register or its cover.
    pub clauses: String,
    /// The clauses that its tracked changes touch, if its file was read and has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(example = &"5.3.5, 6.2.2")]
    pub touched_clauses: Option<String>,
    /// The relation of these clauses to the requested one.
    #[serde(rename = "match")]
    #[schemars(example = &"exact")]
    pub relation: ClauseRelation,
    /// The URL of its file on the 3GPP server.
    pub official_url: Option<String>,
}

/// A passage that names a clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TracedPassage {
    /// The TDoc number.
    pub tdoc_id: String,
    /// The title of the document.
    pub title: String,
    /// The kind of document.
    pub doc_kind: DocKind,
    /// The outcome of the document.
    pub status: RegisterStatus,
    /// The meeting of the document.
    pub meeting_id: String,
    /// The kind of passage.
    pub unit_type: UnitType,
    /// Labels of the proposal or observation.
    pub unit_labels: Vec<String>,
    /// The anchor of its first paragraph in the file.
    pub anchor: String,
    /// The anchor of its last paragraph; null if the file was read before this was stored.
    pub last_anchor: Option<String>,
    /// The text of the passage.
    pub text: String,
}

/// The scope of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TraceCoverage {
    /// Number of change requests to the specification in registers.
    pub change_requests: u64,
    /// Number of change requests in registers whose clauses are known.
    pub with_clauses: u64,
    /// Number of matching change requests, including those beyond `limit`.
    pub found_change_requests: u64,
    /// Meetings whose notes or reports were searched.
    pub meetings_with_decisions: Vec<String>,
    /// Number of matching decisions, including those beyond `limit`.
    pub found_decisions: u64,
    /// Number of documents whose text was searched.
    pub indexed_tdocs: u64,
    /// Number of documents in registers.
    pub registered_tdocs: u64,
    /// Number of known meeting documents, also those that no register lists; `indexed_tdocs` is among them.
    #[serde(default)]
    pub known_tdocs: u64,
}
