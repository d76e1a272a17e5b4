//! Suggestions while typing: the names that complete the text, and the clause that a typed address leads to.
//!
//! A [`NameIndex`] holds the names of a corpus: numbers and titles of documents, titles of clauses, terms and
//! abbreviations. It is built in memory from documents, and asked at every keystroke. A [`ClauseAddress`] is the
//! meaning of `38.331 5.3.5`. [`find_nearest`] finds the name that a misspelt one means. Knows no storage: documents
//! and sections are numbers of the caller.

#![forbid(unsafe_code)]

mod address;
mod name_index;
mod nearest;
mod typed_document;
mod typed_words;

pub use address::ClauseAddress;
pub use name_index::{FoundName, Name, NameIndex, NameIndexBuilder, NameKind, NamePlace};
pub use nearest::{find_documents, find_nearest};
pub use typed_document::{TypedDocument, print_version, release_of};
pub use typed_words::TypedWords;
