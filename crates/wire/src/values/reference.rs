//! Words of references.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Which citations are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum ReferenceDirection {
    /// In both directions.
    #[default]
    Both,
    /// What the section cites.
    Outgoing,
    /// What cites the section.
    Incoming,
}
