//! Words of meeting documents (TDocs).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Outcome of a meeting document, according to the newest register (TR 21.900, clause 9). The values are in alphabetical order,
/// as in the counts by status.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transform = list_words)]
pub enum RegisterStatus {
    /// Agreed, pending a higher body.
    #[serde(rename = "agreed")]
    Agreed,
    /// Approved; this group's decision is final.
    #[serde(rename = "approved")]
    Approved,
    /// Available; not decided yet.
    #[serde(rename = "available")]
    Available,
    /// Agreed conditionally.
    #[serde(rename = "conditionally agreed")]
    ConditionallyAgreed,
    /// Approved conditionally.
    #[serde(rename = "conditionally approved")]
    ConditionallyApproved,
    /// Endorsed.
    #[serde(rename = "endorsed")]
    Endorsed,
    /// Merged with another document.
    #[serde(rename = "merged")]
    Merged,
    /// The meeting reached no conclusion.
    #[serde(rename = "not concluded")]
    NotConcluded,
    /// Rejected.
    #[serde(rename = "not pursued")]
    NotPursued,
    /// The meeting did not handle it.
    #[serde(rename = "not treated")]
    NotTreated,
    /// Presented, with no decision.
    #[serde(rename = "noted")]
    Noted,
    /// A part of it was approved.
    #[serde(rename = "partially approved")]
    PartiallyApproved,
    /// Postponed to a later meeting.
    #[serde(rename = "postponed")]
    Postponed,
    /// Issued again under the same number.
    #[serde(rename = "reissued")]
    Reissued,
    /// A liaison statement that was answered.
    #[serde(rename = "replied to")]
    RepliedTo,
    /// Its number is assigned; the document is not available yet.
    #[serde(rename = "reserved")]
    Reserved,
    /// Another document replaces it.
    #[serde(rename = "revised")]
    Revised,
    /// The meeting handled it.
    #[serde(rename = "treated")]
    Treated,
    /// The register has no known status for it.
    #[serde(rename = "unknown")]
    Unknown,
    /// Withdrawn.
    #[serde(rename = "withdrawn")]
    Withdrawn,
}

/// How much of the file of a document was read.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum TdocContentStatus {
    /// All text was read.
    Complete,
    /// Some text was not read, or not completely.
    Partial,
    /// Nothing was read: the file was not fetched.
    NotRetrieved,
    /// Nothing can be read: the file is damaged, waits for LibreOffice, or is not on the mirror.
    Unavailable,
}

/// Kind of a numbered unit of a document.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum NumberedUnitType {
    /// A numbered proposal.
    Proposal,
    /// A numbered observation.
    Observation,
}

/// Relation of a document in a chain of revisions to the requested one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum RevisionRelation {
    /// It is earlier, according to the register.
    Earlier,
    /// It is later, according to the register.
    Later,
    /// It is a revision in the meeting inbox; these are known only after the document was fetched.
    Inbox,
}
