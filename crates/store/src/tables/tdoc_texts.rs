//! Rows of the texts of meeting documents (TDocs) that were read: blocks, units, passages.

use domain::UnitType;
use serde::{Deserialize, Serialize};

use document_model::{SectionBody, TdocPassageRow, TdocUnitRow};
use domain::TdocId;

/// How much of a document was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContentStatus {
    /// All of it.
    Complete,
    /// A part of it.
    Partial,
    /// Nothing.
    Unavailable,
}

/// What is known of the file of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocContentRow {
    /// The document.
    pub id: TdocId,
    /// How much was read.
    pub status: ContentStatus,
    /// What read it, such as `docx`.
    pub extractor: String,
    /// Revision of the extraction.
    pub revision: u32,
    /// Why it is partial or unavailable, one sentence each.
    pub faults: Vec<String>,
    /// Name of its file.
    pub file: String,
    /// Where the file came from.
    pub origin: String,
    /// Its revisions in the inbox of its meeting, as paths on the mirror, the first one first.
    pub inbox: Vec<String>,
    /// Hash of the file.
    pub hash: [u8; 32],
    /// When it was read, RFC 3339 in UTC.
    pub read_at: String,
    /// Number of numbered proposals and observations.
    pub units: u32,
    /// Whether the full pipeline may get more of it.
    pub wants_converter: bool,
    /// For each passage its content and its kind, in the order of the text; contents are set by the commit.
    pub passages: Vec<(u64, UnitType)>,
    /// Whether its passages have vectors.
    pub embedded: bool,
    /// Batch that wrote it; names it in the word index.
    pub batch: u64,
}

/// The text of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocTextRow {
    /// Pieces of text that can be cited, in their order.
    pub blocks: Vec<TdocBlockRow>,
    /// Numbered proposals and observations, in their order.
    pub units: Vec<TdocUnitRow>,
    /// Passages, as they are found and shown.
    pub passages: Vec<TdocPassageRow>,
    /// Names and values on the cover of a change request.
    pub cover: Vec<(String, String)>,
}

/// A piece of text that can be cited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocBlockRow {
    /// Its anchor in the file.
    pub anchor: String,
    /// Its page.
    pub page: Option<u32>,
    /// Its level, if it is a heading.
    pub heading: Option<u8>,
    /// Its text.
    pub text: String,
    /// Whether a tracked change touched it.
    pub changed: bool,
}

/// Where the units and passages of a document end. Stored separately from its text, so that texts stored before it
/// was kept can be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocTextEnds {
    /// The anchors of the last paragraphs of its units, in their order.
    pub units: Vec<String>,
    /// The anchors of the last paragraphs of its passages, in their order.
    pub passages: Vec<String>,
}

/// A section that tracked changes of a document touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisedSectionRow {
    /// The section before the changes; `None` if they insert it.
    pub before: Option<RevisedSideRow>,
    /// The section after them; `None` if they delete it.
    pub after: Option<RevisedSideRow>,
}

/// One side of a section that tracked changes touch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevisedSideRow {
    /// Its number, or a substitute for one.
    pub number: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub body: SectionBody,
}

/// A document in memory.
#[derive(Debug)]
pub struct TdocTextEntry {
    /// Its key.
    pub key: u32,
    /// What is known of its file.
    pub row: TdocContentRow,
}

/// Hash of the text of a passage.
pub fn hash_passage(text_with_header: &str) -> [u8; 32] {
    *blake3::hash(text_with_header.as_bytes()).as_bytes()
}
