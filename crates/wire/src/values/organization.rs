//! Words of organizations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// How a name of an organization was interpreted.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum OrganizationResolutionStatus {
    /// It is a name of one organization.
    Exact,
    /// It is similar to a name of one organization.
    Fuzzy,
    /// It matches several organizations.
    Ambiguous,
    /// It matches no known organization.
    NotFound,
}
