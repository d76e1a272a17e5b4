//! Parameters of `resolve_term`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the meaning of an abbreviation, term or symbol, with the clause that defines it.
///
/// Works in both directions: `RRC` returns its long form, `radio resource control` its abbreviation. Case, hyphens and plurals
/// are ignored. Definitions from the given document come first, then those from TR 21.905, then those from other documents. If
/// nothing matches, the list is empty.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ResolveTerm {
    /// The abbreviation, term or symbol, or the long form of an abbreviation.
    #[schemars(length(min = 1, max = 200), example = &"RRC")]
    pub term: String,
    /// The number of the document whose definitions come first, without TS or TR.
    #[serde(default)]
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// Only definitions of this release.
    #[serde(default)]
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// Maximum number of different definitions to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: u32,
}

impl Default for ResolveTerm {
    fn default() -> Self {
        Self { term: String::new(), doc_number: None, release: None, limit: default_limit() }
    }
}

fn default_limit() -> u32 {
    10
}
