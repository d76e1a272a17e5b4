//! The word indexes: what goes into them, their commit, and their recovery.

mod indexer;
mod indexes;
mod recover;
mod vocabulary;

pub(crate) use indexes::{LexicalIndexes, LexicalSearchers, LexicalWriters};
pub use vocabulary::VocabularyReader;
