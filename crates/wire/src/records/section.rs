//! Sections, whole and as entries of a table of contents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One section with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionResult {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release of the document.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The number of the section, or its title if it has no number.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The title.
    pub section_title: Option<String>,
    /// The level of its heading; 1 is the highest.
    pub heading_level: Option<u32>,
    /// The text, in Markdown.
    #[serde(default)]
    pub full_text: String,
    /// The length of the text in tokens.
    pub token_count: Option<u64>,
    /// Number of passages of the text.
    pub fragment_count: Option<u64>,
    /// The number of its parent section.
    #[schemars(example = &"5.3")]
    pub parent_section_number: Option<String>,
    /// For a section without a number, such as an information element of TS 38.331, the nearest numbered clause, for citation.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// The inline pictures of the text, in order: symbols, and old equations that exist only as pictures. In the text, `[figure]`
    /// or `[equation]` marks their position; figures are not included.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inline_pictures: Vec<InlinePictureRecord>,
}

/// An inline picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InlinePictureRecord {
    /// The path of the picture.
    pub image_path: String,
    /// The words in it; empty if none could be read.
    pub words: String,
}

/// An entry of a table of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionSummary {
    /// The number of the document, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// The version of the document.
    #[schemars(example = &"18.1.0")]
    pub version: String,
    /// The release of the document.
    #[schemars(example = &"Rel-18")]
    pub release: String,
    /// The number of the section, or its title if it has no number.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The title.
    pub section_title: Option<String>,
    /// The level of its heading; 1 is the highest.
    pub heading_level: Option<u32>,
    /// The length of its text in tokens.
    pub token_count: Option<u64>,
    /// For a section without a number, such as an information element of TS 38.331, the nearest numbered clause, for citation.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}
