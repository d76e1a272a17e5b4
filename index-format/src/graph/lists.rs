//! Lists of neighbours that several threads read and write while a graph is built.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::layout::NONE;

/// One list after another, each with room for the same number of rows. A reader may see a list
/// half written: every entry it sees is a row or nothing, and that is all it relies on.
#[derive(Debug)]
pub(crate) struct Lists {
    room: usize,
    entries: Vec<AtomicU32>,
}

impl Lists {
    /// Makes empty lists.
    pub(crate) fn new(count: usize, room: usize) -> Lists {
        let mut entries = Vec::new();
        entries.resize_with(count * room, || AtomicU32::new(NONE));
        Lists { room, entries }
    }

    fn list(&self, at: usize) -> &[AtomicU32] {
        &self.entries[at * self.room..][..self.room]
    }

    /// Calls `visit` with each row of a list.
    #[inline]
    pub(crate) fn each(&self, at: usize, mut visit: impl FnMut(u32)) {
        for entry in self.list(at) {
            let row = entry.load(Relaxed);
            if row == NONE {
                break;
            }
            visit(row);
        }
    }

    /// The rows of a list.
    pub(crate) fn rows(&self, at: usize) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.room);
        self.each(at, |row| rows.push(row));
        rows
    }

    /// Puts these rows in place of a list's; as many as there is room for.
    pub(crate) fn set(&self, at: usize, rows: impl Iterator<Item = u32>) {
        let rows = rows.map(Some).chain(std::iter::repeat(None));
        for (entry, row) in self.list(at).iter().zip(rows) {
            entry.store(row.unwrap_or(NONE), Relaxed);
        }
    }

    /// Adds a row that the list does not have. Whether there was room.
    pub(crate) fn add(&self, at: usize, row: u32) -> bool {
        for entry in self.list(at) {
            let found = entry.load(Relaxed);
            if found == NONE {
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
