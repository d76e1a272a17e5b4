//! Tables of cells, from workbooks and pages alike, and how a register is read from one.

use std::collections::BTreeMap;

use crate::{
    column::Column,
    entry::{AgendaItem, Register, RegisterEntry},
    time,
};

/// Rows at the top in which the headings are searched for: lists may have a title above them. Every sheet and table
/// of a file is tried, so a search through all rows would read long sheets for nothing.
const MAX_HEADING_ROWS: usize = 10;
/// Columns that every register has. With fewer, other tables of a page, such as its legend, would be registers.
const REQUIRED_COLUMNS: [Column; 3] = [Column::Tdoc, Column::Title, Column::Source];
/// Maximum length of a cell; longer ones are cut. Abstracts have hundreds of characters.
const MAX_CELL_CHARS: usize = 10_000;
/// Texts of empty cells: pages print a dash.
const EMPTY_MARKS: [&str; 3] = ["", "-", "\u{2013}"];

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SheetCell {
    /// Its text, without spaces around it.
    pub(crate) text: String,
    /// The target of its link.
    pub(crate) link: Option<String>,
}

/// A row: its number in the file, from 1, and its cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct SheetRow {
    pub(crate) line: u32,
    pub(crate) cells: Vec<SheetCell>,
}

/// How a table assigns documents to agenda items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgendaLayout {
    /// Each row has its agenda item.
    InEachRow,
    /// A row has the agenda item of the rows below, which omit it.
    AboveItsRows,
}

/// The register in a table; `None` if its first rows do not contain the headings of one.
pub(crate) fn parse_register(rows: Vec<SheetRow>, agenda: AgendaLayout) -> Option<Register> {
    let (index, columns) =
        rows.iter().take(MAX_HEADING_ROWS).enumerate().find_map(|(index, row)| {
            let columns = map_columns(row);
            REQUIRED_COLUMNS
                .iter()
                .all(|needed| columns.contains_key(needed))
                .then_some((index, columns))
        })?;
    let mut register = Register::default();
    for row in rows.into_iter().skip(index + 1) {
        add_entry(&mut register, &columns, row, agenda);
    }
    Some(register)
}

/// The index of each column; the first one counts if a heading is repeated.
fn map_columns(row: &SheetRow) -> BTreeMap<Column, usize> {
    let mut columns = BTreeMap::new();
    for (index, cell) in row.cells.iter().enumerate() {
        if let Some(column) = Column::from_heading(&cell.text) {
            columns.entry(column).or_insert(index);
        }
    }
    columns
}

fn add_entry(
    register: &mut Register,
    columns: &BTreeMap<Column, usize>,
    mut row: SheetRow,
    agenda: AgendaLayout,
) {
    let mut texts = BTreeMap::new();
    let mut url = None;
    for (column, index) in columns {
        let Some(cell) = row.cells.get_mut(*index) else { continue };
        if *column == Column::Tdoc {
            url = cell.link.take();
        }
        if !EMPTY_MARKS.contains(&cell.text.as_str()) {
            let mut text = std::mem::take(&mut cell.text);
            if let Some((end, _)) = text.char_indices().nth(MAX_CELL_CHARS) {
                text.truncate(end);
                let line = row.line;
                register
                    .faults
                    .push(format!("row {line}: a cell was cut after {MAX_CELL_CHARS} characters"));
            }
            // Pages write document numbers with non-breaking hyphens; workbooks do not, and both name the same
            // document.
            let text = if column.holds_tdoc_ids() { text.replace('\u{2011}', "-") } else { text };
            texts.insert(*column, text);
        }
    }
    if agenda == AgendaLayout::AboveItsRows {
        assign_agenda_item(register, &mut texts);
    }
    let Some(tdoc) = texts.remove(&Column::Tdoc) else { return };
    let mut time_in = |column| {
        let text = texts.remove(&column)?;
        let time = time::parse_time(&text);
        if time.is_none() {
            register.faults.push(format!("row {}: '{text}' is not a time", row.line));
        }
        time
    };
    let (reserved, uploaded) = (time_in(Column::Reserved), time_in(Column::Uploaded));
    let url = texts.remove(&Column::Url).or(url);
    register.entries.push(RegisterEntry { line: row.line, tdoc, url, reserved, uploaded, texts });
}

/// Adds the agenda item that a row begins, or gives a document the agenda item above it.
fn assign_agenda_item(register: &mut Register, texts: &mut BTreeMap<Column, String>) {
    let number = texts.get(&Column::AgendaItem);
    let is_document = texts.contains_key(&Column::Tdoc);
    let title = match texts.get(&Column::AgendaTitle) {
        None if !is_document => texts.get(&Column::Title),
        title => title,
    };
    match (number, title, register.agenda.last()) {
        (Some(number), Some(title), last) if last.is_none_or(|last| last.number != *number) => {
            register.agenda.push(AgendaItem { number: number.clone(), title: title.clone() });
        }
        (None, None, Some(last)) => {
            texts.insert(Column::AgendaItem, last.number.clone());
            texts.insert(Column::AgendaTitle, last.title.clone());
        }
        _ => {}
    }
}
