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
