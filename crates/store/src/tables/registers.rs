//! Rows of meetings and their documents (TDocs), as registers and calendars describe them.

use jiff::civil::Date;
use register::{AgendaItem, RegisterEntry};
use serde::{Deserialize, Serialize};

use domain::{MeetingId, TdocId};

/// A document of a meeting, as its register has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocRow {
    /// The meeting.
    pub meeting: MeetingId,
    /// What the register says.
    pub entry: RegisterEntry,
}

/// The row of a register that has the outcome of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterPosition {
    /// Name of the file.
    pub file: String,
    /// The sheet of the workbook, or the table of the page.
    pub sheet: String,
    /// The row in it, from 1.
    pub row: u32,
}

/// A meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeetingRow {
    /// Its id.
    pub id: MeetingId,
    /// What a calendar says of it.
    pub calendar: Option<CalendarNote>,
    /// What its register says of it, and from which file.
    pub register: Option<RegisterNote>,
}

/// What a calendar says of a meeting.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarNote {
    /// Where it is.
    pub location: Option<String>,
    /// Its first day.
    pub start: Option<Date>,
    /// Its last day.
    pub end: Option<Date>,
    /// First and last number of its documents.
    pub range: Option<(String, String)>,
    /// Its folder on the 3GPP file server.
    pub folder: Option<String>,
    /// Whether it was cancelled.
    pub is_cancelled: bool,
}

/// What the first page of a report says of its meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedMeeting {
    /// Where it was.
    pub place: Option<String>,
    /// Its first day.
    pub start: Date,
    /// Its last day.
    pub end: Date,
}

/// What a register says of its meeting as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterNote {
    /// Name of the file.
    pub file: String,
    /// When it was read, RFC 3339 in UTC.
    pub imported_at: String,
    /// Documents in it.
    pub rows: u32,
    /// First and last number of the meeting's own.
    pub range: Option<(TdocId, TdocId)>,
    /// Whether it lists the whole meeting, judging by its numbers.
    pub is_full: bool,
    /// The day on which the meeting began, judging by dates in the register.
    pub estimated_start: Option<Date>,
    /// Its folder on the 3GPP file server, from the links.
    pub folder: Option<String>,
    /// Items of the agenda with their titles, in its order.
    pub agenda: Vec<AgendaItem>,
}
