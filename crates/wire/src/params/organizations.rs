//! Parameters of `resolve_organization` and `get_organization`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tells which organization is meant by a name.
///
/// Knows other names, legal forms, slips of the pen. `status` is `exact`, `fuzzy`, `ambiguous` or
/// `not_found`; candidates come best first.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct ResolveOrganization {
    /// The name.
    #[schemars(length(min = 1, max = 200), example = &"Erricson")]
    pub q: String,
}

/// Returns an organization: its names, and how many meeting documents it brought, by role, meeting and
/// kind, with the newest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
pub struct GetOrganization {
    /// Its id, or a name of it.
    #[schemars(length(min = 1, max = 200), example = &"ericsson")]
    pub org_id: String,
}
