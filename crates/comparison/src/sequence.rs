//! Ranges in which two sequences differ.

use std::{collections::HashMap, hash::Hash, ops::Range};

use cost_meter::spend;
use imara_diff::{Algorithm, Diff, InternedInput, Interner, NoSliderHeuristic, Token};

/// Maximum sum of the products of two lengths up to which ranges are compared item by item: Myers' algorithm takes
/// time in proportion to it if they have little in common. Two lists of 4,096 items are at the limit.
const MAX_PRODUCT: usize = 1 << 24;

/// Units of a product that are compared in about the time of one step of a cost meter.
const PRODUCT_PER_STEP: usize = 8;

/// A range of the old sequence, and the range of the new one that replaces it; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DifferingRanges {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

impl DifferingRanges {
    fn is_empty(&self) -> bool {
        self.old.is_empty() && self.new.is_empty()
    }

    fn product(&self) -> usize {
        self.old.len().saturating_mul(self.new.len())
    }
}

/// The ranges in which two sequences differ, in order; everything between them is equal. The differences are minimal
/// except for sequences of thousands: those are first aligned at items that occur once in each, and a range between
/// two of them that is still too long is reported whole.
pub(crate) fn find_differences<T: Hash + Eq>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
) -> Vec<DifferingRanges> {
    let tokens = old.size_hint().0 + new.size_hint().0;
    spend(tokens);
    let interner = Interner::new(tokens);
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
    input.update_before(old);
    input.update_after(new);
    let (before, after) = (&input.before, &input.after);
    let count = input.interner.num_tokens();
    let whole = DifferingRanges { old: 0..before.len(), new: 0..after.len() };
    if whole.product() <= MAX_PRODUCT {
        return compare_exactly(before, after, count, &whole);
    }
    let mut budget = MAX_PRODUCT;
    let mut differing = Vec::new();
    for gap in gaps_between_anchors(before, after) {
        let gap = without_common_ends(before, after, gap);
        if gap.is_empty() {
            continue;
        }
        match budget.checked_sub(gap.product()) {
            Some(left) => {
                budget = left;
                differing.extend(compare_exactly(before, after, count, &gap));
            }
            None => differing.push(gap),
        }
    }
    differing
}

/// The differences within a range.
fn compare_exactly(
    before: &[Token],
    after: &[Token],
    count: u32,
    stretch: &DifferingRanges,
) -> Vec<DifferingRanges> {
    spend(stretch.product() / PRODUCT_PER_STEP);
    let (before, after) = (&before[stretch.old.clone()], &after[stretch.new.clone()]);
    let mut diff = Diff::default();
    diff.compute_with(Algorithm::Myers, before, after, count);
    diff.postprocess_with(before, after, NoSliderHeuristic);
    let shifted = |range: Range<u32>, by: usize| range.start as usize + by..range.end as usize + by;
    diff.hunks()
        .map(|hunk| DifferingRanges {
            old: shifted(hunk.before, stretch.old.start),
            new: shifted(hunk.after, stretch.new.start),
        })
        .collect()
}

/// A range without its common beginning and end: what remains is often within the budget.
fn without_common_ends(
    before: &[Token],
    after: &[Token],
    stretch: DifferingRanges,
) -> DifferingRanges {
    let DifferingRanges { mut old, mut new } = stretch;
    let (left, right) = (&before[old.clone()], &after[new.clone()]);
    let same = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    (old.start, new.start) = (old.start + same, new.start + same);
    let (left, right) = (&before[old.clone()], &after[new.clone()]);
    let same = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    (old.end, new.end) = (old.end - same, new.end - same);
    DifferingRanges { old, new }
}

/// The ranges between the items that occur once in each sequence, as far as these are in the same order (the longest
/// such list, as in patience diff): each range follows an anchor, or the beginning.
fn gaps_between_anchors(before: &[Token], after: &[Token]) -> Vec<DifferingRanges> {
    let positions = |tokens: &[Token]| {
        let mut places: HashMap<Token, Option<usize>> = HashMap::new();
        for (at, token) in tokens.iter().enumerate() {
            places.entry(*token).and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let in_after = positions(after);
    let in_before = positions(before);
    let single = before.iter().enumerate().filter(|(_, token)| in_before[*token].is_some());
    let pairs: Vec<(usize, usize)> =
        single.filter_map(|(old, token)| Some((old, (*in_after.get(token)?)?))).collect();
    let mut gaps = Vec::new();
    let (mut old, mut new) = (0, 0);
    let end = (before.len(), after.len());
    for (at_old, at_new) in longest_ascending(&pairs).into_iter().chain([end]) {
        gaps.push(DifferingRanges { old: old..at_old, new: new..at_new });
        (old, new) = (at_old + 1, at_new + 1);
    }
    gaps
}

/// The longest list of pairs, given in the order of their first members, in which the second ones ascend too.
fn longest_ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // ends[n] is the pair with the lowest second member that ends a list of n + 1 pairs.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *new);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut list = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        list.push(pairs[index]);
        next = before[index];
    }
    list.reverse();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_differences_is_equal() {
        let (old, new) = ("abcdefg", "abXdeg!");
        let found = find_differences(old.bytes(), new.bytes());
        let ranges: Vec<_> = found.into_iter().map(|r| (r.old, r.new)).collect();
        assert_eq!(ranges, [(2..3, 2..3), (5..6, 5..5), (7..7, 6..7)]);
        assert!(find_differences(old.bytes(), old.bytes()).is_empty());
    }

    /// Whether the ranges are in order, and what lies between them is equal.
    fn is_right(old: &[u32], new: &[u32], ranges: &[DifferingRanges]) -> bool {
        let (mut at_old, mut at_new) = (0, 0);
        let end = DifferingRanges { old: old.len()..old.len(), new: new.len()..new.len() };
        ranges.iter().chain([&end]).all(|range| {
            let same = old.get(at_old..range.old.start) == new.get(at_new..range.new.start);
            (at_old, at_new) = (range.old.end, range.new.end);
            same && at_old <= old.len() && at_new <= new.len()
        })
    }

    #[test]
    fn long_sequences_are_compared_in_a_bounded_time_and_rightly() {
        let mut state = 5;
        let mut words = |count: usize, vocabulary: u64| -> Vec<u32> {
            (0..count)
                .map(|_| (splitmix64::next_splitmix64(&mut state) % vocabulary) as u32)
                .collect()
        };
        let length = 100_000;
        // Without anchors, with some, and all of them.
        for vocabulary in [2, 50, 1_000, 100_000, u64::from(u32::MAX)] {
            let (old, new) = (words(length, vocabulary), words(length, vocabulary));
            let ranges = find_differences(old.iter(), new.iter());
            assert!(is_right(&old, &new, &ranges), "{vocabulary} words");
        }
        // A sequence with a few changes: each one is found.
        let old = words(length, 20_000);
        let mut new = old.clone();
        let places = [7, 30_000, 30_001, 99_999];
        for place in places {
            new[place] = u32::MAX - place as u32;
        }
        new.insert(60_000, u32::MAX);
        let ranges = find_differences(old.iter(), new.iter());
        assert!(is_right(&old, &new, &ranges));
        let found: Vec<Range<usize>> = ranges.iter().map(|range| range.old.clone()).collect();
        assert_eq!(found, [7..8, 30_000..30_002, 60_000..60_000, 99_999..100_000]);
        assert!(find_differences(old.iter(), old.iter()).is_empty());
    }
}
