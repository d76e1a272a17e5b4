//! Workbooks: `TDoc_List...xlsx` and `.xlsm`, the portal's exports, and lists made of them.

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

/// Sheets that registers have by name.
const LIST_SHEET: &str = "TDoc_List";
const PACKS_SHEET: &str = "CR_Packs_List";
/// So many rows without anything end a sheet: some declare a million.
const MAX_EMPTY_ROWS: u32 = 1000;
/// Columns that are read; the widest register known has 36.
const MOST_COLUMNS: usize = 100;
/// Rows that are read; the largest register known has 3,309.
const MOST_ROWS: usize = 200_000;

pub(crate) fn read_workbook(bytes: &[u8]) -> Result<Register, RegisterError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let mut names = workbook.sheet_names();
    // The sheet that is called so first, then any that has the headings.
    names.sort_by_key(|name| name != LIST_SHEET);
    for name in names.iter().filter(|name| *name != PACKS_SHEET) {
        let rows = read_rows(&mut workbook, name, true)?;
        if let Some(mut register) = parse_register(rows, AgendaLayout::InEachRow) {
            if names.iter().any(|name| name == PACKS_SHEET) {
                register.packs = parse_packs(&read_rows(&mut workbook, PACKS_SHEET, false)?);
            }
            return Ok(register);
        }
    }
    Err(RegisterError::NoRegister)
}

/// A sheet of a workbook: its name, and its rows that hold something by their numbers from 1.
pub type Sheet = (String, Vec<(u32, Vec<String>)>);

/// Every sheet of a workbook, whatever stands in it; cells of numbers and dates as plain text.
///
/// # Errors
///
/// Where the bytes are no workbook of the newer form (`.xlsx`, `.xlsm`).
pub fn read_sheets(bytes: &[u8]) -> Result<Vec<Sheet>, RegisterError> {
    let mut workbook: Xlsx<_> = Xlsx::new(Cursor::new(bytes))?;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        // A sheet may be a chart.
        let Ok(rows) = read_rows(&mut workbook, &name, false) else { continue };
        let texts =
            |row: SheetRow| (row.line, row.cells.into_iter().map(|cell| cell.text).collect());
        sheets.push((name, rows.into_iter().map(texts).collect()));
    }
    Ok(sheets)
}

/// The rows of a sheet that hold something, with the links of their cells where those are wanted.
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
        if row.saturating_sub(last) > MAX_EMPTY_ROWS || rows.len() > MOST_ROWS {
            break;
        }
        let column = column as usize;
        if text.is_empty() || column >= MOST_COLUMNS {
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
        // Stored as a part of a day, a second may lack a thousandth.
        Ok(whole) if milli >= 500 => {
            // The last second that a workbook knows has none after it.
            let next = whole.checked_add(jiff::Span::new().seconds(1));
            next.map_or(printed, |next| next.to_string())
        }
        _ => printed,
    }
}

fn parse_packs(rows: &[SheetRow]) -> Vec<ChangeRequestPackEntry> {
    let Some((headings, rows)) = rows.split_first() else { return Vec::new() };
    let at =
        |name: &str| headings.cells.iter().position(|cell| cell.text.eq_ignore_ascii_case(name));
    let (pack, tdoc) = (at("CR Pack TDoc"), at("WG Tdoc"));
    let (group, tsg) = (at("WG TDoc decision"), at("CR Individual TSG decision"));
    let text = |row: &SheetRow, at: Option<usize>| {
        let text = &row.cells.get(at?)?.text;
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

    #[test]
    fn regression_the_last_second_is_not_rounded_up() {
        let time =
            |value| format_time(&ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false));
        assert_eq!(time(45_000.999_99), "2023-03-15T23:59:59");
        assert_eq!(time(2_958_465.999_999), "9999-12-31T23:59:59");
    }
}
