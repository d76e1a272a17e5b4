//! The best few of many scored rows.

use std::cmp::Ordering;

/// Keeps the rows with the highest scores; among equal scores the lowest row.
#[derive(Debug)]
pub(crate) struct TopRows {
    limit: usize,
    /// Offers that are not above it cannot be among the best.
    threshold: f32,
    /// Up to twice the limit, so that it is truncated once for many offers.
    scored: Vec<(f32, u32)>,
}

impl TopRows {
    /// Makes a pool for `limit` rows, at least one.
    pub(crate) fn new(limit: usize) -> TopRows {
        let limit = limit.max(1);
        TopRows { limit, threshold: f32::NEG_INFINITY, scored: Vec::with_capacity(2 * limit) }
    }

    /// Considers a row; rows come in ascending order. A score that is not a number is never kept.
    #[inline]
    pub(crate) fn offer_row(&mut self, score: f32, row: u32) {
        if score > self.threshold {
            self.scored.push((score, row));
            if self.scored.len() == 2 * self.limit {
                self.truncate_to_limit();
            }
        }
    }

    /// The rows kept, the best first.
    pub(crate) fn into_best(mut self) -> Vec<u32> {
        self.truncate_to_limit();
        self.scored.sort_unstable_by(best_first);
        self.scored.into_iter().map(|(_, row)| row).collect()
    }

    /// The rows kept, in ascending order.
    pub(crate) fn into_rows(mut self) -> Vec<u32> {
        self.truncate_to_limit();
        let mut rows: Vec<u32> = self.scored.into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        rows
    }

    fn truncate_to_limit(&mut self) {
        if self.scored.len() <= self.limit {
            return;
        }
        let (_, last_kept, _) = self.scored.select_nth_unstable_by(self.limit - 1, best_first);
        self.threshold = last_kept.0;
        self.scored.truncate(self.limit);
    }
}

fn best_first(a: &(f32, u32), b: &(f32, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best_rows(limit: usize, scores: &[f32]) -> Vec<u32> {
        let mut pool = TopRows::new(limit);
        for (row, score) in (0..).zip(scores) {
            pool.offer_row(*score, row);
        }
        pool.into_rows()
    }

    #[test]
    fn the_best_scores_are_kept_and_ties_go_to_the_lowest_row() {
        assert_eq!(best_rows(2, &[0.1, 0.9, 0.5, 0.9, 0.9, 0.2]), [1, 3]);
        assert_eq!(best_rows(3, &[-1.0, -2.0, -3.0, -0.5, -4.0, -0.25, -9.0]), [0, 3, 5]);
        assert_eq!(best_rows(10, &[1.0, 2.0]), [0, 1]);
        assert_eq!(best_rows(1, &[0.0; 9]), [0]);
    }

    #[test]
    fn scores_that_are_not_numbers_are_left_out() {
        assert_eq!(best_rows(2, &[f32::NAN, 1.0, f32::NAN, f32::NAN, 0.5, 0.7]), [1, 5]);
    }
}
