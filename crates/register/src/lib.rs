//! Registers of meeting documents (TDocs).
//!
//! Every meeting of a 3GPP group has a register: a workbook `TDoc_List...xlsx` (or `.xlsm`) from the
//! standards body's portal, or for some groups a page `TdocsByAgenda.htm`. This crate reads either into
//! the same entries, and calendars of meetings beside them. It knows headings and cells, not groups, organizations or storage.
//!
//! Columns are found by what their headings say, in any order; what no heading names is left alone. The
//! columns of contact persons are never read.

#![forbid(unsafe_code)]

mod calendar;
mod column;
mod entry;
mod error;
mod page;
mod source;
mod status;
mod table;
mod time;
mod workbook;

pub use calendar::{Calendar, CalendarMeeting, read_calendar};
pub use column::Column;
pub use entry::{AgendaItem, ChangeRequestPackEntry, Register, RegisterEntry};
pub use error::RegisterError;
pub use source::{Party, PartyRole, parse_parties};
pub use status::TdocStatus;
pub use workbook::{Sheet, read_sheets};

/// Reads a register, whichever form it has.
///
/// # Errors
///
/// Where the bytes are neither a workbook nor a page, or hold no table with the headings of a register.
/// Cells that cannot be read cost themselves: the entry stays, and [`Register::faults`] says so.
pub fn read_register(bytes: &[u8]) -> Result<Register, RegisterError> {
    if bytes.starts_with(b"PK\x03\x04") {
        return workbook::read_workbook(bytes);
    }
    let start = &bytes[..bytes.len().min(4096)];
    let is_page = start.to_ascii_lowercase().windows(5).any(|window| window == b"<html");
    if is_page { page::read_page(bytes) } else { Err(RegisterError::UnknownForm) }
}
