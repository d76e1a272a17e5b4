//! The properties of a chunk's documents that most filters test.

use super::chunk_rows::{ChunkRow, ChunkRows, MAX_CHUNK_ROWS};
use crate::entry::TdocTraits;

/// The traits of documents: each combination once, and for each document the one that it has.
///
/// The documents of a chunk have about a dozen combinations, and a filter is evaluated once for each, not for each
/// document.
#[derive(Debug)]
pub(super) struct TraitsIndex {
    /// Ascending, each with the number of its documents.
    combinations: Box<[(TdocTraits, u16)]>,
    /// For each document, the index of its traits in `combinations`.
    of_rows: Box<[ChunkRow]>,
}

impl TraitsIndex {
    /// The traits of at most 256 documents, in their order.
    pub(super) fn new(all: &[TdocTraits]) -> Self {
        let mut sorted = all.to_vec();
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

    /// The number of documents whose traits match a test.
    pub(super) fn count(&self, passes: impl Fn(&TdocTraits) -> bool) -> usize {
        let count = |(traits, count): &(TdocTraits, u16)| {
            if passes(traits) { usize::from(*count) } else { 0 }
        };
        self.combinations.iter().map(count).sum()
    }

    /// The documents whose traits match a test.
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

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DocKind;
    use domain::RegisterStatus;

    #[test]
    fn each_document_keeps_its_traits_and_every_filter_finds_those_that_pass() {
        let traits = |number: u32| TdocTraits {
            meeting_key: number % 3,
            kind: [DocKind::Contribution, DocKind::Cr][number as usize % 2],
            status: if number.is_multiple_of(5) {
                RegisterStatus::Unknown
            } else {
                RegisterStatus::Agreed
            },
            release: None,
        };
        for count in [0, 1, 2, 65, 256] {
            let all: Vec<TdocTraits> = (0..count).map(traits).collect();
            let index = TraitsIndex::new(&all);
            assert!(index.combinations.len() <= 12, "each combination stands once");
            let filters: [fn(&TdocTraits) -> bool; 4] = [
                |_| true,
                |_| false,
                |of| of.meeting_key == 1,
                |of| of.kind == DocKind::Cr && of.status == RegisterStatus::Unknown,
            ];
            for filter in filters {
                let rows = index.rows(filter);
                let passing: Vec<bool> = all.iter().map(filter).collect();
                assert_eq!(index.count(filter), passing.iter().filter(|passes| **passes).count());
                assert_eq!(rows.len(), index.count(filter));
                for (row, passes) in (0..=ChunkRow::MAX).zip(passing) {
                    assert_eq!(rows.contains(row), passes, "row {row} of {count}");
                }
            }
            for (row, own) in (0..=ChunkRow::MAX).zip(&all) {
                assert_eq!(index.of(row), own);
            }
        }
    }
}
