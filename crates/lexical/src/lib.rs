//! The word index: tantivy holds the words, this module ranks them.
//!
//! One tantivy document per passage. A question becomes a [`plan::Plan`] of scored units; a
//! search runs over the posting lists of the units, skips what cannot be among the best, and
//! returns distinct contents. Knows nothing of redb: who lives is asked of the caller.

pub mod analyzer;
mod best;
mod content_set;
mod dictionary;
mod error;
mod index;
mod place;
mod plan;
mod postings;
mod query;
mod search;
mod stop_words;
#[cfg(test)]
mod tests;
mod unit;
mod wanted;

pub use content_set::ContentSet;
pub use error::LexicalError;
pub use index::{Committed, Lexical, LexicalPassage, LexicalWriter};
pub use query::{Expansion, LexicalQuery, WordHit};
pub use search::{Scope, most, occurrences, search};
