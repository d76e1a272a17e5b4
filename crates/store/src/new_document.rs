//! The input of a commit: a document version, cut into passages and embedded.

use crate::{
    DocumentRow, FigureWords, PassageRow, PictureRow, PlacedPicture, SectionHead,
    drawing_file::pack_drawing,
};
use citation::PlacedCitation;
use definitions::{DefiningSection, DocumentDefinitions};
use document_model::{SectionBody, TextRange};
use domain::{PassageContentType, ReadingCheck};

/// A document version to be committed.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// The record; its passage ids, counts and batch are set by the commit.
    pub row: DocumentRow,
    /// Sections in the order of the text.
    pub sections: Vec<NewSection>,
    /// Passages in the order of the text.
    pub passages: Vec<NewPassage>,
    /// Figures in the order of the text.
    pub figures: Vec<NewFigure>,
    /// Vectors of contents that had none yet.
    pub vectors: Vec<ContentVectors>,
    /// What its sections define and record.
    pub definitions: DocumentDefinitions,
    /// What the second look at its file found; `None` if there was none.
    pub reading: Option<Vec<ReadingCheck>>,
}

impl NewDocument {
    /// Its sections, as definitions are read from them.
    pub fn defining_sections(&self) -> Vec<DefiningSection<'_>> {
        let sections = self.sections.iter().map(|section| DefiningSection {
            number: &section.head.number,
            title: &section.head.title,
            parent: section.head.parent.as_deref(),
            blocks: &section.body.blocks,
        });
        sections.collect()
    }

    /// The hashes of all contents, of passages, figures and headings.
    pub(crate) fn content_hashes(&self) -> impl Iterator<Item = &[u8; 32]> {
        let passages = self.passages.iter().map(|passage| &passage.hash);
        let figures = self.figures.iter().map(|figure| &figure.hash);
        let headings = self.sections.iter().filter_map(|section| section.heading.as_ref());
        passages.chain(figures).chain(headings)
    }

    /// All pictures, of figures and in lines of text.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &NewPicture> {
        let inline = self.sections.iter().flat_map(|section| &section.inline_pictures);
        let figures = self.figures.iter().filter_map(|figure| figure.picture.as_ref());
        figures.chain(inline.map(|inline| &inline.picture))
    }
}

/// A section to be committed.
#[derive(Debug, Clone)]
pub struct NewSection {
    /// Number, title, counts.
    pub head: SectionHead,
    /// Hash of its heading path, [`hash_heading_path`](crate::hash_heading_path); `None` if it has no passage that
    /// the path could lead to.
    pub heading: Option<[u8; 32]>,
    /// What it consists of.
    pub body: SectionBody,
    /// The text that is printed from the body: [`SectionBody::print_text`].
    pub text: String,
    /// Its citations, in order.
    pub citations: Vec<PlacedCitation>,
    /// The pictures in its lines, in order.
    pub inline_pictures: Vec<NewInlinePicture>,
}

impl NewSection {
    /// A section of one paragraph.
    pub fn from_text(head: SectionHead, text: &str) -> Self {
        let body = SectionBody::from_text(text);
        let text = text.to_owned();
        let (citations, inline_pictures) = (Vec::new(), Vec::new());
        Self { head, heading: None, body, text, citations, inline_pictures }
    }
}

/// A passage to be committed.
#[derive(Debug, Clone)]
pub struct NewPassage {
    /// Index of its section.
    pub section: u32,
    /// Caption and header row repeated before the range.
    pub head: TextRange,
    /// The passage's own text.
    pub body: TextRange,
    /// Kind of text.
    pub content_type: PassageContentType,
    /// Hash of its context header and text.
    pub hash: [u8; 32],
}

/// A figure to be committed.
#[derive(Debug, Clone)]
pub struct NewFigure {
    /// Index of its section.
    pub section: u32,
    /// Its caption, if it has one.
    pub caption: Option<String>,
    /// The words in and around it.
    pub words: FigureWords,
    /// Its picture; `None` if it could not be drawn.
    pub picture: Option<NewPicture>,
    /// Hash of its text, different from that of any passage.
    pub hash: [u8; 32],
}

/// A picture in a line of text to be committed.
pub type NewInlinePicture = PlacedPicture<NewPicture>;

/// A picture to be committed.
#[derive(Debug, Clone)]
pub struct NewPicture {
    /// The bytes of the file.
    pub png: Vec<u8>,
    /// Hash of these.
    pub hash: [u8; 32],
    /// The same picture as SVG, compressed with gzip; `None` for bitmaps.
    pub drawing: Option<Vec<u8>>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl NewPicture {
    /// Takes a PNG file.
    pub fn new(png: Vec<u8>, width: u32, height: u32) -> Self {
        let hash = *blake3::hash(&png).as_bytes();
        Self { png, hash, drawing: None, width, height }
    }

    /// The same, with an SVG of it.
    pub fn with_svg(self, svg: Option<&str>) -> Self {
        Self { drawing: svg.map(pack_drawing), ..self }
    }

    /// The stored form.
    pub(crate) fn to_row(&self) -> PictureRow {
        PictureRow { hash: self.hash, width: self.width, height: self.height }
    }
}

/// The vectors of one content, one for each window of its text.
#[derive(Debug, Clone)]
pub struct ContentVectors {
    /// Hash of context header and text.
    pub hash: [u8; 32],
    /// Vectors of the model's dimension.
    pub windows: Vec<Vec<f32>>,
}

impl NewPassage {
    /// The stored form.
    pub(crate) fn to_row(&self, document: u32, content: u64) -> PassageRow {
        PassageRow {
            document,
            section: self.section,
            head: self.head,
            body: self.body,
            content_type: self.content_type,
            content,
        }
    }
}
