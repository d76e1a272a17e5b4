//! The outcome of reading a file: the documents in it, and the outcome of each of its members.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use citation::PlacedCitation;
use definitions::{DefiningSection, DocumentDefinitions};
use document::{Document, Section};
use document_model::{Block, RichText};
use domain::{DocNumber, DocType, Version};

use crate::{
    citations::collect_citations,
    notes_options::NotesOptions,
    passages::{self, SectionPassages, TokenCount, cut_document},
    reading::check_derived,
};

/// Which document version a text is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DocumentIdentity {
    /// Document number with its part.
    pub number: DocNumber,
    /// Version, from the file name if it has one, otherwise from the cover.
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
    /// How its text was extracted; for several parts, the weakest way.
    pub pipeline: Pipeline,
    /// The text, all parts joined in order.
    pub document: Document,
    /// The definitions and records of its sections.
    pub definitions: DocumentDefinitions,
    /// The citations of each section, in order.
    pub citations: Vec<Vec<PlacedCitation>>,
    /// The passages of each section, in order; empty if none were requested.
    pub passages: Vec<SectionPassages>,
}

impl ExtractedDocument {
    /// A text with everything derived from it.
    pub fn derived(identity: DocumentIdentity, pipeline: Pipeline, document: Document) -> Self {
        let mut extracted = Self::new(identity, pipeline, document);
        extracted.derive();
        extracted
    }

    /// A text of which nothing has been derived yet.
    pub(crate) fn new(identity: DocumentIdentity, pipeline: Pipeline, document: Document) -> Self {
        let (definitions, citations, passages) = Default::default();
        Self { identity, pipeline, document, definitions, citations, passages }
    }

    /// Derives everything from the text that is looked up later.
    pub(crate) fn derive(&mut self) {
        self.definitions = read_definitions(&self.identity.number, &self.document.sections);
        self.citations = collect_citations(&self.document);
        let Self { identity, document, definitions, citations, .. } = self;
        let checks = check_derived(&identity.number, document, definitions, citations);
        document.reading.get_or_insert_default().extend(checks);
        let unread = describe_unread(&self.definitions, &self.document.sections);
        self.document.warnings.extend(unread);
    }

    /// The type on the cover, otherwise the type of the number: reports are numbered xx.8xx and xx.9xx.
    pub fn doc_type(&self) -> DocType {
        self.document.cover.doc_type.unwrap_or_else(|| {
            // The first digit after the dot.
            match self.identity.number.as_str().as_bytes().get(3) {
                Some(b'8' | b'9') => DocType::Report,
                _ => DocType::Specification,
            }
        })
    }

    /// Cuts its sections into passages.
    pub fn cut_passages(&mut self, count: &TokenCount<'_>) {
        let (doc_type, number) = (self.doc_type(), &self.identity.number);
        self.passages = cut_document(&self.document, doc_type, number, count);
    }

    /// Whether the derived data is of this text. It comes from another process, which is not trusted: a range outside
    /// of its text would panic in the server.
    pub(crate) fn is_consistent(&self) -> bool {
        let sections = &self.document.sections;
        self.definitions.fits(sections.len())
            && (self.passages.is_empty() || passages::are_of(&self.document, &self.passages))
            && self.citations.len() == sections.len()
            && sections.iter().zip(&self.citations).all(|(section, found)| are_of(section, found))
    }
}

/// Reads the definitions and records of the sections of a version.
pub(crate) fn read_definitions(number: &DocNumber, sections: &[Section]) -> DocumentDefinitions {
    let sections = sections.iter().map(|section| DefiningSection {
        number: &section.number,
        title: &section.title,
        parent: section.parent.as_deref(),
        blocks: &section.blocks,
    });
    DocumentDefinitions::read(number.as_str(), &sections.collect::<Vec<_>>())
}

/// Maximum number of sections in a warning, which is one sentence of a report.
const MAX_LISTED_SECTIONS: usize = 8;

/// Which listings have parts that could not be read, as a warning: their names cannot be looked up.
fn describe_unread(definitions: &DocumentDefinitions, sections: &[Section]) -> Option<String> {
    let read = definitions.names.sections.iter().zip(sections);
    let unread: Vec<String> = read
        .filter(|(names, _)| names.unread > 0)
        .map(|(names, section)| format!("{} ({})", section.number, names.unread))
        .collect();
    let listed =
        unread.iter().take(MAX_LISTED_SECTIONS).map(String::as_str).collect::<Vec<_>>().join(", ");
    let count = unread.len();
    (count > 0).then(|| {
        let sections = if count == 1 { "section" } else { "sections" };
        format!("parts of the listings in {count} {sections} could not be read, their names cannot be looked up: {listed}")
    })
}

/// Whether citations are in the texts of a section.
fn are_of(section: &Section, citations: &[PlacedCitation]) -> bool {
    let mut texts: (u32, Vec<&RichText>) = (u32::MAX, Vec::new());
    citations.iter().all(|placed| {
        if texts.0 != placed.block {
            let block = section.blocks.get(placed.block as usize);
            texts = (placed.block, block.map(Block::texts).unwrap_or_default());
        }
        let text = texts.1.get(placed.text as usize);
        let range = placed.citation.start as usize..placed.citation.end as usize;
        text.is_some_and(|text| text.as_str().get(range).is_some())
    })
}

/// The outcome of a file or of a member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MemberFate {
    /// Read as part of the text.
    Text,
    /// Stored as a section of code after the text.
    Code,
    /// An archive that was opened.
    Opened,
    /// Skipped, for the given reason.
    Skipped(String),
}

/// A file or a member of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveMember {
    /// Path within the archives, `outer.zip/inner.docx`; the file name of a bare file.
    pub name: String,
    /// Its outcome.
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
    /// Whether a converter would read more of it, but there was none.
    pub wants_converter: bool,
}

/// Options besides our own readers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtractOptions {
    /// The converter for legacy files, LibreOffice's `soffice`, if there is one.
    pub converter: Option<PathBuf>,
    /// Whether figures are read and drawn.
    pub figures: bool,
    /// Whether documents that name no specification are read too.
    pub others: bool,
    /// How notes of meetings are read.
    pub notes: NotesOptions,
}
