//! Words of organizations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// How a name of an organization was understood.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum OrganizationResolutionStatus {
    /// It is a name of one organization.
    Exact,
    /// It is much like a name of one organization.
    Fuzzy,
    /// Several organizations may be meant.
    Ambiguous,
    /// No organization is known by such a name.
    NotFound,
}
