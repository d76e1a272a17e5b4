//! The word index: tantivy stores the postings, this crate ranks the passages.
//!
//! One tantivy document per passage. A query becomes a `LexicalPlan` (`plan.rs`) of scored units; a
//! search runs over the posting lists of the units, skips what cannot be among the best, and
//! returns distinct contents. Knows nothing of redb: the caller decides which passages are live.

#![forbid(unsafe_code)]

pub mod analyzer;
mod content_set;
mod dictionary;
mod error;
mod fingerprints;
mod index;
mod plan;
mod postings;
mod query;
mod query_tokens;
mod search;
mod section_terms;
mod stop_words;
#[cfg(test)]
mod tests;
mod top_hits;
mod unit;
mod vocabulary;

pub use content_set::ContentSet;
pub use error::LexicalError;
pub use index::{LexicalCommit, LexicalIndex, LexicalPassage, LexicalWriter, find_damaged_files};
pub use query::{LexicalHit, LexicalQuery, QueryExpansion};
pub use search::{LexicalScope, count_occurrences, find_phrase, max_score, search_index};
/// A view of one commit of an index.
pub use tantivy::Searcher;
pub use vocabulary::{
    VocabularyWord, begins_word, complete_word, correct_word, find_written_form, joined_form,
    name_words, typed_words,
};
