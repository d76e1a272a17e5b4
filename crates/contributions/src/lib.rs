//! What meetings have before them: documents (TDocs) by what their registers say, who they are from, and
//! what became of them.
//!
//! Owns the catalog that questions are answered from, and the way of registers and calendars into the
//! store. Promises that a company's position is never taken from a document it only wrote down for others,
//! and that what became of a document is what the newest register says.

mod calendar;
mod catalog;
mod clauses;
mod decisions;
mod filter;
mod identify;
mod import;
mod kind;
mod label;
mod locate;
mod meetings;
mod notes;
mod own_words;
mod topics;

pub use calendar::{CalendarError, ReadCalendar, read_calendar};
pub use catalog::{Catalog, PartyEntry, TdocEntry, work_items};
pub use clauses::{ClauseMatch, match_in_list, names};
pub use decisions::{Decision, MeetingDecisions, Standing, contained, sources_of};
pub use filter::{Coverage, TdocFilter, is_within};
pub use import::{
    ImportError, ImportReport, Importer, RefusedRegister, RegisterReport, registers_under,
};
pub use kind::DocKind;
pub use label::status_label;
pub use locate::{
    Located, documents_of, files_inside, in_meeting, inbox_revisions, locate, meeting_folders,
    stem_of,
};
pub use meetings::{Dates, Meeting};
pub use notes::{
    NoNotes, RecognisedNotes, decision_rows, kind_of_document, meeting_in, notes_on, of_document,
    recognise,
};
pub use own_words::entry_of;
pub use topics::{Topics, topic_words};
