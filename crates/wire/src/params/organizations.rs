//! Parameters of `resolve_organization` and `get_organization`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Finds the organization that a name refers to.
///
/// Recognises other names, legal forms and typos. `status` is `exact`, `fuzzy`, `ambiguous` or `not_found`; the best candidates
/// come first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ResolveOrganization {
    /// The name.
    #[schemars(length(min = 1, max = 200), example = &"Erricson")]
    pub q: String,
}

/// Returns an organization: its names, the number of meeting documents it contributed by role, meeting and kind, and the newest
/// of these documents.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetOrganization {
    /// Its ID or one of its names.
    #[schemars(length(min = 1, max = 200), example = &"ericsson")]
    pub org_id: String,
}
