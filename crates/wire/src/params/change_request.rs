//! Parameters of `get_change_request`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::DifferenceForm;

/// Returns a change request with its changes: each clause before and after its tracked changes.
///
/// Each clause is compared with the indexed version that the change request was written against. The reply also lists its mirror
/// change requests in other releases, the versions that record it, and the clauses that cite the changed clauses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetChangeRequest {
    /// The TDoc number of the change request.
    #[schemars(length(min = 1, max = 50), example = &"R2-2405780")]
    pub tdoc_id: String,
    /// Format of the changes: one marked-up text for each clause, or hunks for programs.
    #[serde(default)]
    pub form: DifferenceForm,
    /// Maximum number of clauses to return.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
    /// Number of clauses to skip.
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
