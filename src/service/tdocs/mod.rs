//! Meeting documents: records and lists of what registers say, and who brought what.

pub(super) mod asked;
mod calendar_import;
mod content;
mod coverage;
mod cursor;
mod fetch;
mod filter_words;
mod get_organization;
mod get_tdoc;
mod list_tdocs;
mod organization;
pub(super) mod record;
mod register_import;
mod resolve_organization;
mod search_tdocs;
mod sync;

pub use calendar_import::CalendarReport;
pub(super) use fetch::Fetches;
pub use sync::{MeetingSyncReport, PendingReport, SyncReport};
