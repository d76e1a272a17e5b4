//! Sees to it that every row can be reached.
//!
//! Thinning lists out can leave a row to which no list leads, and no search finds it then. Each such
//! row is put into the list of a near row that can be reached.

use super::layout::BuiltGraph;
use super::layout::NONE;
use super::scratch::Scratch;
use super::walk::Links;
use super::walk::walk;
use crate::codes::CodeTable;
use crate::codes::Coded;

impl Links for BuiltGraph {
    #[inline]
    fn each(&self, row: u32, mut visit: impl FnMut(u32)) {
        for neighbour in self.list(row).iter().take_while(|row| **row != NONE) {
            visit(*neighbour);
        }
    }
}

impl BuiltGraph {
    fn list(&self, row: u32) -> &[u32] {
        let degree = self.degree as usize;
        &self.neighbours[row as usize * degree..][..degree]
    }

    /// Puts a row into a list that has room.
    fn put(&mut self, into: u32, row: u32) {
        let degree = self.degree as usize;
        let list = &mut self.neighbours[into as usize * degree..][..degree];
        if let Some(free) = list.iter_mut().find(|entry| **entry == NONE) {
            *free = row;
        }
    }

    fn has_room(&self, row: u32) -> bool {
        self.list(row).last() == Some(&NONE)
    }

    /// Rows that no path from the entry leads to, in the lowest level.
    #[cfg(test)]
    pub(crate) fn unreachable(&self, rows: u32) -> Vec<u32> {
        let reached = self.reached(rows);
        (0..rows).filter(|row| !reached[*row as usize]).collect()
    }

    fn reached(&self, rows: u32) -> Vec<bool> {
        let mut reached = vec![false; rows as usize];
        if rows > 0 {
            self.reach_from(self.entry, &mut reached);
        }
        reached
    }

    fn reach_from(&self, row: u32, reached: &mut [bool]) {
        let mut waiting = vec![row];
        reached[row as usize] = true;
        while let Some(row) = waiting.pop() {
            self.each(row, |neighbour| {
                if !std::mem::replace(&mut reached[neighbour as usize], true) {
                    waiting.push(neighbour);
                }
            });
        }
    }
}

/// Connects every row that cannot be reached from the entry.
///
/// Every list has room for one row more: a row that is connected takes one place and brings its own,
/// so that there is always room, and no edge is taken out for it.
pub(crate) fn connect(graph: &mut BuiltGraph, table: &CodeTable<'_>, breadth: usize) {
    let mut scratch = Scratch::default();
    let mut query = Coded::default();
    let mut reached = graph.reached(table.rows());
    for row in 0..table.rows() {
        if reached[row as usize] {
            continue;
        }
        query.set(table.row(row));
        // A walk from the entry meets only rows that can be reached.
        scratch.entries = vec![graph.entry];
        walk(graph, table, &query, breadth, &mut scratch);
        let near =
            scratch.beam.best().map(|scored| scored.row()).find(|near| graph.has_room(*near));
        // In a crowd without room: the row of the nearest number, of the same document most often.
        let by_number = || {
            let all = (0..row).rev().chain(row + 1..table.rows());
            all.into_iter().find(|near| reached[*near as usize] && graph.has_room(*near))
        };
        if let Some(into) = near.or_else(by_number) {
            graph.put(into, row);
            graph.reach_from(row, &mut reached);
        }
    }
}
