//! Reads meeting calendars from files.

use std::{fs::File, io::Read, path::Path};

use register::CalendarMeeting;

use domain::MeetingId;
use store::CalendarNote;

/// Largest calendar; the longest page of a group has a few hundred meetings. The file is read whole into memory.
const MAX_CALENDAR_BYTES: u64 = 32 << 20;

/// A calendar could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CalendarError {
    /// The operating system refused the file.
    #[error("it cannot be read")]
    Io(#[from] std::io::Error),
    /// It is larger than the limit.
    #[error("it is larger than {} MiB", MAX_CALENDAR_BYTES >> 20)]
    TooLarge,
    /// It is not a calendar.
    #[error("it is not a calendar")]
    Foreign(#[from] register::RegisterError),
}

/// The content of a calendar.
#[derive(Debug, Default)]
pub struct ReadCalendar {
    /// Its meetings.
    pub meetings: Vec<(MeetingId, CalendarNote)>,
    /// One sentence for each part that could not be read.
    pub faults: Vec<String>,
}

/// Reads a calendar.
pub fn read_calendar(path: &Path) -> Result<ReadCalendar, CalendarError> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_CALENDAR_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_CALENDAR_BYTES {
        return Err(CalendarError::TooLarge);
    }
    let calendar = register::read_calendar(&bytes)?;
    let mut faults = calendar.faults;
    let mut meetings = Vec::with_capacity(calendar.meetings.len());
    for meeting in calendar.meetings {
        match meeting.name.parse() {
            Ok(id) => meetings.push((id, to_calendar_note(meeting))),
            Err(error) => faults.push(format!("{error}; skipped")),
        }
    }
    Ok(ReadCalendar { meetings, faults })
}

fn to_calendar_note(meeting: CalendarMeeting) -> CalendarNote {
    let CalendarMeeting { place, start, end, range, folder, is_cancelled, .. } = meeting;
    CalendarNote { location: place, start, end, range, folder, is_cancelled }
}
