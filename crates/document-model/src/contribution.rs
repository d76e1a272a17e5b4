//! The units and passages of a meeting document.

use serde::{Deserialize, Serialize};

use domain::UnitType;

/// A numbered proposal or observation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocUnitRow {
    /// Proposal or observation.
    pub kind: UnitType,
    /// Its label.
    pub label: String,
    /// Its text, word by word.
    pub quote: String,
    /// The anchor where it begins.
    pub anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
    /// The anchors where it is repeated.
    pub repeated_at: Vec<String>,
}

/// A passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocPassageRow {
    /// Its context header: title of the document and of the sections above it.
    pub header: String,
    /// Its text.
    pub text: String,
    /// Labels of the units in it.
    pub labels: Vec<String>,
    /// The anchor where it begins.
    pub anchor: String,
    /// The page it begins on.
    pub page: Option<u32>,
}

impl TdocPassageRow {
    /// The text that is embedded, and hashed to identify its content.
    pub fn text_with_header(&self) -> String {
        format!("{}\n{}", self.header, self.text)
    }
}
