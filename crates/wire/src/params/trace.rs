//! Parameters of `trace_clause`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Traces a clause to the change requests, contributions and decisions that name it.
///
/// Change requests and their outcomes come from registers, and from the cover pages of change requests that were read.
/// Contributions are passages of documents that were read. Decisions come from notes and reports. `coverage` says how complete
/// each list is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct TraceClause {
    /// The specification number.
    #[schemars(length(min = 1, max = 50), example = &"38.214")]
    pub doc_number: String,
    /// The clause number. Change requests to its subclauses and parent clauses are also listed.
    #[schemars(length(min = 1, max = 50), example = &"5.2.2.5")]
    pub section_number: String,
    /// Only documents of meetings of these groups, such as `R1` or `RAN2`.
    #[serde(default)]
    #[schemars(length(max = 200), example = &"R1")]
    pub group: Option<String>,
    /// Maximum number of items in each list.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u32,
}

impl Default for TraceClause {
    fn default() -> Self {
        Self {
            doc_number: String::new(),
            section_number: String::new(),
            group: None,
            limit: default_limit(),
        }
    }
}

fn default_limit() -> u32 {
    20
}
