//! Rows of terms: what documents define.

use serde::{Deserialize, Serialize};

use domain::TermKind;

/// One entry of a definitions clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermRow {
    /// Ordinal of its section in the document.
    pub section: u32,
    /// What it defines.
    pub kind: TermKind,
    /// The defined form as written.
    pub term: String,
    /// What it means or stands for.
    pub meaning: String,
}
