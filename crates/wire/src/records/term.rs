//! Definitions of abbreviations, terms and symbols.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Occurrence;
use crate::values::{DefinitionKind, DocumentType};

/// The meaning of a term and its source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TermDefinition {
    /// The term as written in the document.
    #[schemars(example = &"RRC")]
    pub term: String,
    /// The kind of definition.
    #[schemars(example = &"abbreviation")]
    pub kind: DefinitionKind,
    /// Its meaning or long form.
    #[schemars(example = &"Radio Resource Control")]
    pub meaning: String,
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The document type.
    #[schemars(example = &"TS")]
    pub doc_type: DocumentType,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release of the document.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The number of the section that defines it.
    #[schemars(example = &"3.2")]
    pub section_number: Option<String>,
    /// The title of that section.
    pub section_title: Option<String>,
    /// Other versions and documents that define the term with the same meaning.
    pub also_in: Vec<Occurrence>,
}
