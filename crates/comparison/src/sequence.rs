//! Ranges in which two sequences differ.

use std::{hash::Hash, ops::Range};

use imara_diff::{Algorithm, Diff, InternedInput, Interner};

/// A range of the old sequence and what stands in its place in the new one; one of the two may be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DifferingRanges {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// The ranges in which two sequences differ, in order; what lies between them is equal. The differences are minimal
/// but for sequences of many thousands that have little in common, where heuristics bound the time.
pub(crate) fn find_differences<T: Hash + Eq>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
) -> Vec<DifferingRanges> {
    let tokens = old.size_hint().0 + new.size_hint().0;
    let interner = Interner::new(tokens);
    let mut input = InternedInput { before: Vec::new(), after: Vec::new(), interner };
    input.update_before(old);
    input.update_after(new);
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_no_heuristic(&input);
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks()
        .map(|hunk| DifferingRanges { old: range(hunk.before), new: range(hunk.after) })
        .collect()
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
}
