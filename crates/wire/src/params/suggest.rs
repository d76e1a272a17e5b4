//! Parameters of `suggest`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Completes what is being typed, for search boxes.
///
/// Suggests documents by number and title, clauses by title, abbreviations, terms, and identifiers
/// as the passages write them, in their newest version. `38.331 5.3.5` suggests the clause and those whose numbers
/// begin so, `38.331 radio link` the clauses of that document. Words that hardly any passage holds
/// are corrected in `did_you_mean`. A call uses nothing of the allowance.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct Suggest {
    /// What has been typed so far.
    #[schemars(length(min = 1, max = 200), example = &"38.331 5.3.5")]
    pub text: String,
    /// How many suggestions to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: u32,
}

impl Default for Suggest {
    fn default() -> Self {
        Self { text: String::new(), limit: default_limit() }
    }
}

fn default_limit() -> u32 {
    10
}
