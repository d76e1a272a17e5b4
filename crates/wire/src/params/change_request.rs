//! Parameters of `get_change_request`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DifferenceForm;

/// Returns a change request with what it changes: each clause before and after its tracked changes.
///
/// Each clause is compared with the indexed version that the change request was written against. Its mirrors in other releases,
/// the versions that record it, and the clauses that cite what it changes come with it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetChangeRequest {
    /// The number of the document.
    #[schemars(length(min = 1, max = 50), example = &"R2-2405780")]
    pub tdoc_id: String,
    /// How changes are given: as one marked-up text for each clause, or as hunks for programs.
    #[serde(default)]
    pub form: DifferenceForm,
    /// How many clauses to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// How many clauses to skip.
    #[serde(default)]
    #[schemars(range(max = 100_000))]
    pub offset: u32,
}

impl Default for GetChangeRequest {
    fn default() -> Self {
        let form = DifferenceForm::default();
        Self { tdoc_id: String::new(), form, limit: default_limit(), offset: 0 }
    }
}

fn default_limit() -> u32 {
    20
}
