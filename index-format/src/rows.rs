//! The rows a search may return.

use std::borrow::Cow;
use std::ops::Range;

/// How many rows are scored at a time: large enough to hide the call, small enough for the stack.
pub(crate) const BATCH_ROWS: usize = 256;

/// The set of rows a search may return; rows that the segment does not have are ignored.
#[derive(Debug, Clone, Copy)]
pub enum RowSet<'a> {
    /// Every row.
    All,
    /// These rows, in ascending order; a row that is given twice counts once.
    Sorted(&'a [u32]),
    /// The rows of these ranges, in ascending order and apart from each other.
    Runs(&'a [Range<u32>]),
    /// The rows whose bit is set: row `r` is bit `r % 64`, from the lowest, of word `r / 64`.
    Bitmap {
        /// The words of the bitmap; rows past the last word are not in the set.
        words: &'a [u64],
    },
}

impl<'a> RowSet<'a> {
    /// How many rows of the set a segment of `row_count` rows has, each counted once: if repeated rows added up to
    /// all rows, a walk would ignore the filter.
    pub(crate) fn count_rows(self, row_count: u32) -> usize {
        match self {
            RowSet::All => row_count as usize,
            RowSet::Sorted(rows) => {
                let rows = &rows[..rows.partition_point(|row| *row < row_count)];
                without_repeats(rows.iter().copied()).count()
            }
            RowSet::Runs(runs) => disjoint_runs(runs, row_count).map(|run| run.len()).sum(),
            RowSet::Bitmap { words } => {
                let whole = (row_count / u64::BITS) as usize;
                let words = words_within(words, row_count);
                let last = words.get(whole).map_or(0, |word| {
                    (word & ((1 << (row_count % u64::BITS)) - 1)).count_ones() as usize
                });
                let full = words.iter().take(whole);
                full.map(|word| word.count_ones() as usize).sum::<usize>() + last
            }
        }
    }

    /// Visits the rows of the set that are less than `row_count`, at most [`BATCH_ROWS`] at a time.
    pub(crate) fn for_each_batch(self, row_count: u32, visit: impl FnMut(&[u32])) {
        let mut batches = RowBatches { batch: [0; BATCH_ROWS], filled: 0, visit };
        match self {
            RowSet::All => batches.push_run(0..row_count),
            RowSet::Sorted(rows) => {
                let within = rows.iter().copied().filter(|row| *row < row_count);
                without_repeats(within).for_each(|row| batches.push_row(row));
            }
            RowSet::Runs(runs) => {
                disjoint_runs(runs, row_count).for_each(|run| batches.push_run(run))
            }
            RowSet::Bitmap { words } => {
                for (index, word) in (0..).zip(words_within(words, row_count)) {
                    let first: u32 = index * u64::BITS;
                    if *word == u64::MAX {
                        batches.push_run(first..row_count.min(first.saturating_add(u64::BITS)));
                    } else {
                        let rows = set_bits(*word).map(|bit| first + bit);
                        rows.filter(|row| *row < row_count).for_each(|row| batches.push_row(row));
                    }
                }
            }
        }
        batches.flush_batch();
    }

    /// The set as words of a bitmap, for a segment of `row_count` rows.
    pub(crate) fn to_bitmap(self, row_count: u32) -> Cow<'a, [u64]> {
        if let RowSet::Bitmap { words } = self {
            return Cow::Borrowed(words);
        }
        let mut words = vec![0; row_count.div_ceil(u64::BITS) as usize];
        if let RowSet::Runs(runs) = self {
            disjoint_runs(runs, row_count).for_each(|run| set_run(&mut words, run));
            return Cow::Owned(words);
        }
        self.for_each_batch(row_count, |rows| {
            for row in rows {
                words[(row / u64::BITS) as usize] |= 1 << (row % u64::BITS);
            }
        });
        Cow::Owned(words)
    }
}

/// Sets the bits of a run, whole words at once.
fn set_run(words: &mut [u64], run: Range<u32>) {
    let Some(last) = run.end.checked_sub(1).filter(|last| *last >= run.start) else { return };
    let (first_word, last_word) = ((run.start / u64::BITS) as usize, (last / u64::BITS) as usize);
    let from = u64::MAX << (run.start % u64::BITS);
    let to = u64::MAX >> (u64::BITS - 1 - last % u64::BITS);
    if first_word == last_word {
        words[first_word] |= from & to;
    } else {
        words[first_word] |= from;
        words[first_word + 1..last_word].fill(u64::MAX);
        words[last_word] |= to;
    }
}

/// The parts of runs that a segment has, without what an earlier run had.
fn disjoint_runs(runs: &[Range<u32>], row_count: u32) -> impl Iterator<Item = Range<u32>> {
    let mut reached = 0;
    runs.iter().map(move |run| {
        let part = run.start.clamp(reached, row_count)..run.end.clamp(reached, row_count);
        reached = part.end;
        part
    })
}

/// Gathers rows for a visitor that wants many at a time.
struct RowBatches<F> {
    batch: [u32; BATCH_ROWS],
    filled: usize,
    visit: F,
}

impl<F: FnMut(&[u32])> RowBatches<F> {
    #[inline]
    fn push_row(&mut self, row: u32) {
        self.batch[self.filled] = row;
        self.filled += 1;
        if self.filled == BATCH_ROWS {
            (self.visit)(&self.batch);
            self.filled = 0;
        }
    }

    fn push_run(&mut self, mut run: Range<u32>) {
        while !run.is_empty() {
            let room = &mut self.batch[self.filled..];
            let count = run.len().min(room.len());
            for (slot, row) in room[..count].iter_mut().zip(run.start..) {
                *slot = row;
            }
            run.start += count as u32;
            self.filled += count;
            if self.filled == BATCH_ROWS {
                (self.visit)(&self.batch);
                self.filled = 0;
            }
        }
    }

    fn flush_batch(mut self) {
        if self.filled > 0 {
            (self.visit)(&self.batch[..self.filled]);
        }
    }
}

fn without_repeats(rows: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut last = None;
    rows.filter(move |row| last.replace(*row) != Some(*row))
}

/// The words that can name a row, so that bit numbers stay within 32 bits.
fn words_within(words: &[u64], row_count: u32) -> &[u64] {
    let word_count = row_count.div_ceil(u64::BITS) as usize;
    &words[..word_count.min(words.len())]
}

/// The numbers of the bits that are set.
fn set_bits(word: u64) -> impl Iterator<Item = u32> {
    // Each step clears the lowest set bit.
    std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)))
        .take_while(|rest| *rest != 0)
        .map(u64::trailing_zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visited(rows: RowSet<'_>, row_count: u32) -> Vec<u32> {
        let mut all = Vec::new();
        rows.for_each_batch(row_count, |batch| all.extend_from_slice(batch));
        assert_eq!(all.len(), rows.count_rows(row_count));
        let words = rows.to_bitmap(row_count).into_owned();
        let mut again = Vec::new();
        RowSet::Bitmap { words: &words }
            .for_each_batch(row_count, |batch| again.extend_from_slice(batch));
        assert_eq!(all, again);
        assert_eq!(RowSet::Bitmap { words: &words }.count_rows(row_count), all.len());
        all
    }

    #[test]
    fn all_rows_come_once_and_in_order() {
        for count in [0, 1, 255, 256, 257, 1000] {
            assert_eq!(visited(RowSet::All, count), (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_sorted_list_loses_repeats_and_rows_out_of_range() {
        assert_eq!(visited(RowSet::Sorted(&[1, 1, 4, 9, 9, 10, u32::MAX]), 10), [1, 4, 9]);
        assert!(visited(RowSet::Sorted(&[]), 10).is_empty());
        assert!(visited(RowSet::Sorted(&[0]), 0).is_empty());
    }

    #[test]
    fn a_bitmap_of_runs_has_their_bits() {
        for start in 0..140 {
            for end in start..200 {
                let runs = [start..end, 190..400];
                let mut rows = Vec::new();
                RowSet::Runs(&runs).for_each_batch(210, |batch| rows.extend_from_slice(batch));
                let (from_runs, from_rows) =
                    (RowSet::Runs(&runs).to_bitmap(210), RowSet::Sorted(&rows).to_bitmap(210));
                assert_eq!(from_runs, from_rows, "{runs:?}");
            }
        }
    }

    #[test]
    fn runs_give_their_rows_within_the_segment() {
        assert_eq!(visited(RowSet::Runs(&[0..2, 5..6, 8..30]), 10), [0, 1, 5, 8, 9]);
        assert_eq!(visited(RowSet::Runs(&[0..3, 1..2, 2..5]), 10), [0, 1, 2, 3, 4]);
        assert!(visited(RowSet::Runs(&[20..30, 40..50]), 10).is_empty());
    }

    #[test]
    fn a_bitmap_gives_its_set_bits_within_the_rows() {
        let words = [1 | 1 << 63, 0, 0b101, u64::MAX];
        assert_eq!(visited(RowSet::Bitmap { words: &words }, 131), [0, 63, 128, 130]);
        assert_eq!(visited(RowSet::Bitmap { words: &words }, 129), [0, 63, 128]);
        assert_eq!(visited(RowSet::Bitmap { words: &words[..1] }, 10_000), [0, 63]);
        assert!(visited(RowSet::Bitmap { words: &[] }, 10).is_empty());
    }
}
