//! The buffers of a walk over a graph, reused by the next walk of the same thread.

use std::cell::RefCell;

/// Rows that a walk has visited. Only the words that were touched are cleared, so that a walk over a
/// few rows of millions costs a few words.
#[derive(Debug, Default)]
pub(crate) struct VisitedRows {
    words: Vec<u64>,
    touched: Vec<u32>,
}

impl VisitedRows {
    /// Removes all marks and makes room for `rows` rows.
    pub(crate) fn reset(&mut self, rows: u32) {
        for word in self.touched.drain(..) {
            self.words[word as usize] = 0;
        }
        let word_count = rows.div_ceil(u64::BITS) as usize;
        if self.words.len() < word_count {
            self.words.resize(word_count, 0);
        }
    }

    /// Marks a row, which must be less than the rows of the last reset, as visited; whether it is new.
    #[inline]
    pub(crate) fn insert(&mut self, row: u32) -> bool {
        let (index, bit) = (row / u64::BITS, 1 << (row % u64::BITS));
        let word = &mut self.words[index as usize];
        if *word & bit != 0 {
            return false;
        }
        if *word == 0 {
            self.touched.push(index);
        }
        *word |= bit;
        true
    }
}

/// A row with its score; the top bit of the number says that its neighbours were visited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoredRow {
    pub(crate) score: f32,
    flagged_row: u32,
}

const EXPANDED_BIT: u32 = 1 << 31;

impl ScoredRow {
    pub(crate) fn new(score: f32, row: u32) -> ScoredRow {
        ScoredRow { score, flagged_row: row }
    }

    pub(crate) fn row(self) -> u32 {
        self.flagged_row & !EXPANDED_BIT
    }

    /// Whether the mark was not set before.
    #[inline]
    fn mark_expanded(&mut self) -> bool {
        let unmarked = self.flagged_row & EXPANDED_BIT == 0;
        self.flagged_row |= EXPANDED_BIT;
        unmarked
    }
}

/// The best rows visited so far, the best first.
#[derive(Debug, Default)]
pub(crate) struct Beam {
    rows: Vec<ScoredRow>,
    limit: usize,
    /// All rows before this index are expanded.
    next: usize,
}

impl Beam {
    pub(crate) fn reset(&mut self, limit: usize) {
        self.rows.clear();
        self.limit = limit.max(1);
        self.next = 0;
    }

    /// Whether it has as many rows as it keeps.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() >= self.limit
    }

    /// The score that a row must exceed to be kept.
    #[inline]
    pub(crate) fn threshold(&self) -> f32 {
        match self.rows.last() {
            Some(worst) if self.is_full() => worst.score,
            Some(_) | None => f32::NEG_INFINITY,
        }
    }

    /// Keeps a row if it is among the best, and returns whether it is. A row whose score is not a number never is.
    #[inline]
    pub(crate) fn offer_row(&mut self, score: f32, row: u32) -> bool {
        let is_taken = score > self.threshold();
        if is_taken {
            let index = self.rows.partition_point(|other| other.score >= score);
            if self.rows.len() == self.limit {
                self.rows.pop();
            }
            self.rows.insert(index, ScoredRow::new(score, row));
            self.next = self.next.min(index);
        }
        is_taken
    }

    /// The best row that is not expanded yet; it is then.
    #[inline]
    pub(crate) fn next_unexpanded(&mut self) -> Option<ScoredRow> {
        while let Some(scored) = self.rows.get_mut(self.next) {
            self.next += 1;
            if scored.mark_expanded() {
                return Some(*scored);
            }
        }
        None
    }

    /// Rows with their scores, the best first.
    pub(crate) fn best_rows(&self) -> impl ExactSizeIterator<Item = ScoredRow> + '_ {
        self.rows.iter().map(|scored| ScoredRow::new(scored.score, scored.row()))
    }
}

/// Everything a walk writes to.
#[derive(Debug, Default)]
pub(crate) struct WalkScratch {
    pub(crate) visited: VisitedRows,
    pub(crate) beam: Beam,
    /// Rows about to be scored, and their products with the query.
    pub(crate) batch: Vec<u32>,
    pub(crate) products: Vec<i32>,
    /// The nodes of the batch, if a level above is walked.
    pub(crate) nodes: Vec<u32>,
    /// Neighbours that a filter does not allow.
    pub(crate) bridges: Vec<u32>,
    /// Where a walk begins.
    pub(crate) entry_points: Vec<u32>,
}

impl WalkScratch {
    /// Lends the thread's own buffers; a walk inside a walk gets new ones.
    pub(crate) fn with_thread_local<R>(work: impl FnOnce(&mut WalkScratch) -> R) -> R {
        thread_local!(static OWN: RefCell<WalkScratch> = RefCell::default());
        OWN.with(|own| match own.try_borrow_mut() {
            Ok(mut own) => work(&mut own),
            Err(_) => work(&mut WalkScratch::default()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beam_keeps_the_best_and_gives_each_out_once() {
        let mut beam = Beam::default();
        beam.reset(3);
        for (row, score) in [(0, 0.1), (1, 0.5), (2, f32::NAN), (3, 0.3)] {
            beam.offer_row(score, row);
        }
        assert_eq!(beam.next_unexpanded().map(ScoredRow::row), Some(1));
        beam.offer_row(0.9, 4);
        beam.offer_row(0.2, 5);
        assert_eq!(beam.next_unexpanded().map(ScoredRow::row), Some(4));
        assert_eq!(beam.next_unexpanded().map(ScoredRow::row), Some(3));
        assert_eq!(beam.next_unexpanded(), None);
        assert_eq!(beam.best_rows().map(ScoredRow::row).collect::<Vec<_>>(), [4, 1, 3]);
    }

    #[test]
    fn rows_are_new_once_until_the_next_walk() {
        let mut visited = VisitedRows::default();
        visited.reset(130);
        assert!(visited.insert(129) && visited.insert(0) && !visited.insert(129));
        visited.reset(200);
        assert!(visited.insert(129) && visited.insert(199));
    }
}
