//! Words of specifications, their passages and their definitions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Document type.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(transform = list_words)]
pub enum DocumentType {
    /// Technical specification, which is normative.
    #[serde(rename = "TS")]
    Specification,
    /// Technical report, which is informative.
    #[serde(rename = "TR")]
    Report,
}

impl From<domain::DocType> for DocumentType {
    fn from(doc_type: domain::DocType) -> Self {
        match doc_type {
            domain::DocType::Specification => Self::Specification,
            domain::DocType::Report => Self::Report,
        }
    }
}

/// Indexing state of a document.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum IndexingStatus {
    /// It can be searched by words and by meaning.
    Indexed,
    /// It can be searched by words only; its passages have no vectors yet.
    IndexedWithoutVectors,
    /// It is not indexed; the source of specifications lists it.
    Listed,
}

/// From what the type of a document that is not indexed is known.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DocumentTypeOrigin {
    /// The portal's list of specifications.
    List,
    /// Another version, which is indexed.
    Indexed,
    /// The rule that numbers with 7, 8 or 9 after the dot are reports, which has exceptions.
    Number,
}

/// Kind of definition.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DefinitionKind {
    /// An abbreviation and its long form.
    Abbreviation,
    /// A term and its meaning.
    Term,
    /// A symbol in an equation and its meaning.
    Symbol,
    /// A protocol name with its definition as printed, if no definition clause contains the term; use `lookup_name` for details.
    Name,
}

impl From<domain::TermKind> for DefinitionKind {
    fn from(kind: domain::TermKind) -> Self {
        match kind {
            domain::TermKind::Abbreviation => Self::Abbreviation,
            domain::TermKind::Term => Self::Term,
            domain::TermKind::Symbol => Self::Symbol,
        }
    }
}
