//! Rows of captions: which tables and figures a document has.

use domain::ReferenceKind;
use serde::{Deserialize, Serialize};

/// A table or figure of a document, by the number in its caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaptionRow {
    /// Table or figure.
    pub kind: ReferenceKind,
    /// Its number: `5.1-1`.
    pub number: String,
    /// Ordinal of the section that contains it.
    pub section: u32,
}
