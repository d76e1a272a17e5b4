//! Makes every row reachable from the entry point.
//!
//! Pruning can remove a row from all lists, and no search finds it then. Each such row is put into the list of a near
//! row that can be reached.

use super::layout::BuiltGraph;
use super::layout::NO_NEIGHBOUR;
use super::scratch::WalkScratch;
use super::walk::Adjacency;
use super::walk::search_graph;
use crate::quantized::QuantizedTable;
use crate::quantized_vector::QuantizedVector;

impl Adjacency for BuiltGraph {
    #[inline]
    fn for_each_neighbour(&self, row: u32, mut visit: impl FnMut(u32)) {
        for neighbour in self.neighbour_list(row).iter().take_while(|row| **row != NO_NEIGHBOUR) {
            visit(*neighbour);
        }
    }
}

impl BuiltGraph {
    fn neighbour_list(&self, row: u32) -> &[u32] {
        let degree = self.degree as usize;
        &self.neighbours[row as usize * degree..][..degree]
    }

    /// Puts a row into the list of another, which has room.
    fn add_neighbour(&mut self, list_row: u32, row: u32) {
        let degree = self.degree as usize;
        let list = &mut self.neighbours[list_row as usize * degree..][..degree];
        if let Some(free) = list.iter_mut().find(|entry| **entry == NO_NEIGHBOUR) {
            *free = row;
        }
    }

    fn has_room(&self, row: u32) -> bool {
        self.neighbour_list(row).last() == Some(&NO_NEIGHBOUR)
    }

    /// Rows that no path from the entry leads to, in the lowest level.
    #[cfg(test)]
    pub(crate) fn unreachable(&self, rows: u32) -> Vec<u32> {
        let reached = self.find_reachable(rows);
        (0..rows).filter(|row| !reached[*row as usize]).collect()
    }

    fn find_reachable(&self, rows: u32) -> Vec<bool> {
        let mut reached = vec![false; rows as usize];
        if rows > 0 {
            self.mark_reachable(self.entry_point, &mut reached);
        }
        reached
    }

    fn mark_reachable(&self, row: u32, reached: &mut [bool]) {
        let mut pending = vec![row];
        reached[row as usize] = true;
        while let Some(row) = pending.pop() {
            self.for_each_neighbour(row, |neighbour| {
                if !std::mem::replace(&mut reached[neighbour as usize], true) {
                    pending.push(neighbour);
                }
            });
        }
    }
}

/// Connects every row that cannot be reached from the entry.
///
/// Every list has room for one row more: a row that is connected takes one slot and brings its own,
/// so that there is always room, and no edge is taken out for it.
pub(crate) fn connect_unreachable(graph: &mut BuiltGraph, table: &QuantizedTable<'_>, ef: usize) {
    let mut scratch = WalkScratch::default();
    let mut query = QuantizedVector::default();
    let mut reached = graph.find_reachable(table.row_count());
    for row in 0..table.row_count() {
        if reached[row as usize] {
            continue;
        }
        query.copy_row(table.row_codes(row));
        // A walk from the entry meets only rows that can be reached.
        scratch.entry_points = vec![graph.entry_point];
        search_graph(graph, table, &query, ef, &mut scratch);
        let near =
            scratch.beam.best_rows().map(|scored| scored.row()).find(|near| graph.has_room(*near));
        // If no near row has room: the row of the nearest number, mostly of the same document.
        let nearest_number = || {
            let all = (0..row).rev().chain(row + 1..table.row_count());
            all.into_iter().find(|near| reached[*near as usize] && graph.has_room(*near))
        };
        if let Some(list_row) = near.or_else(nearest_number) {
            graph.add_neighbour(list_row, row);
            graph.mark_reachable(row, &mut reached);
        }
    }
}
