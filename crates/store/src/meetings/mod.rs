//! Meetings, their notes, and their decisions.

mod notes;
mod reader;

pub use notes::NotesStoreResult;
pub use reader::MeetingReader;
