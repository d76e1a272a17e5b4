//! What most filters look at, of the documents of a chunk.

use super::chunk_rows::{ChunkRow, ChunkRows, MAX_CHUNK_ROWS};
use crate::entry::{TdocEntry, TdocTraits};

/// The traits of documents: each combination once, and for each document which one it has.
///
/// The documents of a chunk have some dozen combinations, and a filter is asked once for each.
#[derive(Debug)]
pub(super) struct TraitsIndex {
    /// Ascending, each with the number of its documents.
    combinations: Box<[(TdocTraits, u16)]>,
    /// Of each document the place of its traits in `combinations`.
    of_rows: Box<[ChunkRow]>,
}

impl TraitsIndex {
    /// The traits of at most 256 documents, in their order.
    pub(super) fn new(entries: &[TdocEntry]) -> Self {
        let all: Vec<TdocTraits> = entries.iter().map(TdocEntry::traits).collect();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        let combinations: Box<[(TdocTraits, u16)]> = sorted
            .chunk_by(|one, next| one == next)
            .map(|same| (same[0], same.len() as u16))
            .collect();
        let place = |traits: &TdocTraits| {
            combinations.partition_point(|(combination, _)| combination < traits) as ChunkRow
        };
        let of_rows = all.iter().map(place).collect();
        Self { combinations, of_rows }
    }

    /// The traits of a document.
    pub(super) fn of(&self, row: ChunkRow) -> &TdocTraits {
        &self.combinations[usize::from(self.of_rows[usize::from(row)])].0
    }

    /// How many documents have traits that pass a test.
    pub(super) fn count(&self, passes: impl Fn(&TdocTraits) -> bool) -> usize {
        let count = |(traits, count): &(TdocTraits, u16)| match passes(traits) {
            true => usize::from(*count),
            false => 0,
        };
        self.combinations.iter().map(count).sum()
    }

    /// The documents whose traits pass a test.
    pub(super) fn rows(&self, passes: impl Fn(&TdocTraits) -> bool) -> ChunkRows {
        // There are no more combinations than documents.
        let mut passing = [false; MAX_CHUNK_ROWS];
        for (place, (traits, _)) in passing.iter_mut().zip(&self.combinations) {
            *place = passes(traits);
        }
        ChunkRows::of_first(self.of_rows.len(), |row| {
            passing[usize::from(self.of_rows[usize::from(row)])]
        })
    }
}
