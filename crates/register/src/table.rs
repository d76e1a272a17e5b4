//! Tables of cells, wherever they come from, and the register in one.

use std::collections::BTreeMap;

use crate::{
    column::Column,
    entry::{AgendaItem, Entry, Register},
    time,
};

/// Rows at the top among which the headings are looked for.
const HEADINGS_WITHIN: usize = 10;
/// Headings that a register has at least.
const NEEDED: [Column; 3] = [Column::Tdoc, Column::Title, Column::Source];
/// Letters of a cell that are kept; abstracts have hundreds.
const MOST_LETTERS: usize = 10_000;
/// A dash stands for nothing.
const NOTHING: [&str; 3] = ["", "-", "\u{2013}"];

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Its text, without spaces around it.
    pub(crate) text: String,
    /// Where it leads.
    pub(crate) link: Option<String>,
}

/// A row: its number in the file, from 1, and its cells.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row {
    pub(crate) line: u32,
    pub(crate) cells: Vec<Cell>,
}

/// How a table says to which item of the agenda a document belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Agenda {
    /// Each row says it.
    InEachRow,
    /// A row says it for those below, which leave it out.
    AboveItsRows,
}

/// The register in a table; none where its first rows hold no headings of one.
pub(crate) fn register_in(rows: Vec<Row>, agenda: Agenda) -> Option<Register> {
    let (at, columns) = rows.iter().take(HEADINGS_WITHIN).enumerate().find_map(|(at, row)| {
        let columns = columns_of(row);
        NEEDED.iter().all(|needed| columns.contains_key(needed)).then_some((at, columns))
    })?;
    let mut register = Register::default();
    for row in rows.into_iter().skip(at + 1) {
        add(&mut register, &columns, row, agenda);
    }
    Some(register)
}

/// The first column of each heading.
fn columns_of(row: &Row) -> BTreeMap<Column, usize> {
    let mut columns = BTreeMap::new();
    for (at, cell) in row.cells.iter().enumerate() {
        if let Some(column) = Column::of(&cell.text) {
            columns.entry(column).or_insert(at);
        }
    }
    columns
}

fn add(register: &mut Register, columns: &BTreeMap<Column, usize>, mut row: Row, agenda: Agenda) {
    let mut texts = BTreeMap::new();
    let mut url = None;
    for (column, at) in columns {
        let Some(cell) = row.cells.get_mut(*at) else { continue };
        if *column == Column::Tdoc {
            url = cell.link.take();
        }
        if !NOTHING.contains(&cell.text.as_str()) {
            let mut text = std::mem::take(&mut cell.text);
            if let Some((end, _)) = text.char_indices().nth(MOST_LETTERS) {
                text.truncate(end);
                let line = row.line;
                register
                    .faults
                    .push(format!("row {line}: a cell is cut after {MOST_LETTERS} letters"));
            }
            // Pages keep numbers of documents together by a hyphen of another kind.
            let text = if column.is_number() { text.replace('\u{2011}', "-") } else { text };
            texts.insert(*column, text);
        }
    }
    if agenda == Agenda::AboveItsRows {
        in_its_item(register, &mut texts);
    }
    let Some(tdoc) = texts.remove(&Column::Tdoc) else { return };
    let mut time_in = |column| {
        let text = texts.remove(&column)?;
        let time = time::read(&text);
        if time.is_none() {
            register.faults.push(format!("row {}: '{text}' is no time", row.line));
        }
        time
    };
    let (reserved, uploaded) = (time_in(Column::Reserved), time_in(Column::Uploaded));
    let url = texts.remove(&Column::Url).or(url);
    register.entries.push(Entry { line: row.line, tdoc, url, reserved, uploaded, texts });
}

/// Notes an item of the agenda that a row begins, or tells a document the item above it.
fn in_its_item(register: &mut Register, texts: &mut BTreeMap<Column, String>) {
    let number = texts.get(&Column::AgendaItem);
    let is_document = texts.contains_key(&Column::Tdoc);
    let title = texts.get(&Column::AgendaTitle);
    let title = title.or_else(|| texts.get(&Column::Title).filter(|_| !is_document));
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
