//! Registers of meeting documents (TDocs).
//!
//! Every meeting of a 3GPP group has a register: a workbook `TDoc_List...xlsx` (or `.xlsm`) from the
//! 3GPP portal, or for some groups a page `TdocsByAgenda.htm`. This crate reads either into
//! the same entries, and meeting calendars and the portal's list of specifications too. It knows headings and cells, not groups,
//! organizations or storage.
//!
//! Columns are recognised by their headings, in any order; columns with unknown headings are ignored. The
//! columns of contact persons are never read.

#![forbid(unsafe_code)]

mod calendar;
mod column;
mod entry;
mod entry_links;
mod error;
mod links;
mod page;
mod source;
mod specification_list;
mod status;
mod table;
mod time;
mod workbook;

pub use calendar::{Calendar, CalendarMeeting, read_calendar};
pub use column::Column;
pub use entry::{AgendaItem, ChangeRequestPackEntry, Register, RegisterEntry};
pub use error::RegisterError;
pub use links::{MergedTdoc, RegisterLinks, RevisionOutcome};
pub use source::{Party, parse_parties};
pub use specification_list::{ListedSpecification, read_specification_list};
pub use status::parse_status;
pub use workbook::{Sheet, read_sheets};

/// Bytes at the start of a page that contain its `<html>` tag. Comments may precede it; farther down, any file that
/// only mentions the tag would be a page.
const PAGE_SNIFF_BYTES: usize = 4096;

/// Reads a register: a workbook or an HTML page.
///
/// # Errors
///
/// If the bytes are neither a workbook nor a page, or contain no table with the headings of a register.
/// Cells that cannot be read do not fail their entry; [`Register::faults`] lists them.
pub fn read_register(bytes: &[u8]) -> Result<Register, RegisterError> {
    if bytes.starts_with(b"PK\x03\x04") {
        return workbook::read_workbook(bytes);
    }
    let start = &bytes[..bytes.len().min(PAGE_SNIFF_BYTES)];
    let is_page = start.to_ascii_lowercase().windows(5).any(|window| window == b"<html");
    if is_page { page::read_page(bytes) } else { Err(RegisterError::UnknownForm) }
}
