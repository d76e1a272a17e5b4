//! Workbooks: `TDoc_List...xlsx` and `.xlsm`, the portal's exports, and lists derived from them.

use std::{
    collections::HashMap,
    io::{Cursor, Read, Seek},
};

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx, XlsxError};

use crate::{
    entry::{ChangeRequestPackEntry, Register},
    error::RegisterError,
    table::{AgendaLayout, SheetCell, SheetRow, parse_register},
};

/// Names of the sheets of a register.
const LIST_SHEET: &str = "TDoc_List";
const PACKS_SHEET: &str = "CR_Packs_List";
/// Number of empty rows that end a sheet: some sheets declare a million rows, and their formatted but empty cells
/// would all be read.
const MAX_EMPTY_ROWS: u32 = 1000;
/// Maximum number of columns; the widest known register has 36.
const MAX_COLUMNS: usize = 100;
/// Maximum number of rows; the largest known register has 3,309.
const MAX_ROWS: usize = 200_000;

pub(crate) fn read_workbook(bytes: &[u8]) -> Result<Register, RegisterError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let mut names = workbook.sheet_names();
    // First the sheet with the usual name, then any sheet that has the headings: derived lists may name it differently.
    names.sort_by_key(|name| name != LIST_SHEET);
    for name in names.iter().filter(|name| *name != PACKS_SHEET) {
        let rows = read_rows(&mut workbook, name, true)?;
        if let Some(mut register) = parse_register(rows, AgendaLayout::InEachRow) {
            register.sheet.clone_from(name);
            if names.iter().any(|name| name == PACKS_SHEET) {
                register.packs = parse_packs(&read_rows(&mut workbook, PACKS_SHEET, false)?);
            }
            return Ok(register);
        }
    }
    Err(RegisterError::NoRegister)
}

/// A sheet of a workbook: its name, and its non-empty rows, each with its number from 1 and its cells.
pub type Sheet = (String, Vec<(u32, Vec<String>)>);

/// Every sheet of a workbook, whatever it contains; numbers and dates as plain text.
///
/// # Errors
///
/// If the bytes are not an Office Open XML workbook (`.xlsx`, `.xlsm`).
pub fn read_sheets(bytes: &[u8]) -> Result<Vec<Sheet>, RegisterError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        // A sheet may be a chart, which has no rows; the others must still be read.
        let Ok(rows) = read_rows(&mut workbook, &name, false) else { continue };
        let texts =
            |row: SheetRow| (row.line, row.cells.into_iter().map(|cell| cell.text).collect());
        sheets.push((name, rows.into_iter().map(texts).collect()));
    }
    Ok(sheets)
}

/// The non-empty rows of a sheet, with the links of their cells if `with_links`.
fn read_rows<R: Read + Seek>(
    workbook: &mut Xlsx<R>,
    name: &str,
    with_links: bool,
) -> Result<Vec<SheetRow>, XlsxError> {
    let mut links = HashMap::new();
    if with_links {
        for link in workbook.hyperlinks_by_sheet_name(name)? {
            if let Some(target) = link.target {
                links.insert(link.range.start, target);
            }
        }
    }
    let mut rows: Vec<SheetRow> = Vec::new();
    let mut cells = workbook.worksheet_cells_reader(name)?;
    while let Some(cell) = cells.next_cell()? {
        let (row, column) = cell.get_position();
        let text = cell_text(cell.get_value());
        let last = rows.last().map_or(0, |row| row.line);
        if row.saturating_sub(last) > MAX_EMPTY_ROWS || rows.len() > MAX_ROWS {
            break;
        }
        let column = column as usize;
        if text.is_empty() || column >= MAX_COLUMNS {
            continue;
        }
        if last != row + 1 {
            rows.push(SheetRow { line: row + 1, cells: Vec::new() });
        }
        let Some(SheetRow { cells, .. }) = rows.last_mut() else { continue };
        if cells.len() <= column {
            cells.resize_with(column + 1, SheetCell::default);
        }
        cells[column] = SheetCell { text, link: links.remove(&(row, column as u32)) };
    }
    Ok(rows)
}

fn cell_text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            text.trim().to_owned()
        }
        DataRef::SharedString(text) => text.trim().to_owned(),
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => number.to_string(),
        DataRef::Bool(yes) => yes.to_string(),
        DataRef::DateTime(time) => format_time(time),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
}

/// A time, to the second.
fn format_time(time: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let printed = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    match printed.parse::<jiff::civil::DateTime>() {
        // Times are stored as fractions of a day, so a whole second may come out some milliseconds short.
        Ok(whole) if milli >= 500 => {
            // There is no second after the last one that a workbook can store.
            let next = whole.checked_add(jiff::Span::new().seconds(1));
            next.map_or(printed, |next| next.to_string())
        }
        _ => printed,
    }
}

fn parse_packs(rows: &[SheetRow]) -> Vec<ChangeRequestPackEntry> {
    let Some((headings, rows)) = rows.split_first() else { return Vec::new() };
    let column_index =
        |name: &str| headings.cells.iter().position(|cell| cell.text.eq_ignore_ascii_case(name));
    let (pack, tdoc) = (column_index("CR Pack TDoc"), column_index("WG Tdoc"));
    let (group, tsg) =
        (column_index("WG TDoc decision"), column_index("CR Individual TSG decision"));
    let text = |row: &SheetRow, index: Option<usize>| {
        let text = &row.cells.get(index?)?.text;
        (!text.is_empty() && text != "-").then(|| text.clone())
    };
    let packs = rows.iter().filter_map(|row| {
        Some(ChangeRequestPackEntry {
            pack: text(row, pack)?,
            tdoc: text(row, tdoc)?,
            group_decision: text(row, group),
            tsg_decision: text(row, tsg),
        })
    });
    packs.collect()
}

#[cfg(test)]
mod tests {
    use calamine::ExcelDateTimeType;

    use super::*;
    use crate::table::SheetCell;

    #[test]
    fn entries_of_packs_are_read_by_their_headings() {
        let row = |texts: [&str; 5]| SheetRow {
            line: 0,
            cells: texts.map(|text| SheetCell { text: text.into(), link: None }).into(),
        };
        let rows = [
            row([
                "Notes",
                "WG Tdoc",
                "CR pack tdoc",
                "WG TDoc decision",
                "CR Individual TSG decision",
            ]),
            row(["", "R1-2500001", "RP-250001", "agreed", "approved"]),
            row(["", "R1-2500002", "RP-250001", "-", ""]),
            row(["a line without a document", "", "RP-250001", "agreed", "approved"]),
            row(["", "R1-2500003", "-", "agreed", "approved"]),
        ];
        let entry = |tdoc: &str, group: Option<&str>, tsg: Option<&str>| ChangeRequestPackEntry {
            pack: "RP-250001".into(),
            tdoc: tdoc.into(),
            group_decision: group.map(Into::into),
            tsg_decision: tsg.map(Into::into),
        };
        assert_eq!(
            parse_packs(&rows),
            [
                entry("R1-2500001", Some("agreed"), Some("approved")),
                entry("R1-2500002", None, None)
            ]
        );
        assert!(parse_packs(&[]).is_empty());
    }

    #[test]
    fn regression_the_last_second_is_not_rounded_up() {
        let time =
            |value| format_time(&ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false));
        assert_eq!(time(45_000.999_99), "2023-03-15T23:59:59");
        assert_eq!(time(2_958_465.999_999), "9999-12-31T23:59:59");
    }
}
