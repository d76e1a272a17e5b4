//! Words of meeting documents (TDocs).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

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
    /// The requested document was merged into it, according to the register.
    MergedInto,
    /// It was merged into the requested document, according to the register.
    Merges,
    /// It is a revision in the meeting inbox; these are known only after the document was fetched.
    Inbox,
}
