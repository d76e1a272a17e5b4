//! The outcome of reading a file: the documents in it, and what became of each of its members.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use domain::{DocNumber, Version};

use document::Document;

/// Which document version a text is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentIdentity {
    /// Document number with its part.
    pub number: DocNumber,
    /// Version, from the file name where it has one, else from the cover.
    pub version: Version,
}

/// How the text was extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pipeline {
    /// `.docx`, by our own reader.
    OwnReader,
    /// `.doc`, by a library: without pictures, equations and tracked changes.
    OfficeText,
    /// `.doc`, converted to `.docx` first.
    Converted,
}

/// One document version of a file or group of files.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedDocument {
    /// Which document version it is.
    pub identity: DocumentIdentity,
    /// How its text was extracted; of several parts, the weakest way.
    pub pipeline: Pipeline,
    /// The text, all parts joined in order.
    pub document: Document,
}

/// What became of a file or of a member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberFate {
    /// Read as part of the text.
    Text,
    /// Kept as a section of code after the text.
    Code,
    /// An archive that was opened.
    Opened,
    /// Left out, for the reason given.
    Skipped(String),
}

/// A file or a member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveMember {
    /// Path within the archives, `outer.zip/inner.docx`; the file name of a bare file.
    pub name: String,
    /// What became of it.
    pub fate: MemberFate,
}

/// The outcome of reading one file or one group of files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// The document versions found; usually one.
    pub documents: Vec<ExtractedDocument>,
    /// Documents that name no specification, by the name of their file; only if [`ExtractOptions::others`].
    pub others: Vec<(String, Document)>,
    /// Every file and member, in the order in which they were read.
    pub members: Vec<ArchiveMember>,
    /// Problems that did not stop the reading, one sentence each.
    pub warnings: Vec<String>,
    /// Whether a converter would read more of it, and there was none.
    pub wants_converter: bool,
}

/// What may be used besides our own readers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractOptions {
    /// The converter for legacy files, LibreOffice's `soffice`, when there is one.
    pub converter: Option<PathBuf>,
    /// Whether figures are read and drawn.
    pub figures: bool,
    /// Whether documents that name no specification are read too.
    pub others: bool,
}
