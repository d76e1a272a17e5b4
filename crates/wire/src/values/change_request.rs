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
    /// Its file has none, or is of a format that has none.
    None,
    /// Its file was not read: fetch_tdoc gets it.
    NotRetrieved,
}

/// Whether a version has the text that a change request is to change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum BaselineFit {
    /// It has all of it.
    Fits,
    /// It has what the change request makes of it.
    CarriedOut,
    /// Some of it is another text by now.
    MovedOn,
    /// It has no such clause.
    NoClause,
}
