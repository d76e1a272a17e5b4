//! Meetings: what is known of them, their notes, and what they decided.

mod notes;
mod reader;

pub use notes::NotesStoreResult;
pub use reader::MeetingReader;
