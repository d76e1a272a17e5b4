//! Suggestions while somebody types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::SuggestionKind;

/// The reply of `suggest`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestReply {
    /// The typed text.
    pub text: String,
    /// The suggestions, best first.
    pub suggestions: Vec<SuggestionRecord>,
    /// The text with misspelt words corrected; null if no words were corrected. If no name begins with the typed text, the
    /// suggestions are those for this text.
    #[schemars(example = &"conditional handover")]
    pub did_you_mean: Option<String>,
}

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestionRecord {
    /// The kind of suggestion.
    #[schemars(example = &"clause")]
    pub kind: SuggestionKind,
    /// The text that replaces the typed text. For a clause, it is the document and clause number.
    #[schemars(example = &"38.331 5.3.5")]
    pub text: String,
    /// The title of the document or clause, or the meaning of the abbreviation or term; null for others.
    #[schemars(example = &"RRC reconfiguration")]
    pub description: Option<String>,
    /// The number of its document; null for an identifier, and for titles that occur in many documents.
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// The version of that document.
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The number of its section; null for a document.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// Number of documents that contain it; null for an identifier.
    pub documents: Option<u32>,
}
