//! Words of the trace of a clause.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// How a decision is linked to a clause.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum DecisionLink {
    /// Its text names the clause.
    Names,
    /// It was recorded under a change request that changes the clause.
    ChangeRequest,
}
