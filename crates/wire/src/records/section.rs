//! Sections, whole and as entries of a table of contents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::SectionPartKind;

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
    /// The text, in Markdown; empty if `parts` has what was requested of it.
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
    /// With `around` or `table_row`: the parts of the section that match.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<SectionParts>,
}

/// The parts of a section that match a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionParts {
    /// The document and the headings that contain them, outermost first.
    #[schemars(example = &"TS 38.331 > 7 Variables and constants > 7.1 Timers > 7.1.1 Timers (Informative)")]
    pub heading_path: String,
    /// The parts, in document order.
    pub found: Vec<SectionPart>,
    /// The anchors of other parts that match as well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<String>,
    /// Words of the request that no part contains; its numbers and names were found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmatched_words: Vec<String>,
    /// If no part matches: names of parts that the section has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Older requested versions whose section has the same parts; they are not listed separately.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub same_in: Vec<String>,
}

/// A row, list item, note, paragraph or definition of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionPart {
    /// Its anchors, for `around`: the position of its paragraph or table in the section, and the row or line within that. Several
    /// rows of one table have one each.
    #[schemars(example = &["p2.7"])]
    pub anchors: Vec<String>,
    /// What it is.
    pub kind: SectionPartKind,
    /// Its text, in Markdown: a row below the caption and header row of its table, with the notes that it refers to; an item
    /// below the items that contain it. `[... left out]` marks omitted lines.
    pub text: String,
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
