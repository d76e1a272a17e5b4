//! Whether a text stands in documents, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Occurrence;
use crate::values::{
    DecisionSourceKind, QuoteDifferenceKind, QuoteSource, QuoteVerdict, WildcardKind,
};

/// The verdict on a quote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteVerification {
    /// The verdict: `exact`, `exact_except`, `near` or `absent`.
    #[schemars(example = &"exact")]
    pub verdict: QuoteVerdict,
    /// The occurrences or, with `near`, similar texts; best first, then newest.
    pub occurrences: Vec<QuoteOccurrence>,
    /// Number of occurrences, including those beyond `limit`; versions in `also_in` are not counted.
    pub total: u64,
    /// Exact occurrences outside `document`, if `document` does not contain the quote.
    pub elsewhere: Vec<QuoteOccurrence>,
    /// The texts that were compared.
    pub coverage: QuoteCoverage,
}

/// An occurrence of a quote, or a similar text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteOccurrence {
    /// The kind of document.
    #[schemars(example = &"specification")]
    pub found_in: QuoteSource,
    /// The number of the specification, without TS or TR.
    #[schemars(example = &"38.331")]
    pub doc_number: Option<String>,
    /// The version of the specification: the newest one that contains it.
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
    /// The TDoc number.
    #[schemars(example = &"R1-2405780")]
    pub tdoc_id: Option<String>,
    /// The meeting of the document or of the notes.
    #[schemars(example = &"R1-118")]
    pub meeting_id: Option<String>,
    /// The kind of the notes.
    pub source_kind: Option<DecisionSourceKind>,
    /// The title of the document or of the notes.
    pub title: Option<String>,
    /// The URL of the file on the 3GPP server.
    pub official_url: Option<String>,
    /// The anchor of its first paragraph; null in a specification.
    #[schemars(example = &"R1-2405780.docx#p42")]
    pub anchor: Option<String>,
    /// The anchor of its last paragraph.
    pub last_anchor: Option<String>,
    /// The page it begins on, if known.
    pub page: Option<u32>,
    /// The text in the document.
    pub text: String,
    /// Share of the words that are the same, 0 to 1.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub similarity: f64,
    /// The differences; empty if the quote is exact.
    pub differences: Vec<QuoteDifference>,
    /// The formulas, pictures and tables of the text at which the quote differs, if it is word for word everywhere else; otherwise
    /// empty. What the quote has in their place is not verified.
    #[schemars(extend("x-addition" = true))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wildcards: Vec<QuoteWildcard>,
    /// Other versions of the specification that have the same text in the same section.
    pub also_in: Vec<Occurrence>,
}

/// One difference between a quote and a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteDifference {
    /// The kind of difference.
    #[schemars(example = &"replaced")]
    pub kind: QuoteDifferenceKind,
    /// The words of the quote; empty if words are missing.
    pub quoted: String,
    /// The words of the text; empty if the quote has extra words.
    pub actual: String,
}

/// A formula, picture or table of a text at which a quote differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteWildcard {
    /// Kind of element.
    #[schemars(example = &"formula")]
    pub kind: WildcardKind,
    /// The anchor of its paragraph; null in a specification.
    pub anchor: Option<String>,
    /// What the quote has in its place; empty if the quote leaves it out.
    pub quoted: String,
    /// The element as text: a formula as LaTeX, a table as Markdown, `[figure]` or `[equation]` for a picture.
    pub actual: String,
}

/// What a quote was compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuoteCoverage {
    /// Number of specification versions.
    pub document_versions: u64,
    /// Number of meeting documents whose text was read.
    pub indexed_tdocs: u64,
    /// Number of meeting notes and reports whose text is stored.
    pub meeting_notes: u64,
    /// Number of notes and reports that were not compared because their text is not stored; import them again.
    pub notes_without_text: u64,
    /// Whether all candidate texts were compared; false if the words of the quote are too common for this.
    pub is_complete: bool,
}
