//! Rows of registers that name a document without a row of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A row of a register that names another document as its revision, or as the one that it revises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TdocMention {
    /// The document of the row.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: String,
    /// The words of the row that name the other document.
    #[schemars(example = &"Revised to R1-2407901")]
    pub words: String,
}
