//! The domain's words: identifiers parsed once at the edge and infallible after.
//!
//! Owns parsing, printing and ordering of document numbers, versions, releases, section numbers, and of
//! groups, meetings and their documents (TDocs). It knows nothing of files, storage or the wire.

#![forbid(unsafe_code)]

mod content_type;
mod day_names;
mod decision;
mod doc_number;
mod doc_type;
mod error_chain;
mod file_name;
mod group;
mod legal_form;
mod meeting_id;
mod release;
mod section_number;
mod tdoc_id;
mod term;
mod version;

pub use content_type::ContentType;
pub use day_names::{MONTHS, WEEKDAY_PATTERN, WEEKDAYS};
pub use decision::{DecisionKind, DecisionOutcome, NotesKind};
pub use doc_number::DocNumber;
pub use doc_type::DocType;
pub use error_chain::error_chain;
pub use file_name::{PartOrder, SpecFileName};
pub use group::Group;
pub use legal_form::is_legal_form_word;
pub use meeting_id::MeetingId;
pub use release::Release;
pub use section_number::SectionNumber;
pub use tdoc_id::TdocId;
pub use term::{TermKind, query_keys, term_key, to_singular};
pub use version::Version;

/// A text that is not the identifier it was read as.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not {expected}")]
pub struct ParseError {
    /// The text as given.
    pub text: String,
    /// What it should have been, for example `a document number such as 38.331`.
    pub expected: &'static str,
}

impl ParseError {
    /// Says that `text`, of which the first 80 characters are kept, is not what was expected.
    pub fn new(text: &str, expected: &'static str) -> Self {
        Self { text: text.chars().take(80).collect(), expected }
    }
}
