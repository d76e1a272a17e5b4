//! Words of the verification of quotes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::list_words;

/// Whether a quote stands in documents.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum QuoteVerdict {
    /// Word by word.
    Exact,
    /// Not word by word: `differences` shows what the text has instead.
    Near,
    /// Nothing there resembles it.
    Absent,
}

/// What a quote stands in.
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

/// What a difference between a quote and a text is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(transform = list_words)]
pub enum QuoteDifferenceKind {
    /// The quote has other words than the text.
    Replaced,
    /// The quote has words that the text does not have.
    Inserted,
    /// The text has words that the quote does not have.
    Missing,
}
