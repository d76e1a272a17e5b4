//! Words of change requests.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Whether the tracked changes of a document are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum TrackedChangesStatus {
    /// They were read.
    Read,
    /// Its file has none, or its format does not support them.
    None,
    /// Its file was not read: use fetch_tdoc.
    NotRetrieved,
}

/// Whether a version has the text that a change request changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum BaselineFit {
    /// The version has all of it.
    Fits,
    /// The version contains the result of the change request.
    CarriedOut,
    /// Some of the text has changed since.
    MovedOn,
    /// The version has no such clause.
    NoClause,
}
