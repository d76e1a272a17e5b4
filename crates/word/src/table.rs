//! Tables of the body as tables of the model; a table that is only a frame around text is told apart.

use document_model::{CellParagraph, RichText, RichTextBuilder, Table, TableCell, TableRow};

use super::item::{BodyItem, BodyParagraph, BodyRow, BodyTable};
use super::role::ParagraphRole;

/// A table under its caption as one of the model.
pub(super) fn convert_table(caption: Option<RichText>, table: &BodyTable) -> Table {
    let rows = table.rows.iter().map(|row| TableRow {
        is_head: is_head_row(row),
        skipped_columns: narrow(row.skipped_columns),
        cells: row.cells.iter().map(convert_cell).collect(),
    });
    Table { caption, rows: rows.collect() }
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

/// The paragraphs of a cell, text boxes after the paragraph that anchors them; those without text are left out.
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
        BodyCell { items: vec![BodyItem::Paragraph(paragraph)], span: 1, continues: false }
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
}
