//! Meetings: when they are, what is before them, and what they decided.

mod adopted;
mod get_meeting;
mod list_decisions;
mod list_meetings;
mod notes_import;
mod record;
mod registered;
mod trace_clause;
mod view;

pub use notes_import::{MeetingsReport, TakenNotes};

pub(super) use view::KeptViews;
