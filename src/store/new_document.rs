//! What the store takes in: a document version, cut and embedded.

use super::{DocumentRow, PassageRow, SectionHead, TextRange};
use crate::model::ContentType;

/// A document version to be taken in.
#[derive(Debug, Clone)]
pub struct NewDocument {
    /// The record; its passage ids, counts and batch are set by the commit.
    pub row: DocumentRow,
    /// Sections in the order of the text.
    pub sections: Vec<NewSection>,
    /// Passages in the order of the text.
    pub passages: Vec<NewPassage>,
    /// Vectors of contents that had none yet.
    pub vectors: Vec<ContentVectors>,
}

/// A section to be taken in.
#[derive(Debug, Clone)]
pub struct NewSection {
    /// Number, title, counts.
    pub head: SectionHead,
    /// Its full text.
    pub text: String,
}

/// A passage to be taken in.
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
    pub(super) fn row(&self, document: u32, content: u64) -> PassageRow {
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
