//! Words of suggestions.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Kind of suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum SuggestionKind {
    /// A document.
    Document,
    /// A clause of a document.
    Clause,
    /// A clause title that occurs in several documents.
    Title,
    /// An abbreviation.
    Abbreviation,
    /// A defined term.
    Term,
    /// A symbol in equations.
    Symbol,
    /// A name in the text: a message, a field, a parameter.
    Identifier,
}
