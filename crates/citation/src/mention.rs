//! The parts of a citation: keywords with numbers, names of documents, labels in brackets.

use std::ops::Range;

use domain::ReferenceKind;

/// A number and, in a range, the number of its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CitedNumber {
    pub(crate) range: Range<usize>,
    pub(crate) number: String,
    pub(crate) end: Option<String>,
    /// Whether the keyword precedes it: "clause 5.2 and clause 5.3".
    pub(crate) is_labelled: bool,
}

/// Why a mention is taken for a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DocumentEvidence {
    /// The text or the list of references names it.
    Named,
    /// A label that the list of references does not have, in a sentence that cites: `see [26]`.
    Unlisted,
    /// Only numbers that belong to it make it a document: `[26]` of a list without it, `W3C XML Schema`.
    Weak,
}

/// A part of a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mention {
    /// A keyword with its numbers: `clauses 5.2 and 5.3`.
    Numbers { range: Range<usize>, kind: ReferenceKind, numbers: Vec<CitedNumber> },
    /// A document, with the label after it: `TS 38.213 [6]`, `[6]`, `[5, TS 38.213]`.
    Document {
        range: Range<usize>,
        name: String,
        evidence: DocumentEvidence,
        /// Byte after the brackets that also contain numbers of the document: `[2, clause 8.1]`.
        inner_end: Option<usize>,
    },
}

impl Mention {
    pub(crate) fn range(&self) -> &Range<usize> {
        match self {
            Self::Numbers { range, .. } | Self::Document { range, .. } => range,
        }
    }
}
