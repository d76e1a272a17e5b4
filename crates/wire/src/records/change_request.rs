//! A change request with what it changes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{IncomingReference, RecordedChange, SectionDifference, TdocRecord, TracedDecision};
use crate::values::{BaselineFit, TrackedChangesStatus};

/// A change request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeRequestDetails {
    /// The document, with the data from its cover.
    pub document: TdocRecord,
    /// State of its tracked changes: read, none, or not retrieved.
    pub tracked_changes: TrackedChangesStatus,
    /// The version that it was written against; null if its specification is not indexed.
    pub baseline: Option<ChangeBaseline>,
    /// Number of clauses that it changes.
    pub total: u64,
    /// The clauses, in the order in which they appear in it.
    pub sections: Vec<RevisedClause>,
    /// Change requests for the same change in other releases.
    pub mirrors: Vec<MirrorChangeRequest>,
    /// The rows of the specification's annex "Change history" that record it, in the newest indexed version.
    pub recorded: Vec<RecordedChange>,
    /// Decisions on it in the notes and reports of its meeting.
    pub decisions: Vec<TracedDecision>,
}

/// The version that a change request was written against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeBaseline {
    /// The number of the specification, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version that the cover names.
    #[schemars(example = &"18.1.0")]
    pub stated_version: Option<String>,
    /// The indexed version that the clauses are compared with: the stated version, otherwise the newest version of its release,
    /// otherwise the newest version.
    #[schemars(example = &"18.1.0")]
    pub compared_version: String,
    /// Whether all clauses still have the text to be changed; null if there are no tracked changes, or if this is unknown for a
    /// clause.
    pub fits: Option<bool>,
    /// The clauses whose text has changed since that version.
    pub moved_on: Vec<String>,
}

/// A clause that a change request changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RevisedClause {
    /// What it changes.
    #[serde(flatten)]
    pub difference: SectionDifference,
    /// Whether the compared version has the text to be changed; null if the specification is not indexed, or if the text does not
    /// name the clause.
    pub fit: Option<BaselineFit>,
    /// Number of clauses that cite it.
    pub cited_by_total: u64,
    /// Up to ten citations of the clause.
    pub cited_by: Vec<IncomingReference>,
}

/// A change request for the same change in another release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MirrorChangeRequest {
    /// The TDoc number.
    #[schemars(example = &"R2-2405781")]
    pub tdoc_id: String,
    /// The title of the change request.
    pub title: String,
    /// The release to which it applies.
    #[schemars(example = &"Rel-17")]
    pub release: Option<String>,
    /// The number of the change request.
    #[schemars(example = &"4712")]
    pub cr_number: Option<String>,
    /// The category: `A` for a mirror change request; another letter for the original.
    #[schemars(example = &"A")]
    pub category: Option<String>,
}
