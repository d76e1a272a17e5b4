//! Parameters of `get_sections` and `list_sections`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the text of sections by section number.
///
/// Section numbers repeat across documents, so add `doc_number`. If nothing matches, the list is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetSections {
    /// The section number: `5.3.5`, `5.3.5.13a`, `A` or `B.2.1`.
    #[schemars(example = &"5.3.5")]
    pub section_number: String,
    /// The document number, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only this version, or `latest`. Default: all versions.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// Only versions of this release. Default: all releases.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Whether to include subsections.
    #[serde(default)]
    pub prefix: bool,
}

/// Returns the table of contents of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListSections {
    /// The document number, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: String,
    /// Only this version, or `latest`. Default: all versions.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// Only sections down to this level; level 1 is a clause such as `5` or an annex.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(range(min = 1, max = 9))]
    pub max_level: Option<u32>,
    /// Only this section and its subsections.
    #[schemars(extend("x-addition" = true))]
    #[serde(default)]
    #[schemars(example = &"5.3")]
    pub under: Option<String>,
}
