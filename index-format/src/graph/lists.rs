//! Lists of neighbours that several threads read and write while a graph is built.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::layout::NO_NEIGHBOUR;

/// One list after another, each with room for the same number of rows. A reader may see a list
/// half written: every entry it sees is a row or nothing, and that is all it relies on.
#[derive(Debug)]
pub(crate) struct NeighbourLists {
    capacity: usize,
    entries: Vec<AtomicU32>,
}

impl NeighbourLists {
    /// Makes empty lists.
    pub(crate) fn new(count: usize, capacity: usize) -> NeighbourLists {
        let mut entries = Vec::new();
        entries.resize_with(count * capacity, || AtomicU32::new(NO_NEIGHBOUR));
        NeighbourLists { capacity, entries }
    }

    fn list_entries(&self, list: usize) -> &[AtomicU32] {
        &self.entries[list * self.capacity..][..self.capacity]
    }

    /// Calls `visit` with each row of a list.
    #[inline]
    pub(crate) fn for_each_row(&self, list: usize, mut visit: impl FnMut(u32)) {
        for entry in self.list_entries(list) {
            let row = entry.load(Relaxed);
            if row == NO_NEIGHBOUR {
                break;
            }
            visit(row);
        }
    }

    /// The rows of a list.
    pub(crate) fn list_rows(&self, list: usize) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.capacity);
        self.for_each_row(list, |row| rows.push(row));
        rows
    }

    /// Replaces the rows of a list by as many as it has room for.
    pub(crate) fn set_rows(&self, list: usize, rows: impl Iterator<Item = u32>) {
        let rows = rows.map(Some).chain(std::iter::repeat(None));
        for (entry, row) in self.list_entries(list).iter().zip(rows) {
            entry.store(row.unwrap_or(NO_NEIGHBOUR), Relaxed);
        }
    }

    /// Adds a row unless the list has it; false if the list is full.
    pub(crate) fn add_row(&self, list: usize, row: u32) -> bool {
        for entry in self.list_entries(list) {
            let found = entry.load(Relaxed);
            if found == NO_NEIGHBOUR {
                entry.store(row, Relaxed);
                return true;
            }
            if found == row {
                return true;
            }
        }
        false
    }
}
