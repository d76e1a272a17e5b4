//! A set of documents of one chunk, one bit for each.

/// A document by its position in its chunk. One byte: the word index of a chunk has an entry for each word of each
/// document.
pub(crate) type ChunkRow = u8;

/// The maximum number of documents in a chunk. A change rebuilds a whole chunk (2.9 ms for one document of a million,
/// see `docs/benchmarks.md`); more and smaller chunks slow down each filter, which visits all of them.
pub(super) const MAX_CHUNK_ROWS: usize = 1 << ChunkRow::BITS;

/// Bits of a word.
const WORD: usize = 64;

/// Documents of a chunk by their positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ChunkRows([u64; MAX_CHUNK_ROWS / WORD]);

impl ChunkRows {
    /// Those of the first `count` positions for which a test is true.
    pub(crate) fn of_first(count: usize, is_in: impl Fn(ChunkRow) -> bool) -> Self {
        let mut set = Self::default();
        for (index, word) in set.0.iter_mut().enumerate() {
            let rows = index * WORD..((index + 1) * WORD).min(count);
            for (bit, row) in rows.enumerate() {
                *word |= u64::from(is_in(row as ChunkRow)) << bit;
            }
        }
        set
    }

    /// Removes the positions for which a test is false.
    pub(crate) fn retain(&mut self, is_in: impl Fn(ChunkRow) -> bool) {
        for (index, word) in self.0.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros() as usize;
                if !is_in((index * WORD + bit) as ChunkRow) {
                    *word &= !(1 << bit);
                }
                rest &= rest - 1;
            }
        }
    }

    /// Those that are also in another set.
    pub(crate) fn restricted_to(self, other: Self) -> Self {
        let mut both = self;
        both.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        both
    }

    /// Whether a document is among them.
    pub(crate) fn contains(self, row: ChunkRow) -> bool {
        let row = usize::from(row);
        self.0[row / WORD] >> (row % WORD) & 1 == 1
    }

    /// Their number.
    pub(crate) fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Their positions, ascending.
    pub(crate) fn rows(self) -> impl Iterator<Item = ChunkRow> {
        let mut words = self.0;
        let mut index = 0;
        std::iter::from_fn(move || {
            while *words.get(index)? == 0 {
                index += 1;
            }
            let bit = words[index].trailing_zeros();
            words[index] &= words[index] - 1;
            Some((index * WORD) as ChunkRow + bit as ChunkRow)
        })
    }
}

impl FromIterator<ChunkRow> for ChunkRows {
    fn from_iter<T: IntoIterator<Item = ChunkRow>>(rows: T) -> Self {
        let mut set = Self::default();
        for row in rows.into_iter().map(usize::from) {
            set.0[row / WORD] |= 1 << (row % WORD);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let rows: Vec<ChunkRow> = vec![0, 1, 63, 64, 200, 255];
        let set: ChunkRows = rows.iter().copied().collect();
        assert_eq!(set.rows().collect::<Vec<_>>(), rows);
        assert_eq!(set.len(), 6);
        assert!(set.contains(200) && !set.contains(201));
        assert!(ChunkRows::default().rows().next().is_none());
        let odd = ChunkRows::of_first(64, |row| row % 2 == 1);
        assert_eq!(odd.len(), 32);
        assert_eq!(set.restricted_to(odd).rows().collect::<Vec<_>>(), [1, 63]);
        let mut small = set;
        small.retain(|row| row < 64);
        assert_eq!(small.rows().collect::<Vec<_>>(), [0, 1, 63]);
        assert_eq!(ChunkRows::of_first(256, |_| true).len(), 256);
        assert_eq!(ChunkRows::of_first(65, |_| true).rows().last(), Some(64));
    }
}
