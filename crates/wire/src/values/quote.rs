//! Words of the verification of quotes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Whether documents contain a quote.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum QuoteVerdict {
    /// Word for word.
    Exact,
    /// Word for word, except at formulas, pictures or tables of the text: `wildcards` names them, and what the quote has in
    /// their place is not verified.
    ExactExcept,
    /// Not word for word: `differences` shows the actual text.
    Near,
    /// Nothing similar was found.
    Absent,
}

/// Kind of document that contains a quote.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum QuoteSource {
    /// A version of a specification.
    Specification,
    /// Notes or a report of a meeting.
    MeetingNotes,
    /// A meeting document.
    Tdoc,
}
