//! One version of one document.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::{DocumentType, IndexingStatus};

/// One version of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentInfo {
    /// The id of this version of this document, for ever.
    #[schemars(example = 12)]
    pub id: u64,
    /// The number, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// What it is.
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
    /// The title, when the document tells it.
    pub title: Option<String>,
    /// The name of the archive it came in, or its own when it came bare.
    #[schemars(example = &"38331-i10.zip")]
    pub filename: String,
    /// How many passages it has.
    pub total_text_chunks: Option<u64>,
    /// How many figures it has.
    pub total_image_chunks: Option<u64>,
    /// How far it is indexed.
    #[schemars(example = &"indexed")]
    pub status: IndexingStatus,
    /// When it was indexed first (ISO 8601, UTC).
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub created_at: Option<String>,
    /// Addition: what was noticed when it was read, such as entries of its printed contents that are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}
