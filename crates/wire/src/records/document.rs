//! One version of one document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{DocumentType, IndexingStatus};

/// One version of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentInfo {
    /// The permanent ID of this version of this document.
    #[schemars(example = 12)]
    pub id: u64,
    /// The number, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The document type.
    #[schemars(example = &"TS")]
    pub doc_type: DocumentType,
    /// The version.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The series.
    #[schemars(example = &"38")]
    pub series: String,
    /// The title, if the document has one.
    pub title: Option<String>,
    /// The name of its archive, or of the file if it was not in an archive.
    #[schemars(example = &"38331-i10.zip")]
    pub filename: String,
    /// How many passages it has.
    pub total_text_chunks: Option<u64>,
    /// How many figures it has.
    pub total_image_chunks: Option<u64>,
    /// The indexing state.
    #[schemars(example = &"indexed")]
    pub status: IndexingStatus,
    /// When it was first indexed (ISO 8601, UTC).
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub created_at: Option<String>,
    /// Warnings from reading it, such as entries of its printed table of contents without a
    /// section. (Not in the interface specification.)
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
