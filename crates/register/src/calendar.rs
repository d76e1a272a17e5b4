//! Meeting calendars: the pages of the standards body, one for each group, and CSV tables that an operator
//! writes.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    error::RegisterError,
    page,
    table::{SheetCell, SheetRow},
};

/// The meetings of a calendar.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calendar {
    /// The meetings, in the order of the file.
    pub meetings: Vec<CalendarMeeting>,
    /// The cells that could not be read, a sentence for each.
    pub faults: Vec<String>,
}

/// A meeting in a calendar.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarMeeting {
    /// Its name, as written.
    pub name: String,
    /// The town.
    pub place: Option<String>,
    /// Its first day.
    pub start: Option<Date>,
    /// Its last day.
    pub end: Option<Date>,
    /// First and last number of its documents.
    pub range: Option<(String, String)>,
    /// Its folder on the 3GPP file server, below `ftp`, with slashes.
    pub folder: Option<String>,
    /// Whether it was called off.
    pub is_cancelled: bool,
}

/// The headings of each column in lower case, first those of the pages.
const HEADINGS: [(CalendarColumn, &[&str]); 9] = [
    (CalendarColumn::Name, &["name", "meeting", "meeting_id"]),
    (CalendarColumn::Title, &["title"]),
    (CalendarColumn::Location, &["location", "place", "town"]),
    (CalendarColumn::Start, &["start date", "start", "start_date"]),
    (CalendarColumn::End, &["end date", "end", "end_date"]),
    (CalendarColumn::Range, &["docs", "range"]),
    (CalendarColumn::First, &["first", "first_tdoc"]),
    (CalendarColumn::Last, &["last", "last_tdoc"]),
    (CalendarColumn::Folder, &["folder"]),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CalendarColumn {
    Name,
    Title,
    Location,
    Start,
    End,
    Range,
    First,
    Last,
    Folder,
}

/// Reads a calendar: a page with a table whose headings are `Name` and `Start date`, or a table of
/// comma-separated values with the headings `meeting`, `start_date`, and as many as are known of
/// `end_date`, `place`, `first_tdoc`, `last_tdoc` and `folder`.
///
/// # Errors
///
/// If there is no such table.
pub fn read_calendar(bytes: &[u8]) -> Result<Calendar, RegisterError> {
    let text = page::decode_text(bytes);
    let text = text.trim_start_matches('\u{feff}');
    let tables = if text.trim_start().starts_with('<') {
        page::parse_tables(text)
    } else {
        vec![parse_csv_rows(text)]
    };
    tables.into_iter().find_map(|rows| parse_calendar(&rows)).ok_or(RegisterError::NoCalendar)
}

fn parse_csv_rows(text: &str) -> Vec<SheetRow> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let rows = (1..).zip(reader.records()).filter_map(|(line, record)| {
        let cells = record
            .ok()?
            .iter()
            .map(|text| SheetCell { text: text.trim().to_owned(), link: None })
            .collect();
        Some(SheetRow { line, cells })
    });
    rows.collect()
}

fn parse_calendar(rows: &[SheetRow]) -> Option<Calendar> {
    let (headings, rows) = rows.split_first()?;
    let fields: Vec<Option<CalendarColumn>> =
        headings.cells.iter().map(|cell| column_of_heading(&cell.text)).collect();
    if ![CalendarColumn::Name, CalendarColumn::Start]
        .iter()
        .all(|needed| fields.contains(&Some(*needed)))
    {
        return None;
    }
    let mut calendar = Calendar::default();
    for row in rows.iter().filter(|row| row.cells.iter().any(|cell| !cell.text.is_empty())) {
        add_meeting(&mut calendar, &fields, row);
    }
    Some(calendar)
}

fn column_of_heading(heading: &str) -> Option<CalendarColumn> {
    let heading = heading.trim().to_lowercase();
    HEADINGS.iter().find(|(_, names)| names.contains(&heading.as_str())).map(|(field, _)| *field)
}

fn add_meeting(calendar: &mut Calendar, fields: &[Option<CalendarColumn>], row: &SheetRow) {
    let text = |column: CalendarColumn| {
        let index = fields.iter().position(|field| *field == Some(column))?;
        // Pages write dates and numbers with non-breaking hyphens, which do not parse as a date.
        let text = row.cells.get(index)?.text.replace('\u{2011}', "-");
        let text = text.replace('\u{a0}', " ").trim().to_owned();
        (!matches!(text.as_str(), "" | "-")).then_some(text)
    };
    let Some(name) = text(CalendarColumn::Name) else { return };
    let mut date = |field| {
        let text = text(field)?;
        let date = text.parse().ok();
        if date.is_none() {
            calendar.faults.push(format!("row {}: '{text}' is not a date (YYYY-MM-DD)", row.line));
        }
        date
    };
    let (start, end) = (date(CalendarColumn::Start), date(CalendarColumn::End));
    let range_cell = text(CalendarColumn::Range).and_then(|range| {
        let (first, rest) = range.split_once(" - ")?;
        Some((first.trim().to_owned(), rest.split_whitespace().next()?.to_owned()))
    });
    let range =
        range_cell.or_else(|| Some((text(CalendarColumn::First)?, text(CalendarColumn::Last)?)));
    let links = row.cells.iter().filter_map(|cell| cell.link.as_deref());
    let folder = text(CalendarColumn::Folder)
        .or_else(|| links.filter_map(meeting_folder).min_by_key(String::len));
    let is_cancelled =
        text(CalendarColumn::Title).is_some_and(|title| title.to_lowercase().contains("cancelled"));
    calendar.meetings.push(CalendarMeeting {
        name,
        place: text(CalendarColumn::Location),
        start,
        end,
        range,
        folder,
        is_cancelled,
    });
}

/// The folder of the meeting that a link on a page targets: `/../\ftp\tsg_ran\WG5\TSGR5_79\Agenda/`.
fn meeting_folder(link: &str) -> Option<String> {
    let link = link.replace('\\', "/");
    let (_, path) = link.split_once("/ftp/")?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    // The path up to one of the folders that every meeting has: links target any of them.
    let subfolders = ["agenda", "docs", "inbox", "invitation", "ls", "report"];
    let parts: Vec<&str> = parts
        .into_iter()
        .take_while(|part| !subfolders.contains(&part.to_lowercase().as_str()))
        .collect();
    (!parts.is_empty() && !parts.contains(&"..")).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn calendar_pages_of_groups_are_read() {
        let page = "<html><table><tr><th>Name</th><th>Title</th><th>Location</th><th>Start date</th>\
            <th>End date</th><th>Docs</th></tr>\
            <tr><td><a href=\"https://p.example/meeting?1\">R5-79</a></span></td><td>3GPPRAN5#79</td>\
            <td><a href=\"/../..\\ftp\\TSG_RAN\\WG5\\TSGR5_79_Busan\\Invitation/\">Busan</a></td>\
            <td>2018&#8209;05&#8209;21</td><td>2018&#8209;05&#8209;25</td>\
            <td>R5-182150 - R5-183964&nbsp;&nbsp;<br>full document list</td></tr>\
            <tr><td>R5-96</td><td>3GPPRAN5#96 CANCELLED</td><td></td><td>soon</td><td></td><td> - </td></tr>";
        let calendar = read_calendar(page.as_bytes()).expect("a calendar");
        let first = &calendar.meetings[0];
        assert_eq!((first.name.as_str(), first.place.as_deref()), ("R5-79", Some("Busan")));
        assert_eq!((first.start, first.end), (Some(date(2018, 5, 21)), Some(date(2018, 5, 25))));
        assert_eq!(first.range, Some(("R5-182150".to_owned(), "R5-183964".to_owned())));
        assert_eq!(first.folder.as_deref(), Some("TSG_RAN/WG5/TSGR5_79_Busan"));
        let second = &calendar.meetings[1];
        assert!(second.is_cancelled && second.range.is_none() && second.start.is_none());
        assert_eq!(calendar.faults, ["row 3: 'soon' is not a date (YYYY-MM-DD)"]);
    }

    #[test]
    fn tables_of_an_operator_are_read() {
        let text = "meeting,start_date,end_date,place,first_tdoc,last_tdoc\n\
            R1-118,2024-08-19,2024-08-23,Maastricht,R1-2405780,R1-2407579\n\nRAN1#119,2024-11-18\n";
        let calendar = read_calendar(text.as_bytes()).expect("a calendar");
        assert_eq!(calendar.meetings.len(), 2);
        assert_eq!(calendar.meetings[0].place.as_deref(), Some("Maastricht"));
        assert_eq!(calendar.meetings[1].start, Some(date(2024, 11, 18)));
        for bytes in [&b""[..], b"<html>", b"a,b\nc,d\n", b"\xff\xfe"] {
            assert!(read_calendar(bytes).is_err());
        }
    }
}
