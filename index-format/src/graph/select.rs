//! Which of a row's near rows become its neighbours.

use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;

/// How many selected rows a candidate is compared with in one call: few, because the first that is nearer ends the
/// comparison.
const SELECTED_PER_CALL: usize = 4;

/// Candidates and those selected of them; kept for the next row.
#[derive(Debug, Default)]
pub(crate) struct NeighbourSelector {
    /// Cosines with the row in question, the best first.
    pub(crate) candidates: Vec<(f32, u32)>,
    selected: Vec<u32>,
    code: QuantizedVector,
    products: Vec<i32>,
}

impl NeighbourSelector {
    /// Makes candidates of rows: their cosines with `row`, the best first.
    pub(crate) fn score_candidates(&mut self, table: &QuantizedTable<'_>, row: u32, rows: &[u32]) {
        self.code.copy_row(table.row_codes(row));
        self.products.resize(rows.len(), 0);
        table.dot_rows(rows, &self.code, &mut self.products);
        let scale = table.row_scale(row);
        let score =
            |(row, product): (&u32, &i32)| (*product as f32 * table.row_scale(*row) * scale, *row);
        self.candidates.clear();
        self.candidates.extend(rows.iter().zip(&self.products).map(score));
        self.candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// Selects candidates, at most `limit`: each that is nearer to the row than to any that is
    /// selected already, so that neighbours lie in different directions.
    pub(crate) fn select_neighbours(&mut self, table: &QuantizedTable<'_>, limit: usize) {
        self.selected.clear();
        for index in 0..self.candidates.len() {
            if self.selected.len() >= limit {
                break;
            }
            let (score, row) = self.candidates[index];
            if !self.is_near_a_selected(table, row, score) {
                self.selected.push(row);
            }
        }
    }

    /// The rows selected, the nearest first.
    pub(crate) fn selected_rows(&self) -> impl Iterator<Item = u32> + '_ {
        self.selected.iter().copied()
    }

    /// The same, then the candidates that were not selected.
    pub(crate) fn selected_then_nearest(&self) -> impl Iterator<Item = u32> + '_ {
        let others = self.candidates.iter().map(|(_, row)| *row);
        self.selected_rows().chain(others.filter(|row| !self.selected.contains(row)))
    }

    fn is_near_a_selected(&mut self, table: &QuantizedTable<'_>, row: u32, score: f32) -> bool {
        if self.selected.is_empty() {
            return false;
        }
        self.code.copy_row(table.row_codes(row));
        let scale = table.row_scale(row);
        let mut products = [0; SELECTED_PER_CALL];
        self.selected.chunks(SELECTED_PER_CALL).any(|selected| {
            let products = &mut products[..selected.len()];
            table.dot_rows(selected, &self.code, products);
            let mut pairs = selected.iter().zip(products);
            pairs.any(|(other, product)| *product as f32 * table.row_scale(*other) * scale >= score)
        })
    }
}
