//! Parameters of `list_references`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::ReferenceDirection;

/// Lists what a section cites and what cites it, over all indexed documents.
///
/// Citations are resolved by the document's own list of references. A section that several versions of a document have is
/// listed once, from the newest of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ListReferences {
    /// The number of the document, without TS or TR.
    #[schemars(length(min = 1, max = 50), example = &"38.331")]
    pub doc_number: String,
    /// The number of the section: `5.3.5`, `A` or `B.2.1`.
    #[schemars(length(min = 1, max = 200), example = &"5.3.5")]
    pub section_number: String,
    /// Which version's citations to list; the newest when absent.
    #[serde(default)]
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The newest version of this release; the newest of all when absent.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Which citations to list: those in the section, those of it, or both.
    #[serde(default)]
    pub direction: ReferenceDirection,
    /// Whether the sub-sections count too.
    #[serde(default)]
    pub prefix: bool,
    /// How many of each direction to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u32,
}

impl Default for ListReferences {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            section_number: String::new(),
            version: None,
            release: None,
            direction: ReferenceDirection::default(),
            prefix: false,
            limit: default_limit(),
        }
    }
}

fn default_limit() -> u32 {
    100
}
