//! Citations in specifications: which clause, annex, table, figure, equation or document a text refers to.
//!
//! A citation is a mention in the text with its target, as the document itself states it. The document's own list of
//! references resolves `[5]`. Whether a target exists, and in which version, is determined by the code that stores
//! documents. Knows no file format and no storage.

#![forbid(unsafe_code)]

mod caption;
mod cited_document;
mod document_pattern;
mod finder;
mod keyword;
mod label;
mod mask;
mod mention;
mod mention_scan;
mod number;
mod numbers_elsewhere;
mod reference_column;
mod reference_list;
mod start;

use domain::ReferenceKind;
use serde::{Deserialize, Serialize};

pub use caption::{CaptionNumber, block_captions, read_caption_number};
pub use finder::CitationFinder;
pub use reference_column::is_reference_head;
pub use reference_list::{ReferenceList, is_reference_list};

/// A mention of something in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// First byte of the mention in its text.
    pub start: u32,
    /// Byte after its last.
    pub end: u32,
    /// What it refers to.
    pub kind: ReferenceKind,
    /// The document: `38.213`, `RFC 7519`, `ITU-T X.680`, or the beginning of the entry in the list of references; the
    /// label in brackets, `[26]`, if the list does not have it. `None` for the citing document.
    pub document: Option<String>,
    /// Number of the clause, annex, table, figure or equation; empty for a document.
    pub target: String,
    /// The end of a range: `5.4` of "clauses 5.2 to 5.4".
    pub target_end: Option<String>,
}

impl Citation {
    /// Whether the document is a label that the list of references does not have.
    pub fn is_unlisted(&self) -> bool {
        self.document.as_ref().is_some_and(|document| document.starts_with('['))
    }
}

/// A citation, and the position of its text in the section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlacedCitation {
    /// Index of its block in the section.
    pub block: u32,
    /// Index of its text in the block, as `Block::texts` lists them.
    pub text: u32,
    /// The citation.
    pub citation: Citation,
}

#[cfg(test)]
mod tests;
