//! The grid of a table: invisible columns are merged with their neighbours.
//!
//! Rows of a table may begin slightly to the right of others, as the numbers of bits above the octets of a message do.
//! Word then has a narrow column between them, and the cells of such rows would be one column beside the cells below.

use super::item::{BodyItem, BodyTable};

/// Columns up to this width are invisible, in twentieths of a point: a millimetre.
const NARROW: u32 = 57;
/// A row that begins up to this far to the right of others is meant to be aligned with them: three and a half
/// millimetres, in which no word fits.
const OFFSET: u32 = 200;
/// Columns are a little wider than the offset of the rows that caused them: up to 165 at an offset of 150 in the test.
const OFFSET_SLACK: u32 = 30;

/// Merges narrow columns, unless a cell with content would vanish.
pub(super) fn merge_narrow_columns(table: &mut BodyTable) {
    let offsets = table.rows.iter().filter_map(|row| {
        let skipped = table.grid.get(..row.skipped_columns)?;
        Some(skipped.iter().fold(0u32, |sum, width| sum.saturating_add(*width)))
    });
    let offset = offsets.filter(|offset| (1..=OFFSET).contains(offset)).max();
    let narrow = offset.map_or(NARROW, |offset| NARROW.max(offset + OFFSET_SLACK));
    if !table.grid.iter().any(|width| *width <= narrow) {
        return;
    }
    let bounds = merge_bounds(&table.grid, narrow);
    let is_possible = table.rows.iter().all(|row| {
        let mut start = row.skipped_columns;
        start < bounds.len()
            && row.cells.iter().all(|cell| {
                let end = start + cell.span;
                let kept = bounds
                    .get(start)
                    .zip(bounds.get(end))
                    .is_some_and(|(start, end)| start < end || cell.items.iter().all(is_empty));
                start = end;
                kept
            })
    });
    if !is_possible {
        return;
    }
    for row in &mut table.rows {
        let mut start = row.skipped_columns;
        row.skipped_columns = bounds[start];
        for cell in &mut row.cells {
            let end = start + cell.span;
            cell.span = bounds[end] - bounds[start];
            start = end;
        }
        row.cells.retain(|cell| cell.span > 0);
    }
}

/// For each bound between columns, the number of visible columns before it.
fn merge_bounds(widths: &[u32], narrow: u32) -> Vec<usize> {
    let (mut columns, mut width) = (0, 0u32);
    let mut bounds = vec![0];
    for column in widths {
        width = width.saturating_add(*column);
        if width > narrow {
            (columns, width) = (columns + 1, 0);
        }
        bounds.push(columns);
    }
    bounds
}

fn is_empty(item: &BodyItem) -> bool {
    let mut empty = true;
    item.visit_paragraphs(&mut |paragraph| {
        empty &= paragraph.text.trim().is_empty() && paragraph.pictures.is_empty();
    });
    empty
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{BodyCell, BodyParagraph, BodyRow};

    fn cell(text: &str, span: usize) -> BodyCell {
        let paragraph = BodyParagraph { text: text.to_owned(), ..BodyParagraph::default() };
        BodyCell {
            items: vec![BodyItem::Paragraph(paragraph)],
            span,
            continues: false,
            ..BodyCell::default()
        }
    }

    fn row(skipped_columns: usize, cells: Vec<BodyCell>) -> BodyRow {
        BodyRow { cells, skipped_columns, ..BodyRow::default() }
    }

    fn spans(table: &BodyTable) -> Vec<(usize, Vec<usize>)> {
        let row =
            |row: &BodyRow| (row.skipped_columns, row.cells.iter().map(|cell| cell.span).collect());
        table.rows.iter().map(row).collect()
    }

    #[test]
    fn heads_of_bits_stand_above_their_octets() {
        let rows = vec![
            row(1, vec![cell("8", 2), cell("7", 2), cell("", 1)]),
            row(0, vec![cell("EEA0", 2), cell("EEA1", 2), cell("octet 3", 2)]),
        ];
        let mut table = BodyTable { rows, grid: vec![28, 681, 28, 681, 28, 1100] };
        merge_narrow_columns(&mut table);
        assert_eq!(spans(&table), [(0, vec![1, 1, 1]), (0, vec![1, 1, 1])]);
        // Also where they begin two millimetres to the right.
        let rows = vec![
            row(1, vec![cell("8", 2), cell("7", 2), cell("", 2)]),
            row(0, vec![cell("EEA0", 2), cell("EEA1", 2), cell("octet 3", 2)]),
        ];
        let mut table = BodyTable { rows, grid: vec![150, 571, 139, 582, 138, 996, 165] };
        merge_narrow_columns(&mut table);
        assert_eq!(spans(&table), [(0, vec![1, 1, 1]), (0, vec![1, 1, 1])]);
    }

    #[test]
    fn a_narrow_column_with_words_stays() {
        let rows = vec![row(0, vec![cell("I", 1), cell("wide", 1)])];
        let mut table = BodyTable { rows, grid: vec![30, 900] };
        merge_narrow_columns(&mut table);
        assert_eq!(spans(&table), [(0, vec![1, 1])]);
        let mut table = BodyTable { rows: vec![row(9, Vec::new())], grid: vec![10] };
        merge_narrow_columns(&mut table);
        assert_eq!(spans(&table), [(9, Vec::new())]);
        // Rows beyond the grid are left as they are.
        let rows = vec![row(0, vec![cell("a", 1), cell("b", 5)])];
        let mut table = BodyTable { rows, grid: vec![900, 30] };
        merge_narrow_columns(&mut table);
        assert_eq!(spans(&table), [(0, vec![1, 5])]);
    }
}
