//! Rows of specifications and reports: documents, sections, passages, sources, models.

use serde::{Deserialize, Serialize};

use super::keys::{pack_key, unpack_key};
use crate::StoreError;
use document_model::{SectionHeading, TextRange, slice_passage};
use domain::{DocNumber, DocType, PassageContentType, Release, Version};

/// Revision of the extraction of documents. Increased when the readers find more in the same file: otherwise archives
/// that are indexed already would be skipped, and never show it.
pub const EXTRACTOR_REVISION: u32 = 18;

/// One document version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentRow {
    /// Document number with its part.
    pub number: DocNumber,
    /// Specification or report.
    pub doc_type: DocType,
    /// Version.
    pub version: Version,
    /// Release.
    pub release: Release,
    /// Title, if the cover has one.
    pub title: Option<String>,
    /// Name of the archive, or of the document if it was not in one.
    pub filename: String,
    /// When it was committed, RFC 3339 in UTC.
    pub created_at: String,
    /// Month printed on the cover, `YYYY-MM`.
    pub published: Option<String>,
    /// Hash of the source files.
    pub source_hash: [u8; 32],
    /// Id of its first passage; the others follow.
    pub first_passage: u64,
    /// Number of passages.
    pub passage_count: u32,
    /// Number of sections.
    pub section_count: u32,
    /// Batch that wrote it; names it in the word index.
    pub batch: u64,
    /// Whether its passages have vectors.
    pub embedded: bool,
    /// Warnings of the extraction.
    pub warnings: Vec<String>,
}

/// A section without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionHead {
    /// Section number; the title for an unnumbered section.
    pub number: String,
    /// Title.
    pub title: String,
    /// 1 for a clause or annex.
    pub level: u8,
    /// Number of the section that contains it.
    pub parent: Option<String>,
    /// Length of the text in tokens of the text model.
    pub token_count: u32,
    /// Number of passages it was cut into.
    pub fragment_count: u32,
}

impl SectionHeading for SectionHead {
    fn number(&self) -> &str {
        &self.number
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }
}

/// A passage: a range of its section's text, after the repeated head of a split table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageRow {
    /// Document id.
    pub document: u32,
    /// Ordinal of the section in the document.
    pub section: u32,
    /// Caption and header row repeated before the range; empty if there is none.
    pub head: TextRange,
    /// The passage's own text.
    pub body: TextRange,
    /// Kind of text.
    pub content_type: PassageContentType,
    /// Id shared by all passages with this text and context header.
    pub content: u64,
}

/// A source file set that was ingested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRow {
    /// [`EXTRACTOR_REVISION`] at the time.
    pub extractor_revision: u32,
    /// How it was read; documents by their ids.
    pub read: SourceReading<u32>,
}

/// How a source was read, and the document versions that it held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceReading<Document> {
    /// Name of the pipeline that read it (own reader, converter).
    pub pipeline: String,
    /// The document versions that it held.
    pub documents: Vec<Document>,
    /// Whether drafts were skipped.
    pub drafts_left: bool,
    /// Whether a converter was available.
    pub converter_tried: bool,
}

/// The model whose vectors are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRow {
    /// Name.
    pub name: String,
    /// Hash of name, revision, dimension, pooling and prompts.
    pub identity: [u8; 32],
    /// Dimension of its vectors.
    pub dimension: u32,
}

impl ModelRow {
    /// Rejects vectors of another model beside the stored ones.
    pub fn check_stored(&self, stored: &Self) -> Result<(), StoreError> {
        if self == stored {
            return Ok(());
        }
        let (stored, configured) = (stored.name.clone(), self.name.clone());
        Err(StoreError::ModelMismatch { stored, configured })
    }
}

/// The key of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionKey {
    /// Document id.
    pub document: u32,
    /// Ordinal of the section in the document.
    pub ordinal: u32,
}

impl SectionKey {
    pub(crate) fn to_packed(self) -> u64 {
        pack_key(self.document, self.ordinal)
    }

    pub(crate) fn from_packed(key: u64) -> Self {
        let (document, ordinal) = unpack_key(key);
        Self { document, ordinal }
    }
}

impl PassageRow {
    /// The key of the passage's section.
    pub fn section_key(&self) -> SectionKey {
        SectionKey { document: self.document, ordinal: self.section }
    }

    /// The passage's text, cut from the text of its section.
    pub fn extract_text(&self, section_text: &str) -> Result<String, StoreError> {
        slice_passage(section_text, self.head, self.body)
            .ok_or(StoreError::Decode { what: "passage range" })
    }
}

/// The hash by which a heading path is known as a content, different from that of any passage.
pub fn hash_heading_path(path: &str) -> [u8; 32] {
    *blake3::hash(format!("heading\0{path}").as_bytes()).as_bytes()
}
