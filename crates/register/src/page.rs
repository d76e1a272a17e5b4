//! HTML pages: the tables of `TdocsByAgenda.htm` and similar files.

use std::sync::LazyLock;

use html5gum::{Token, Tokenizer};
use regex::Regex;

use crate::{
    entry::Register,
    error::RegisterError,
    table::{AgendaLayout, SheetCell, SheetRow, parse_register},
};

/// Maximum number of cells of a row that are read, as of a workbook: a page without `<tr>` would be one endless row.
const MAX_COLUMNS: usize = 100;

/// Bytes of text in which the name of the meeting is searched for: it stands before the documents, after notices of a
/// few pages and, on pages that an office program saved, after its style sheet.
const MAX_HEAD_BYTES: usize = 1 << 20;
/// Maximum length of what follows "List for Meeting:".
const MAX_MEETING_CHARS: usize = 60;

/// The words before the meeting that a page lists. The title of many pages has them without a meeting.
static MEETING_HEADING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\blist\s+for\s+(?:the\s+)?meeting\b\s*:?\s*")
        .expect("a constant pattern; a test uses it")
});

pub(crate) fn read_page(bytes: &[u8]) -> Result<Register, RegisterError> {
    let page = decode_text(bytes);
    let register = (1..).zip(parse_tables(&page)).find_map(|(number, rows)| {
        let register = parse_register(rows, AgendaLayout::AboveItsRows)?;
        Some(Register { sheet: format!("table{number}"), ..register })
    });
    let register = register.ok_or(RegisterError::NoRegister)?;
    Ok(Register { meeting: find_meeting_heading(&page).unwrap_or_default(), ..register })
}

/// The text after "List for Meeting:", if it may name a meeting.
fn find_meeting_heading(page: &str) -> Option<String> {
    let mut text = String::new();
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::String(part) => text.push_str(&String::from_utf8_lossy(&part)),
            // The name may be split over elements within a line, but not over lines.
            Token::StartTag(tag) if matches!(tag.name.as_slice(), b"p" | b"br" | b"tr" | b"td") => {
                text.push(' ');
            }
            _ => {}
        }
        if text.len() > MAX_HEAD_BYTES {
            break;
        }
    }
    let after = MEETING_HEADING.find_iter(&text).map(|found| &text[found.end()..]);
    let named = after.map(|after| {
        let start: String = after.chars().take(MAX_MEETING_CHARS).collect();
        start.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    // The title of a page has only a dash there.
    let mut named = named.filter(|named| {
        named.starts_with(|c: char| c.is_alphanumeric() || c == '#')
            && named.bytes().any(|byte| byte.is_ascii_digit())
    });
    named.next()
}

/// The text of a page: UTF-8, otherwise Windows-1252.
pub(crate) fn decode_text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => encoding_rs::WINDOWS_1252.decode(bytes).0.into_owned(),
    }
}

/// The tables of a page, with rows counted in each as a browser counts them (`table.rows`). A table within a cell
/// ends the one around it, because no register has one.
pub(crate) fn parse_tables(page: &str) -> Vec<Vec<SheetRow>> {
    let mut tables: Vec<Vec<SheetRow>> = Vec::new();
    let mut cursor = CellCursor::default();
    for Ok(token) in Tokenizer::new(page) {
        match token {
            Token::StartTag(tag) => match tag.name.as_slice() {
                b"table" => tables.push(Vec::new()),
                b"tr" => {
                    cursor.is_in_cell = false;
                    if let Some(table) = tables.last_mut() {
                        push_row(table);
                    }
                }
                b"td" | b"th" => cursor.is_in_cell = begin_cell(&mut tables),
                b"br" | b"p" => cursor.append_text(&mut tables, " "),
                b"a" => {
                    let href = tag.attributes.get(b"href".as_slice());
                    if let Some(cell) = cursor.current_cell(&mut tables) {
                        cell.link =
                            href.map(|value| String::from_utf8_lossy(value).trim().to_owned());
                    }
                }
                _ => {}
            },
            Token::EndTag(tag) => match tag.name.as_slice() {
                b"td" | b"th" | b"tr" | b"table" => cursor.is_in_cell = false,
                _ => {}
            },
            Token::String(text) => cursor.append_text(&mut tables, &String::from_utf8_lossy(&text)),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    for cell in tables.iter_mut().flatten().flat_map(|row| &mut row.cells) {
        cell.text = cell.text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    tables
}

/// Whether the tokens are in a cell: the last one of the last table.
#[derive(Default)]
struct CellCursor {
    is_in_cell: bool,
}

impl CellCursor {
    /// The cell that is open.
    fn current_cell<'a>(&self, tables: &'a mut [Vec<SheetRow>]) -> Option<&'a mut SheetCell> {
        let row = tables.last_mut()?.last_mut()?;
        self.is_in_cell.then(|| row.cells.last_mut()).flatten()
    }

    fn append_text(&self, tables: &mut [Vec<SheetRow>], text: &str) {
        if let Some(cell) = self.current_cell(tables) {
            cell.text.push_str(text);
        }
    }
}

/// Opens a row of a table.
fn push_row(table: &mut Vec<SheetRow>) {
    let line = u32::try_from(table.len() + 1).unwrap_or(u32::MAX);
    table.push(SheetRow { line, cells: Vec::new() });
}

/// Opens a cell in the last row; false if the row is full. The headings of some pages are in no row, so one is opened
/// for them.
fn begin_cell(tables: &mut [Vec<SheetRow>]) -> bool {
    let Some(table) = tables.last_mut() else { return false };
    if table.is_empty() {
        push_row(table);
    }
    let row = table.last_mut().filter(|row| row.cells.len() < MAX_COLUMNS);
    row.map(|row| row.cells.push(SheetCell::default())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;
    use domain::RegisterStatus;

    #[test]
    fn documents_and_agenda_items_are_distinguished() {
        let page = "<html><table><tr><td>not this one</table><TABLE BORDER=1>\
            <TR><TD><b> AI </b></TD><TD>TD#</TD><TD>Subject<TD>Source<TD>Result</TR>\
            <TR><TD>2.1<TD>-<TD>Calls &amp; reminders<TD>-<TD>-\
            <TR><TD>2.1</TD><TD><a name=x href=\"Docs\\S2-1.zip\"><b> S2-2407386</b></a>\
            <TD>An<br>agenda<TD>SA WG2 Chair<TD><b> Approved </b></TABLE>";
        let register = read_page(page.as_bytes()).expect("a register");
        assert_eq!((register.sheet.as_str(), register.entries[0].line), ("table2", 3));
        assert_eq!(register.agenda.len(), 1);
        assert_eq!(register.agenda[0].title, "Calls & reminders");
        let entry = &register.entries[0];
        assert_eq!(
            (entry.tdoc.as_str(), entry.url.as_deref()),
            ("S2-2407386", Some("Docs\\S2-1.zip"))
        );
        assert_eq!(entry.column_text(Column::Title), Some("An agenda"));
        assert_eq!(entry.status(), RegisterStatus::Approved);
        assert_eq!(entry.column_text(Column::AgendaItem), Some("2.1"));
    }

    #[test]
    fn a_page_names_its_meeting_above_its_documents() {
        let list =
            "<table><tr><td>TD#<td>Title<td>Source<tr><td>S2-9900001<td>Beams<td>Nokia</table>";
        for (head, meeting) in [
            (
                "<title>Document List for meeting - Ordered by Item</title><p>List for <b>Meeting:</b> \
              &nbsp;S2-<i>129BIS</i><p>All Sessions",
                "S2-129BIS All Sessions",
            ),
            (
                "<p>List for Meeting: All Sessions Temporary Documents List - Ordered by Agenda Item",
                "",
            ),
            ("<p>Meeting S2-129", ""),
        ] {
            let register = read_page(format!("<html>{head}{list}").as_bytes()).expect("a register");
            assert!(register.meeting.starts_with(meeting), "{}", register.meeting);
            assert_eq!(register.meeting.is_empty(), meeting.is_empty(), "{}", register.meeting);
        }
    }

    #[test]
    fn pages_of_any_bytes_are_read_or_refused() {
        for bytes in
            [&b"<html>"[..], b"<html><table><tr><td>TDoc", b"<html>\xff<table", b"<html></td></tr>"]
        {
            assert!(matches!(read_page(bytes), Err(RegisterError::NoRegister)));
        }
    }
}
