//! Whether a text stands in documents, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Occurrence;
use crate::values::{DecisionSourceKind, QuoteDifferenceKind, QuoteSource, QuoteVerdict};

/// The verdict on a quote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteVerification {
    /// Whether the quote stands word by word in what was compared.
    #[schemars(example = &"exact")]
    pub verdict: QuoteVerdict,
    /// Where it stands or, with `near`, what resembles it; best first, then newest.
    pub occurrences: Vec<QuoteOccurrence>,
    /// How many places were found, those beyond `limit` included; versions in `also_in` are not counted.
    pub total: u64,
    /// Where it stands word by word outside of `document`, where it does not stand in that.
    pub elsewhere: Vec<QuoteOccurrence>,
    /// What was compared.
    pub coverage: QuoteCoverage,
}

/// Where a quote stands, or what resembles it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteOccurrence {
    /// What it stands in.
    #[schemars(example = &"specification")]
    pub found_in: QuoteSource,
    /// The number of the specification, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// The version of the specification: the newest one that has it.
    #[schemars(example = &"18.1.0")]
    pub version: Option<String>,
    /// The release of the specification.
    #[schemars(example = &"Rel-18")]
    pub release: Option<String>,
    /// The number of the section.
    #[schemars(example = &"5.3.5")]
    pub section_number: Option<String>,
    /// The title of that section.
    pub section_title: Option<String>,
    /// The number of the meeting document.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: Option<String>,
    /// The meeting of the document or of the notes.
    #[schemars(example = &"R1-118")]
    pub meeting_id: Option<String>,
    /// The kind of the notes.
    pub source_kind: Option<DecisionSourceKind>,
    /// The title of the document or of the notes.
    pub title: Option<String>,
    /// The file of the document or of the notes on the standards body's server.
    pub official_url: Option<String>,
    /// Where the text begins in the file; null in a specification.
    #[schemars(example = &"R1-2405780.docx#p42")]
    pub anchor: Option<String>,
    /// Where it ends.
    pub last_anchor: Option<String>,
    /// The page it begins on, when that is known.
    pub page: Option<u32>,
    /// The text as it stands there.
    pub text: String,
    /// Share of the words that are the same, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// What differs; nothing where the quote is exact.
    pub differences: Vec<QuoteDifference>,
    /// Other versions of the specification that have the same text in the same section.
    pub also_in: Vec<Occurrence>,
}

/// One difference between a quote and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteDifference {
    /// What it is.
    #[schemars(example = &"replaced")]
    pub kind: QuoteDifferenceKind,
    /// The words of the quote; empty where it misses some.
    pub quoted: String,
    /// The words of the text; empty where the quote has too many.
    pub actual: String,
}

/// What a quote was compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteCoverage {
    /// Versions of specifications.
    pub document_versions: u64,
    /// Meeting documents of which the text was read.
    pub indexed_tdocs: u64,
    /// Notes and reports of meetings of which the text is kept.
    pub meeting_notes: u64,
    /// Notes and reports that were read before their text was kept: import them again.
    pub notes_without_text: u64,
    /// Whether every place that may have the quote was compared; false for words that thousands of places have.
    pub is_complete: bool,
}
