//! Tables to Markdown: merged cells repeat their value, so that each row can be read by itself.

use crate::block::{CellParagraph, Table, TableRow};

/// A value longer than this is not repeated to the right: it is a note, not a column head.
const MAX_REPEAT_RIGHT_BYTES: usize = 160;
/// A value below the head that spans more columns than this is not repeated, such as the bits of an octet.
const MAX_REPEAT_RIGHT_COLUMNS: usize = 3;
/// A value longer than this is not repeated downwards: it is a description, and would outweigh each row below it.
const MAX_REPEAT_DOWN_BYTES: usize = 600;
/// Maximum number of rows that are folded into the head row. A table with more of them is in head style throughout;
/// folding them would leave few rows.
const MAX_HEAD_ROWS: usize = 4;

/// A table as text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct PrintedTable {
    /// Caption line, head row, rule, and the other rows.
    pub text: String,
    /// Bytes of caption line, head row and rule with their line breaks.
    pub head_bytes: u32,
    /// For each line after those, the index of its row in the table.
    pub rows: Vec<usize>,
}

/// Bounds within which merged cells repeat their value. Beyond them a table is printed without repeats: one row of 100
/// cells that span 64 columns each would make every other row 6,400 cells wide.
#[derive(Debug, Clone, Copy)]
pub struct TableLimits {
    /// Maximum number of cells of a table whose short rows are filled up. 400,000 empty strings are 9.6 MB.
    pub cells: usize,
    /// Maximum bytes of all repeated values.
    pub repeat_bytes: usize,
}

impl Default for TableLimits {
    fn default() -> Self {
        Self { cells: 400_000, repeat_bytes: 4 << 20 }
    }
}

/// Prints a table below its caption; `None` if the table has no text.
pub fn print_table(table: &Table, limits: &TableLimits) -> Option<PrintedTable> {
    let caption = table.caption.as_ref().map_or("", |caption| caption.as_str());
    let grid = ExpandedTable::new(table, limits);
    let empty = |row: &Vec<String>| row.iter().all(String::is_empty);
    let first = grid.rows.iter().position(|row| !empty(row))?;
    let titles = count_title_rows(&table.rows[first..], grid.width, caption.is_empty());
    let mut text = caption.to_owned();
    for title in grid.rows[first..first + titles].iter().filter_map(|row| row.first()) {
        text.push_str(if text.is_empty() { "" } else { " - " });
        text.push_str(title);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let start = first + titles;
    let heads = count_head_rows(&table.rows[start..]);
    let head = fold_head_rows(&grid.rows[start..start + heads]);
    let width = if grid.padded { grid.width } else { 0 };
    push_row(&mut text, &head, width);
    text.push_str("\n|");
    (0..head.len().max(width)).for_each(|_| text.push_str("---|"));
    let head_bytes = text.len() + 1;
    let mut rows = Vec::new();
    for (index, row) in
        grid.rows.iter().enumerate().skip(start + heads).filter(|(_, row)| !empty(row))
    {
        text.push('\n');
        push_row(&mut text, row, width);
        rows.push(index);
    }
    let head_bytes = u32::try_from(head_bytes.min(text.len())).unwrap_or(0);
    Some(PrintedTable { text, head_bytes, rows })
}

/// How many rows at the top are titles of the whole table: one cell over its whole width, in head style or in a table
/// without a caption. In a table of one column, or of such rows alone, every row would be a title.
fn count_title_rows(rows: &[TableRow], width: usize, untitled: bool) -> usize {
    let spans_table = |row: &TableRow| {
        matches!(&row.cells[..], [cell] if usize::from(cell.span) >= width)
            && (untitled || row.is_head)
    };
    let count = rows.iter().take(2).take_while(|row| spans_table(row)).count();
    if width < 2 || count >= rows.len() { 0 } else { count }
}

/// The table as rows of equal columns.
struct ExpandedTable {
    rows: Vec<Vec<String>>,
    width: usize,
    /// Whether short rows may be filled up to the width.
    padded: bool,
}

impl ExpandedTable {
    fn new(table: &Table, limits: &TableLimits) -> Self {
        let width_of = |row: &TableRow| {
            let cells = row.cells.iter().map(|cell| usize::from(cell.span)).sum::<usize>();
            usize::from(row.skipped_columns) + cells
        };
        let width = table.rows.iter().map(width_of).max().unwrap_or(0);
        let expanded = width.saturating_mul(table.rows.len()) <= limits.cells;
        let mut budget = limits.repeat_bytes;
        let mut rows: Vec<Vec<String>> = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let above = rows.last().map_or(&[][..], Vec::as_slice);
            let cells = expand_row(row, above, width, expanded, &mut budget);
            rows.push(cells);
        }
        Self { rows, width, padded: expanded }
    }
}

/// One row with its merged cells written out, within the budget.
fn expand_row(
    row: &TableRow,
    above: &[String],
    width: usize,
    expanded: bool,
    budget: &mut usize,
) -> Vec<String> {
    let head = row.is_head;
    let mut out: Vec<String> =
        vec![String::new(); if expanded { row.skipped_columns.into() } else { 0 }];
    for cell in &row.cells {
        let mut value = print_cell(&cell.paragraphs);
        if cell.continues && value.is_empty() && expanded {
            let repeated = above.get(out.len()).map_or("", String::as_str);
            if repeated.len() <= MAX_REPEAT_DOWN_BYTES && spend_repeat_bytes(budget, repeated.len())
            {
                value = repeated.to_owned();
            }
        }
        let span = if expanded { usize::from(cell.span.max(1)) } else { 1 };
        // A cell over the whole width is a note or a heading within the table.
        let wide = span > MAX_REPEAT_RIGHT_COLUMNS && !head;
        let once = span >= width || wide || value.len() > MAX_REPEAT_RIGHT_BYTES;
        let repeats = if once || !spend_repeat_bytes(budget, value.len() * (span - 1)) {
            0
        } else {
            span - 1
        };
        out.push(value);
        for copy_index in 0..span - 1 {
            let copy =
                if copy_index < repeats { out[out.len() - 1].clone() } else { String::new() };
            out.push(copy);
        }
    }
    out
}

fn spend_repeat_bytes(budget: &mut usize, bytes: usize) -> bool {
    match budget.checked_sub(bytes) {
        Some(left) => {
            *budget = left;
            true
        }
        None => false,
    }
}

/// How many rows at the top are head rows: marked so, or all of their text in head style.
fn count_head_rows(rows: &[TableRow]) -> usize {
    let count = rows.iter().take_while(|row| row.is_head).count();
    if count == 0 || count > MAX_HEAD_ROWS || count == rows.len() { 1 } else { count }
}

/// Several head rows as one: the different values of a column joined by a slash.
fn fold_head_rows(rows: &[Vec<String>]) -> Vec<String> {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..width)
        .map(|column| {
            let mut values: Vec<&str> = Vec::new();
            for value in rows.iter().filter_map(|row| row.get(column)) {
                if !value.is_empty() && !values.contains(&value.as_str()) {
                    values.push(value);
                }
            }
            values.join(" / ")
        })
        .collect()
}

fn push_row(text: &mut String, cells: &[String], width: usize) {
    text.push('|');
    for cell in cells {
        text.push(' ');
        text.push_str(cell);
        text.push_str(" |");
    }
    (cells.len()..width).for_each(|_| text.push_str("  |"));
}

/// The text of a cell in one line.
fn print_cell(paragraphs: &[CellParagraph]) -> String {
    let mut out = String::new();
    for paragraph in paragraphs.iter().filter(|paragraph| !paragraph.text.is_empty()) {
        if !out.is_empty() {
            out.push_str("<br>");
        }
        if let Some(label) = &paragraph.label {
            out.push_str(&label.replace('|', "\\|"));
            out.push(' ');
        }
        out.push_str(&paragraph.text.as_str().replace('\n', "<br>").replace('|', "\\|"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::TableCell;

    fn cell(text: &str, span: u16, continues: bool) -> TableCell {
        let paragraph = CellParagraph { label: None, text: text.into() };
        TableCell { paragraphs: vec![paragraph], span, continues }
    }

    fn row(cells: Vec<TableCell>) -> TableRow {
        TableRow { cells, ..TableRow::default() }
    }

    fn head_row(cells: Vec<TableCell>) -> TableRow {
        TableRow { is_head: true, ..row(cells) }
    }

    fn text(rows: Vec<TableRow>, limits: &TableLimits) -> String {
        print_table(&Table { caption: None, rows }, limits).expect("has text").text
    }

    #[test]
    fn merged_cells_repeat_their_value() {
        let table = Table {
            caption: Some("Table 1: Bands".into()),
            rows: vec![
                head_row(vec![cell("Band", 1, false), cell("Uplink", 2, false)]),
                head_row(vec![cell("", 1, true), cell("low", 1, false), cell("high", 1, false)]),
                row(vec![cell("n1", 1, false), cell("a|b", 2, false)]),
                row(vec![cell("", 1, true), cell("c", 1, false), cell("d", 1, false)]),
                row(vec![cell("NOTE: all", 3, false)]),
            ],
        };
        let expected = "Table 1: Bands\n| Band | Uplink / low | Uplink / high |\n|---|---|---|\n\
             | n1 | a\\|b | a\\|b |\n| n1 | c | d |\n| NOTE: all |  |  |";
        let printed = print_table(&table, &TableLimits::default()).expect("has text");
        assert_eq!(printed.text, expected);
        assert!(printed.text[..printed.head_bytes as usize].ends_with("|---|---|---|\n"));
        assert_eq!(printed.rows, [2, 3, 4]);
    }

    #[test]
    fn repeats_stop_when_the_budget_is_spent() {
        let long = "x".repeat(150);
        let rows = (0..50).map(|_| row(vec![cell(&long, 3, false), cell("y", 1, false)]));
        let limits = TableLimits { repeat_bytes: 20_000, ..TableLimits::default() };
        let printed = text(rows.collect(), &limits);
        assert_eq!(printed.matches('y').count(), 50);
        assert!(printed.len() < 50 * 150 + 20_000 + 50 * 6 * 4);
    }

    #[test]
    fn a_table_wider_than_the_limit_is_not_filled_up() {
        let mut rows: Vec<TableRow> = (0..100).map(|_| row(vec![cell("a", 1, false)])).collect();
        rows.push(row((0..100).map(|_| cell("b", 64, false)).collect()));
        let limits = TableLimits { cells: 1_000, ..TableLimits::default() };
        let printed = text(rows, &limits);
        assert!(printed.len() < 2_000, "{}", printed.len());
    }
}
