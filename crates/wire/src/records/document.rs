//! One version of one document.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use domain::ReadingCheck;

use crate::values::{DocumentType, DocumentTypeOrigin, IndexingStatus};

/// One version of one document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentInfo {
    /// The permanent ID of this document version.
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
    /// The name of its archive, or of its file if there was no archive.
    #[schemars(example = &"38331-i10.zip")]
    pub filename: String,
    /// Number of passages.
    pub total_text_chunks: Option<u64>,
    /// Number of figures.
    pub total_image_chunks: Option<u64>,
    /// The indexing state.
    #[schemars(example = &"indexed")]
    pub status: IndexingStatus,
    /// When it was first indexed (ISO 8601, UTC).
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub created_at: Option<String>,
    /// Warnings from reading the document, such as entries in its printed table of contents that have no section.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The checks of the reading that found something, made by code that is independent of the reader: what the text lacks of its file,
    /// and what leads to nothing. Empty if they found nothing; absent if there were none.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Vec<ReadingCheck>>,
    /// Whether the words, headings and table of contents of the file were compared with the text. Legacy .doc files that were not
    /// converted, and versions that an earlier specbox indexed, were not.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    pub checked_against_file: bool,
    /// What the source says of a version that is not indexed; only in lists with `indexed=false`.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub listing: Option<SourceListing>,
}

/// What the source of specifications says of a version that is not indexed. A field is null where the source does not say it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceListing {
    /// When the source was read (ISO 8601, UTC).
    #[schemars(example = &"2026-01-31T12:00:00Z")]
    pub listed_at: String,
    /// The date that the source shows for the file.
    #[schemars(example = &"2023-09-29")]
    pub file_date: Option<String>,
    /// The names of its files.
    pub files: Vec<String>,
    /// From what `doc_type` is known.
    pub doc_type_origin: DocumentTypeOrigin,
    /// The responsible group.
    #[schemars(example = &"R2")]
    pub group: Option<String>,
    /// The rapporteur.
    pub rapporteur: Option<String>,
    /// The status of the specification.
    #[schemars(example = &"Under change control")]
    pub specification_status: Option<String>,
    /// The release for which the specification was planned first.
    #[schemars(example = &"Rel-15")]
    pub planned_release: Option<String>,
    /// Codes of the work items that imported registers name with this specification; `list_tdocs` with `work_item` and `spec`
    /// gives their documents. Empty if no register names any.
    pub work_items: Vec<String>,
}

/// Versions of documents; a list that may be shared with a cache.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(transparent)]
pub struct DocumentList(Arc<Vec<DocumentInfo>>);

impl DocumentList {
    /// A list, by number and then newest version first.
    pub fn new(documents: Arc<Vec<DocumentInfo>>) -> Self {
        Self(documents)
    }

    /// The documents, by number and then newest version first.
    pub fn documents(&self) -> &[DocumentInfo] {
        &self.0
    }
}

impl Serialize for DocumentList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}
