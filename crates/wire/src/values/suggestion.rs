//! Words of suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// What a suggestion names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SuggestionKind {
    /// A document.
    Document,
    /// A clause of a document.
    Clause,
    /// A title that clauses of several documents have.
    Title,
    /// An abbreviation.
    Abbreviation,
    /// A defined term.
    Term,
    /// A symbol of equations.
    Symbol,
    /// A name in the text: a message, a field, a parameter.
    Identifier,
}
