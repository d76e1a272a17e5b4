//! Suggestions while somebody types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::values::SuggestionKind;

/// What `suggest` answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestReply {
    /// The typed text.
    pub text: String,
    /// The suggestions, best first.
    pub suggestions: Vec<SuggestionRecord>,
    /// The text with misspelt words corrected; null where none is. Where no name begins as
    /// typed, the suggestions are those of this one.
    #[schemars(example = &"conditional handover")]
    pub did_you_mean: Option<String>,
}

/// A suggestion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuggestionRecord {
    /// What is suggested.
    #[schemars(example = &"clause")]
    pub kind: SuggestionKind,
    /// What takes the place of the typed text. That of a clause is its address, which leads to it when it is
    /// typed.
    #[schemars(example = &"38.331 5.3.5")]
    pub text: String,
    /// The title of the document or clause, or the meaning of the abbreviation or term; null for others.
    #[schemars(example = &"RRC reconfiguration")]
    pub description: Option<String>,
    /// The number of the document where it stands; null for an identifier, and for what many documents have.
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// The version of that document.
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The number of the section where it stands; null for a document.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// How many documents have it; null for an identifier.
    pub documents: Option<u32>,
}
