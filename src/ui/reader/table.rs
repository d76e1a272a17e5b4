//! Tables of the model as HTML: spans of columns and rows, head rows, notes over the whole width.

use document_model::{RichText, Table, TableCell, TableRow};
use maud::{Markup, html};

/// Maximum number of head rows.
const MAX_HEAD_ROWS: usize = 4;

/// A cell with the rows it covers.
#[derive(Debug, PartialEq, Eq)]
struct PlacedCell<'a> {
    cell: &'a TableCell,
    /// Index of its first text within the block.
    first_text: usize,
    columns: usize,
    rows: usize,
}

/// Renders a table. `render` takes a text and its index within the block.
pub(super) fn render_table(table: &Table, render: &dyn Fn(&RichText, usize) -> Markup) -> Markup {
    let width = table_width(table);
    let heads = count_head_rows(&table.rows);
    let rows = place_cells(table);
    let group = count_group_rows(&rows, heads);
    let caption = table.caption.as_ref().map(|caption| render(caption, 0));
    let row = |index: usize, row: &[PlacedCell<'_>]| {
        html! {
            tr {
                @let skipped = table.rows[index].skipped_columns;
                @if skipped > 0 { td.empty-cell colspan=(skipped) {} }
                @for placed in row { (render_cell(placed, index < heads, width, render)) }
            }
        }
    };
    html! {
        div.table role="region" aria-label="Table" tabindex="0" {
            table {
                @if let Some(caption) = caption { caption { (caption) } }
                @if group > 0 {
                    thead {
                        @for (index, cells) in rows.iter().enumerate().take(group) { (row(index, cells)) }
                    }
                }
                tbody {
                    @for (index, cells) in rows.iter().enumerate().skip(group) { (row(index, cells)) }
                }
            }
        }
    }
}

fn render_cell(
    placed: &PlacedCell<'_>,
    is_head: bool,
    width: usize,
    render: &dyn Fn(&RichText, usize) -> Markup,
) -> Markup {
    let content = html! {
        @for (n, paragraph) in placed.cell.paragraphs.iter().enumerate() {
            @if n > 0 { br; }
            @if let Some(label) = &paragraph.label { (label) " " }
            (render(&paragraph.text, placed.first_text + n))
        }
    };
    let columns = (placed.columns > 1).then_some(placed.columns);
    let rows = (placed.rows > 1).then_some(placed.rows);
    let is_note = placed.columns >= width && width > 1;
    html! {
        @if is_head { th scope="col" colspan=[columns] rowspan=[rows] { (content) } }
        @else { td class=[is_note.then_some("wide")] colspan=[columns] rowspan=[rows] { (content) } }
    }
}

fn columns_of(row: &TableRow) -> usize {
    let cells = row.cells.iter().map(|cell| usize::from(cell.span.max(1))).sum::<usize>();
    usize::from(row.skipped_columns) + cells
}

fn table_width(table: &Table) -> usize {
    table.rows.iter().map(columns_of).max().unwrap_or(0)
}

/// Rows that are marked as heads; if there are none, the first row, unless it is the only one.
fn count_head_rows(rows: &[TableRow]) -> usize {
    let marked = rows.iter().take_while(|row| row.is_head).count();
    match marked {
        0 => usize::from(rows.len() > 1),
        marked if marked == rows.len() => 0,
        marked => marked.min(MAX_HEAD_ROWS),
    }
}

/// Rows of the group of heads: the heads, and the rows into which their cells extend, because a cell cannot extend
/// beyond its group (38.214, table 5.2.2.2.1-1).
fn count_group_rows(rows: &[Vec<PlacedCell<'_>>], heads: usize) -> usize {
    let mut group = heads;
    let mut index = 0;
    while index < group.min(rows.len()) {
        let reach = rows[index].iter().map(|placed| index + placed.rows).max().unwrap_or(0);
        group = group.max(reach);
        index += 1;
    }
    group
}

/// The cells of each row, without those that continue a cell above; that cell covers their rows.
fn place_cells(table: &Table) -> Vec<Vec<PlacedCell<'_>>> {
    let mut next_text = usize::from(table.caption.is_some());
    let mut placed: Vec<Vec<PlacedCell<'_>>> = Vec::with_capacity(table.rows.len());
    // For each column, the row and the index of the cell that began there.
    let mut origins: Vec<Option<(usize, usize)>> = vec![None; table_width(table)];
    for (row_index, row) in table.rows.iter().enumerate() {
        let mut cells: Vec<PlacedCell<'_>> = Vec::with_capacity(row.cells.len());
        let mut column = usize::from(row.skipped_columns);
        for cell in &row.cells {
            let columns = usize::from(cell.span.max(1));
            let origin = origins.get(column).copied().flatten().filter(|(row, index)| {
                let above: Option<&PlacedCell<'_>> =
                    placed.get(*row).and_then(|row| row.get(*index));
                above.is_some_and(|above| above.columns == columns && above.rows + row == row_index)
            });
            match origin {
                Some((row, index)) if cell.continues => placed[row][index].rows += 1,
                _ => {
                    if let Some(origin) = origins.get_mut(column) {
                        *origin = Some((row_index, cells.len()));
                    }
                    cells.push(PlacedCell { cell, first_text: next_text, columns, rows: 1 });
                }
            }
            next_text += cell.paragraphs.len();
            column += columns;
        }
        placed.push(cells);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;
    use document_model::CellParagraph;

    fn cell(text: &str, span: u16, continues: bool) -> TableCell {
        let paragraphs = match text {
            "" => Vec::new(),
            text => vec![CellParagraph { label: None, text: text.into() }],
        };
        TableCell { span, continues, paragraphs }
    }

    fn row(is_head: bool, cells: Vec<TableCell>) -> TableRow {
        TableRow { is_head, skipped_columns: 0, cells }
    }

    #[test]
    fn spans_are_those_of_the_document() {
        let table = Table {
            caption: Some("Table 1: Bands".into()),
            rows: vec![
                row(true, vec![cell("Band", 1, false), cell("Uplink", 2, false)]),
                row(true, vec![cell("", 1, true), cell("low", 1, false), cell("high", 1, false)]),
                row(false, vec![cell("n1", 1, false), cell("a", 2, false)]),
                row(false, vec![cell("", 1, true), cell("b", 1, false), cell("<c>", 1, false)]),
                row(false, vec![cell("NOTE: all", 3, false)]),
            ],
        };
        let render = |text: &RichText, index: usize| html! { (index) ":" (text.as_str()) };
        let html = render_table(&table, &render).into_string();
        let start = html.find("<table>").expect("a table");
        assert_eq!(
            &html[start..],
            "<table><caption>0:Table 1: Bands</caption><thead>\
             <tr><th scope=\"col\" rowspan=\"2\">1:Band</th><th scope=\"col\" colspan=\"2\">2:Uplink</th></tr>\
             <tr><th scope=\"col\">3:low</th><th scope=\"col\">4:high</th></tr></thead><tbody>\
             <tr><td rowspan=\"2\">5:n1</td><td colspan=\"2\">6:a</td></tr>\
             <tr><td>7:b</td><td>8:&lt;c&gt;</td></tr>\
             <tr><td class=\"wide\" colspan=\"3\">9:NOTE: all</td></tr></tbody></table></div>"
        );
    }

    #[test]
    fn a_head_that_covers_rows_which_are_no_heads_stays_in_its_column() {
        let table = Table {
            caption: None,
            rows: vec![
                row(false, vec![cell("Index", 1, false), cell("Layers", 2, false)]),
                row(false, vec![cell("", 1, true), cell("1", 1, false), cell("2", 1, false)]),
                row(false, vec![cell("0", 1, false), cell("a", 1, false), cell("b", 1, false)]),
            ],
        };
        let render = |text: &RichText, _: usize| html! { (text.as_str()) };
        let html = render_table(&table, &render).into_string();
        let (head, body) = html.split_once("</thead>").expect("a group of heads");
        assert!(head.contains("rowspan=\"2\">Index") && head.contains("<td>2</td>"), "{html}");
        assert!(body.contains("<td>0</td>"), "{html}");
    }

    #[test]
    fn a_cell_that_continues_nothing_stands_by_itself() {
        let table = Table {
            caption: None,
            rows: vec![row(false, vec![cell("", 1, true)]), row(false, vec![cell("x", 2, true)])],
        };
        let placed = place_cells(&table);
        assert_eq!((placed[0].len(), placed[1].len()), (1, 1));
    }
}
