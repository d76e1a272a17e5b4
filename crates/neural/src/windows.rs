//! Cuts a token sequence that is longer than a model's window into overlapping windows.

use std::ops::Range;

/// An eighth of a window is shared with the next, so that one of them contains a phrase at the border whole.
const OVERLAP_DIVISOR: usize = 8;

/// Returns the ranges of tokens that cover `length` tokens with windows of at most `capacity`.
///
/// All windows of a long text have `capacity` tokens and are spaced evenly, so that the last one is not a short rest.
/// A text that fits, even an empty one, is one window.
pub(super) fn cover_tokens(length: usize, capacity: usize) -> Vec<Range<usize>> {
    let capacity = capacity.max(1);
    if length <= capacity {
        return std::iter::once(0..length).collect();
    }
    let stride = capacity - capacity / OVERLAP_DIVISOR;
    let steps = (length - capacity).div_ceil(stride);
    (0..=steps)
        .map(|step| {
            let start = step * (length - capacity) / steps;
            start..start + capacity
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_fits_is_one_window() {
        assert_eq!(cover_tokens(0, 510), vec![0..0; 1]);
        assert_eq!(cover_tokens(510, 510), vec![0..510; 1]);
    }

    #[test]
    fn one_token_too_many_gives_two_windows_that_reach_both_ends() {
        assert_eq!(cover_tokens(511, 510), [0..510, 1..511]);
    }

    #[test]
    fn every_token_is_covered_and_neighbours_overlap() {
        for (capacity, overlap) in [(510, 63), (8, 1), (1, 0)] {
            for length in 0..4 * capacity + 3 {
                let windows = cover_tokens(length, capacity);
                assert_eq!(windows[0].start, 0);
                assert_eq!(windows[windows.len() - 1].end, length);
                for pair in windows.windows(2) {
                    assert!(pair[0].len() == capacity && pair[1].len() == capacity);
                    assert!(pair[1].start + overlap <= pair[0].end, "{length} {pair:?}");
                    assert!(pair[0].start < pair[1].start, "{length} {pair:?}");
                }
            }
        }
    }

    #[test]
    fn a_capacity_of_nothing_does_not_loop() {
        assert_eq!(cover_tokens(3, 0).len(), 3);
    }
}
