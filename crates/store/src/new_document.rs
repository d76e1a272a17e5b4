//! The input of a commit: a document version, cut into passages and embedded.

use crate::{
    CitationRow, DocumentRow, FigureWords, PassageRow, PictureRow, SectionHead, TextRange,
};
use document_model::SectionBody;
use domain::ContentType;

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
}

impl NewDocument {
    /// The hashes of all contents, of passages and of figures.
    pub(crate) fn content_hashes(&self) -> impl Iterator<Item = &[u8; 32]> {
        let passages = self.passages.iter().map(|passage| &passage.hash);
        passages.chain(self.figures.iter().map(|figure| &figure.hash))
    }
}

/// A section to be committed.
#[derive(Debug, Clone)]
pub struct NewSection {
    /// Number, title, counts.
    pub head: SectionHead,
    /// What it consists of.
    pub body: SectionBody,
    /// The text that is printed from the body: [`SectionBody::print_text`].
    pub text: String,
    /// Its citations, in order.
    pub citations: Vec<CitationRow>,
}

impl NewSection {
    /// A section of one paragraph.
    pub fn from_text(head: SectionHead, text: &str) -> Self {
        let body = SectionBody::from_text(text);
        Self { head, body, text: text.to_owned(), citations: Vec::new() }
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
    pub content_type: ContentType,
    /// Hash of its context header and text.
    pub hash: [u8; 32],
}

/// A figure to be committed.
#[derive(Debug, Clone)]
pub struct NewFigure {
    /// Index of its section.
    pub section: u32,
    /// Its caption, where it has one.
    pub caption: Option<String>,
    /// The words in and around it.
    pub words: FigureWords,
    /// Its picture; none where it could not be drawn.
    pub picture: Option<NewPicture>,
    /// Hash of its text, different from that of any passage.
    pub hash: [u8; 32],
}

/// A picture to be committed.
#[derive(Debug, Clone)]
pub struct NewPicture {
    /// The bytes of the file.
    pub png: Vec<u8>,
    /// Hash of these.
    pub hash: [u8; 32],
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl NewPicture {
    /// Takes a PNG file.
    pub fn new(png: Vec<u8>, width: u32, height: u32) -> Self {
        let hash = *blake3::hash(&png).as_bytes();
        Self { png, hash, width, height }
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
