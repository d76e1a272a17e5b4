//! The vocabulary of the domain: identifiers, parsed once at the edge and valid from then on.
//!
//! Owns parsing, printing and ordering of document numbers, versions, releases, section numbers, and of
//! groups, meetings and their documents (TDocs). It knows nothing of files, storage or the wire.

#![forbid(unsafe_code)]

mod block_kind;
mod change_cover;
mod clause_grammar;
mod closed_set;
mod content_type;
mod day_names;
mod decision;
mod defined_name;
mod difference_counts;
mod doc_number;
mod doc_type;
mod error_chain;
mod file_name;
mod group;
mod legal_form;
mod meeting_id;
mod meeting_patterns;
mod reading_check;
mod register_status;
mod release;
mod section_number;
mod tdoc_id;
mod tdoc_words;
mod term;
mod typed_version;
mod version;
mod wildcard_kind;
mod words_of_search;

pub use block_kind::BlockKind;
pub use change_cover::ChangeCover;
pub use closed_set::list_words;
pub use content_type::PassageContentType;
pub use day_names::{MONTHS, WEEKDAY_PATTERN, WEEKDAYS};
pub use decision::{
    DecisionDoubt, DecisionRelation, DecisionStanding, DecisionType, DocumentOutcome, NotesKind,
    RecordedDecision,
};
pub use defined_name::{DefinedNameKind, NameFinding, NameFindingKind, PrintedForm};
pub use difference_counts::{DifferenceCounts, DifferenceTally};
pub use doc_number::DocNumber;
pub use doc_type::DocType;
pub use error_chain::error_chain;
pub use file_name::{PartOrder, SpecFileName};
pub use group::Group;
pub use legal_form::is_legal_form_word;
pub use meeting_id::MeetingId;
pub use meeting_patterns::{BARE_MEETING_NUMBER_PATTERN, MEETING_SUFFIX_PATTERN};
pub use reading_check::{ReadingCheck, ReadingCheckKind};
pub use register_status::RegisterStatus;
pub use release::Release;
pub use section_number::{SectionNumber, strip_clause_word};
pub use tdoc_id::TdocId;
pub use tdoc_words::{DocKind, SourceRole};
pub use term::{TermKind, query_keys, term_key, to_singular};
pub use typed_version::TypedVersion;
pub use version::Version;
pub use wildcard_kind::WildcardKind;
pub use words_of_search::{
    ClauseRelation, DifferencePieceKind, OrganizationResolutionStatus, QuoteDifferenceKind,
    ReferenceKind, ReferenceTargetStatus, SearchShortfall, TdocMatch, UnitType,
};

use std::borrow::Cow;

/// Maximum characters of a text that an error repeats. The text comes from requests and files and may have any length.
const MAX_TEXT_CHARS: usize = 80;

/// A text that is not the expected identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not {expected}")]
pub struct ParseError {
    /// The text as given.
    pub text: String,
    /// What it should have been, for example `a document number such as 38.331`.
    pub expected: Cow<'static, str>,
}

impl ParseError {
    /// The error for a `text` that is not `expected`; it repeats the beginning of the text.
    pub fn new(text: &str, expected: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.chars().take(MAX_TEXT_CHARS).collect(), expected: expected.into() }
    }

    /// The error for a `text` that is none of the accepted words: `'blue' is not a color: use red or green`.
    pub fn not_one_of(text: &str, name: &str, words: &[&str]) -> Self {
        Self::new(text, format!("{name}: use {}", join_alternatives(words)))
    }
}

/// `a`, `a or b`, `a, b or c`.
pub fn join_alternatives<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}
