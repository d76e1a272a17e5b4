//! Tables of the body as tables of the model; tables that are only frames around text are unwrapped.

use document_model::{CellParagraph, RichText, RichTextBuilder, Table, TableCell, TableRow};

use super::item::{BodyItem, BodyParagraph, BodyRow, BodyTable};
use super::role::ParagraphRole;

/// A table with its caption as a table of the model.
pub(super) fn convert_table(caption: Option<RichText>, table: &BodyTable) -> Table {
    let rows = table.rows.iter().map(|row| TableRow {
        is_head: is_head_row(row),
        skipped_columns: narrow(row.skipped_columns),
        cells: row.cells.iter().map(convert_cell).collect(),
    });
    let mut rows: Vec<TableRow> = rows.collect();
    mark_lower_head_rows(&mut rows);
    Table { caption, rows }
}

/// Number of rows below a head row in which the row that divides its columns is searched. One row may lie between them;
/// further down, such rows have values.
const MAX_UNDIVIDED_ROWS: usize = 2;

/// Marks the rows that head cells reach into: below "Name | Value", of which one covers two rows and the other two
/// columns, are the names of those two columns.
fn mark_lower_head_rows(rows: &mut [TableRow]) {
    // If no row is marked, the first one is the head.
    let mut last = rows.iter().take_while(|row| row.is_head).count().saturating_sub(1);
    // Two head rows need a third row with values.
    if rows.len() < 3 {
        return;
    }
    loop {
        let below = rows[last + 1..].iter().take(MAX_UNDIVIDED_ROWS);
        let reached = below.take_while(|row| row.cells.iter().any(|cell| cell.continues));
        let Some(divided) = reached.into_iter().position(|row| divides_columns(&rows[last], row))
        else {
            return;
        };
        let end = last + 1 + divided;
        rows[last..=end].iter_mut().for_each(|row| row.is_head = true);
        last = end;
    }
}

/// Whether a cell with text begins within the columns of a cell of the row above.
fn divides_columns(above: &TableRow, row: &TableRow) -> bool {
    let starts = cell_starts(row);
    let begins_within = |start: usize, end: usize| {
        starts.clone().any(|(at, cell)| {
            at > start && at < end && !cell.continues && !cell.paragraphs.is_empty()
        })
    };
    cell_starts(above).any(|(start, cell)| begins_within(start, start + usize::from(cell.span)))
}

/// The cells of a row with the columns in which they begin.
fn cell_starts(row: &TableRow) -> impl Iterator<Item = (usize, &TableCell)> + Clone {
    row.cells.iter().scan(usize::from(row.skipped_columns), |column, cell| {
        let start = *column;
        *column += usize::from(cell.span);
        Some((start, cell))
    })
}

fn convert_cell(cell: &super::item::BodyCell) -> TableCell {
    let mut paragraphs = Vec::new();
    push_cell_paragraphs(&cell.items, &mut paragraphs);
    TableCell { span: narrow(cell.span), continues: cell.continues, paragraphs }
}

fn narrow(columns: usize) -> u16 {
    u16::try_from(columns).unwrap_or(u16::MAX)
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

/// Whether a row is marked as a head row, or all of its text is in head style.
fn is_head_row(row: &BodyRow) -> bool {
    if row.is_head {
        return true;
    }
    let mut seen = false;
    let mut all = true;
    let mut visit = |paragraph: &BodyParagraph| {
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

/// The paragraphs of a cell, text boxes after the paragraph that anchors them; paragraphs without text are skipped.
fn push_cell_paragraphs(items: &[BodyItem], out: &mut Vec<CellParagraph>) {
    for item in items {
        match item {
            BodyItem::Paragraph(paragraph) => {
                let text = paragraph.rich_text().collapse_blanks('\n');
                if !text.is_empty() {
                    out.push(CellParagraph { label: paragraph.label.clone(), text });
                }
                push_cell_paragraphs(&paragraph.boxed, out);
            }
            BodyItem::Table(table) => push_nested_rows(table, out),
        }
    }
}

/// A table in a cell: rows as paragraphs, cells divided by semicolons.
fn push_nested_rows(table: &BodyTable, out: &mut Vec<CellParagraph>) {
    for row in &table.rows {
        let mut line = RichTextBuilder::default();
        for cell in &row.cells {
            let mut paragraphs = Vec::new();
            push_cell_paragraphs(&cell.items, &mut paragraphs);
            for (index, paragraph) in paragraphs.iter().enumerate() {
                if !line.as_str().is_empty() {
                    line.push_str(if index == 0 { "; " } else { "\n" });
                }
                if let Some(label) = &paragraph.label {
                    line.push_str(label);
                    line.push_str(" ");
                }
                line.push_rich(&paragraph.text);
            }
        }
        let text = line.finish();
        if !text.is_empty() {
            out.push(CellParagraph { label: None, text });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::item::BodyCell;
    use super::*;
    use document_model::{TableLimits, print_table};

    fn cell(text: &str) -> BodyCell {
        let paragraph = BodyParagraph { text: text.to_owned(), ..BodyParagraph::default() };
        BodyCell { items: vec![BodyItem::Paragraph(paragraph)], ..BodyCell::default() }
    }

    fn table_of(rows: Vec<BodyRow>) -> BodyTable {
        BodyTable { rows, grid: Vec::new() }
    }

    fn row(cells: Vec<BodyCell>) -> BodyRow {
        BodyRow { cells, ..BodyRow::default() }
    }

    #[test]
    fn nested_tables_and_frames_stay_readable() {
        let inner = table_of(vec![row(vec![cell("k"), cell("v")])]);
        let mut outer = cell("see");
        outer.items.push(BodyItem::Table(inner));
        let table = table_of(vec![row(vec![outer, cell("z")])]);
        let printed = print_table(&convert_table(None, &table), &TableLimits::default());
        assert_eq!(printed.expect("has text").text, "| see<br>k; v | z |\n|---|---|");
        let frame = table_of(vec![row(vec![cell("only")])]);
        assert_eq!(unwrap_frame(frame).expect("one cell").len(), 1);
    }

    #[test]
    fn names_of_columns_below_a_head_that_covers_them_are_heads() {
        let named = |text: &str, span: usize| BodyCell { span, ..cell(text) };
        let below = || BodyCell { continues: true, ..cell("") };
        let head = |cells| BodyRow { is_head: true, cells, ..BodyRow::default() };
        let heads = |rows: Vec<BodyRow>| {
            let table = convert_table(None, &table_of(rows));
            table.rows.iter().map(|row| row.is_head).collect::<Vec<_>>()
        };
        let rows = vec![
            head(vec![cell("Band"), named("Value", 2)]),
            row(vec![below(), cell("low"), cell("high")]),
            row(vec![cell("n1"), cell("3"), cell("4")]),
        ];
        assert_eq!(heads(rows), [true, true, false]);
        let rows = vec![
            row(vec![cell("Band"), named("Value", 2)]),
            row(vec![below(), cell("low"), cell("high")]),
            row(vec![cell("n1"), cell("3"), cell("4")]),
        ];
        assert_eq!(heads(rows), [true, true, false]);
        // One row lies between the head and the names.
        let rows = vec![
            head(vec![cell("Band"), named("Level", 2)]),
            row(vec![below(), named("Subframe", 2)]),
            row(vec![below(), cell("0"), cell("5")]),
            row(vec![cell("n1"), cell("3"), cell("4")]),
        ];
        assert_eq!(heads(rows), [true, true, true, false]);
        // A cell of a head that covers rows of values names no columns.
        let rows = vec![
            head(vec![cell("Band"), named("Parameter", 2), cell("Case")]),
            row(vec![below(), named("Power", 2), cell("-56")]),
            row(vec![cell("n1"), named("Offset", 2), cell("3")]),
        ];
        assert_eq!(heads(rows), [true, false, false]);
    }
}
