//! Ranges of a text that are looked up many times: whether one covers or touches another range.

use std::ops::Range;

/// Ranges by their starts, each with the furthest end of it and of those before.
pub(super) struct RangeSet(Vec<(usize, usize)>);

impl RangeSet {
    /// A set of ranges in any order.
    pub(super) fn new(ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut ends: Vec<(usize, usize)> = ranges.map(|range| (range.start, range.end)).collect();
        ends.sort_unstable();
        let mut furthest = 0;
        for (_, end) in &mut ends {
            furthest = furthest.max(*end);
            *end = furthest;
        }
        Self(ends)
    }

    /// Whether one of them has all of a range.
    pub(super) fn covers(&self, range: &Range<usize>) -> bool {
        self.furthest_end_of(self.0.partition_point(|(start, _)| *start <= range.start))
            >= range.end
    }

    /// Whether one of them has a part of a range that is not empty.
    pub(super) fn touches(&self, range: &Range<usize>) -> bool {
        self.furthest_end_of(self.0.partition_point(|(start, _)| *start < range.end)) > range.start
    }

    /// The furthest end of the first ranges; 0 if there are none.
    fn furthest_end_of(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_answers_as_one_range_after_the_other_would() {
        let mut state = 3;
        let mut below = |count: u64| (splitmix64::next_splitmix64(&mut state) % count) as usize;
        for _ in 0..300 {
            let ranges: Vec<Range<usize>> = (0..below(8))
                .map(|_| {
                    let start = below(20);
                    start..start + 1 + below(6)
                })
                .collect();
            let set = RangeSet::new(ranges.iter().cloned());
            let start = below(20);
            let asked = start..start + 1 + below(6);
            let covers = ranges.iter().any(|r| r.start <= asked.start && asked.end <= r.end);
            let touches = ranges.iter().any(|r| r.start < asked.end && asked.start < r.end);
            assert_eq!(
                (set.covers(&asked), set.touches(&asked)),
                (covers, touches),
                "{ranges:?} {asked:?}"
            );
        }
    }
}
