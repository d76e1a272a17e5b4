//! Quotes: whether a text occurs word for word in specifications, meeting documents, and notes of meetings.

mod block_text;
mod candidates;
mod notes;
mod scope;
mod specifications;
mod tdocs;
mod verify_quote;
pub use notes::prepare_quotes;

pub(super) use notes::NotesFilterCache;
