//! Words of names that protocols define.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Presence of a field or an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum FieldPresence {
    /// It is mandatory.
    Mandatory,
    /// It is optional.
    Optional,
    /// It is conditional.
    Conditional,
    /// It has a default value.
    Default,
}
