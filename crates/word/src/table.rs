//! Tables to Markdown: merged cells repeat their value, so that each row can be read by itself.

use document::{Limits, collapse_whitespace};

use super::item::{BodyItem, BodyRow, BodyTable, Paragraph};
use super::role::ParagraphRole;

/// A value longer than this is not repeated to the right: it is a note, not a column head.
const MAX_REPEAT_RIGHT_BYTES: usize = 160;
/// A value below the head that spans more columns than this is not repeated, such as the bits of an octet.
const MAX_REPEAT_RIGHT_COLUMNS: usize = 3;
/// A value longer than this is not repeated downwards.
const MAX_REPEAT_DOWN_BYTES: usize = 600;
/// Maximum number of rows that are folded into the head row.
const MAX_HEAD_ROWS: usize = 4;

/// A table as text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RenderedTable {
    /// Caption line, head row, rule, and the other rows.
    pub(super) text: String,
    /// Bytes of caption line, head row and rule with their line breaks.
    pub(super) head_bytes: u32,
    /// For each line after those, the index of its row in the table.
    pub(super) rows: Vec<usize>,
}

/// Renders a table under its caption; none for a table without text.
pub(super) fn render_table(
    caption: &str,
    table: &BodyTable,
    limits: &Limits,
) -> Option<RenderedTable> {
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
    Some(RenderedTable { text, head_bytes, rows })
}

/// How many rows at the top are titles of the whole table: one cell over its whole width, in
/// head style or where there is no caption.
fn count_title_rows(rows: &[BodyRow], width: usize, untitled: bool) -> usize {
    let spans_table = |row: &BodyRow| {
        matches!(&row.cells[..], [cell] if cell.span >= width) && (untitled || is_head_row(row))
    };
    let count = rows.iter().take(2).take_while(|row| spans_table(row)).count();
    if width < 2 || count >= rows.len() { 0 } else { count }
}

/// The items of a table that is only a frame around running text: one cell.
pub(super) fn unwrap_frame(table: BodyTable) -> Result<Vec<BodyItem>, BodyTable> {
    let cells: usize = table.rows.iter().map(|row| row.cells.len()).sum();
    if cells != 1 {
        return Err(table);
    }
    let cells = table.rows.into_iter().flat_map(|row| row.cells);
    Ok(cells.flat_map(|cell| cell.items).collect())
}

/// The table as rows of equal columns.
struct ExpandedTable {
    rows: Vec<Vec<String>>,
    width: usize,
    /// Whether short rows may be filled up to the width.
    padded: bool,
}

impl ExpandedTable {
    fn new(table: &BodyTable, limits: &Limits) -> Self {
        let width_of = |row: &BodyRow| {
            row.skipped_columns + row.cells.iter().map(|cell| cell.span).sum::<usize>()
        };
        let width = table.rows.iter().map(width_of).max().unwrap_or(0);
        let expanded = width.saturating_mul(table.rows.len()) <= limits.table_cells;
        let mut budget = limits.table_repeat_bytes;
        let mut rows: Vec<Vec<String>> = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            let above = rows.last().map_or(&[][..], Vec::as_slice);
            let cells = expand_row(row, above, width, expanded, &mut budget);
            rows.push(cells);
        }
        Self { rows, width, padded: expanded }
    }
}

/// One row with its merged cells written out, as far as the budget goes.
fn expand_row(
    row: &BodyRow,
    above: &[String],
    width: usize,
    expanded: bool,
    budget: &mut usize,
) -> Vec<String> {
    let head = is_head_row(row);
    let mut out: Vec<String> = vec![String::new(); if expanded { row.skipped_columns } else { 0 }];
    for cell in &row.cells {
        let mut value = cell_text(&cell.items);
        if cell.continues && value.is_empty() && expanded {
            let repeated = above.get(out.len()).map_or("", String::as_str);
            if repeated.len() <= MAX_REPEAT_DOWN_BYTES && spend_repeat_bytes(budget, repeated.len())
            {
                value = repeated.to_owned();
            }
        }
        let span = if expanded { cell.span } else { 1 };
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
fn count_head_rows(rows: &[BodyRow]) -> usize {
    let count = rows.iter().take_while(|row| is_head_row(row)).count();
    if count == 0 || count > MAX_HEAD_ROWS || count == rows.len() { 1 } else { count }
}

fn is_head_row(row: &BodyRow) -> bool {
    if row.is_head {
        return true;
    }
    let mut seen = false;
    let mut all = true;
    let mut visit = |paragraph: &Paragraph| {
        if !paragraph.text.trim().is_empty() {
            seen = true;
            all &= paragraph.role == ParagraphRole::TableHead;
        }
    };
    row.cells
        .iter()
        .flat_map(|cell| &cell.items)
        .for_each(|item| item.visit_paragraphs(&mut visit));
    seen && all
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
fn cell_text(items: &[BodyItem]) -> String {
    let mut out = String::new();
    for item in items {
        let text = match item {
            BodyItem::Paragraph(paragraph) => paragraph_text(paragraph),
            BodyItem::Table(table) => nested_text(table),
        };
        push_line(&mut out, &text);
        if let BodyItem::Paragraph(paragraph) = item
            && !paragraph.boxed.is_empty()
        {
            push_line(&mut out, &cell_text(&paragraph.boxed));
        }
    }
    out
}

fn push_line(out: &mut String, line: &str) {
    if !line.is_empty() {
        if !out.is_empty() {
            out.push_str("<br>");
        }
        out.push_str(line);
    }
}

fn paragraph_text(paragraph: &Paragraph) -> String {
    let lines = paragraph.text.split('\n').map(collapse_whitespace).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("<br>").replace('|', "\\|");
    match &paragraph.label {
        Some(label) if !text.is_empty() => format!("{} {text}", label.replace('|', "\\|")),
        _ => text,
    }
}

/// A table in a cell: rows as lines, cells divided by semicolons.
fn nested_text(table: &BodyTable) -> String {
    let mut out = String::new();
    for row in &table.rows {
        let cells = row.cells.iter().map(|cell| cell_text(&cell.items));
        let line = cells.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ");
        push_line(&mut out, &line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::item::BodyCell;
    use super::*;

    fn cell(text: &str, span: usize, continues: bool, role: ParagraphRole) -> BodyCell {
        let paragraph = Paragraph { text: text.to_owned(), role, ..Paragraph::default() };
        BodyCell { items: vec![BodyItem::Paragraph(paragraph)], span, continues }
    }

    fn row(cells: Vec<BodyCell>) -> BodyRow {
        BodyRow { cells, ..BodyRow::default() }
    }

    fn text(table: &BodyTable) -> String {
        render_table("", table, &Limits::default()).expect("has text").text
    }

    #[test]
    fn merged_cells_repeat_their_value() {
        let head = |text, span| cell(text, span, false, ParagraphRole::TableHead);
        let body = |text, span, continues| cell(text, span, continues, ParagraphRole::Body);
        let table = BodyTable {
            rows: vec![
                row(vec![head("Band", 1), head("Uplink", 2)]),
                row(vec![
                    cell("", 1, true, ParagraphRole::TableHead),
                    head("low", 1),
                    head("high", 1),
                ]),
                row(vec![body("n1", 1, false), body("a|b", 2, false)]),
                row(vec![body("", 1, true), body("c", 1, false), body("d", 1, false)]),
                row(vec![body("NOTE: all", 3, false)]),
            ],
        };
        let expected = "Table 1: Bands\n| Band | Uplink / low | Uplink / high |\n|---|---|---|\n\
             | n1 | a\\|b | a\\|b |\n| n1 | c | d |\n| NOTE: all |  |  |";
        let rendered =
            render_table("Table 1: Bands", &table, &Limits::default()).expect("has text");
        assert_eq!(rendered.text, expected);
        assert!(rendered.text[..rendered.head_bytes as usize].ends_with("|---|---|---|\n"));
    }

    #[test]
    fn repeats_stop_when_the_budget_is_spent() {
        let long = "x".repeat(150);
        let rows = (0..50).map(|_| {
            row(vec![
                cell(&long, 3, false, ParagraphRole::Body),
                cell("y", 1, false, ParagraphRole::Body),
            ])
        });
        let table = BodyTable { rows: rows.collect() };
        let limits = Limits { table_repeat_bytes: 20_000, ..Limits::default() };
        let rendered = render_table("", &table, &limits).expect("has text");
        assert_eq!(rendered.text.matches('y').count(), 50);
        assert!(rendered.text.len() < 50 * 150 + 20_000 + 50 * 6 * 4);
    }

    #[test]
    fn a_table_wider_than_the_limit_is_not_filled_up() {
        let mut rows: Vec<BodyRow> =
            (0..100).map(|_| row(vec![cell("a", 1, false, ParagraphRole::Body)])).collect();
        rows.push(row((0..100).map(|_| cell("b", 64, false, ParagraphRole::Body)).collect()));
        let limits = Limits { table_cells: 1_000, ..Limits::default() };
        let rendered = render_table("", &BodyTable { rows }, &limits).expect("has text");
        assert!(rendered.text.len() < 2_000, "{}", rendered.text.len());
    }

    #[test]
    fn nested_tables_and_frames_stay_readable() {
        let inner = BodyTable {
            rows: vec![row(vec![
                cell("k", 1, false, ParagraphRole::Body),
                cell("v", 1, false, ParagraphRole::Body),
            ])],
        };
        let mut outer = cell("see", 1, false, ParagraphRole::Body);
        outer.items.push(BodyItem::Table(inner));
        let table =
            BodyTable { rows: vec![row(vec![outer, cell("z", 1, false, ParagraphRole::Body)])] };
        assert_eq!(text(&table), "| see<br>k; v | z |\n|---|---|");
        let frame =
            BodyTable { rows: vec![row(vec![cell("only", 1, false, ParagraphRole::Body)])] };
        assert_eq!(unwrap_frame(frame).expect("one cell").len(), 1);
    }
}
