//! Pairs the items of a new list with those of the old one.
//!
//! Equal items are found first. In the ranges between them, items of similar words are paired in order, by the sum of
//! their similarities; remaining items on both sides that are nearly equal have moved.

use std::collections::HashMap;

use cost_meter::spend;

use crate::{
    edit::Edit,
    sequence::{DifferingRanges, find_differences},
    words::{WordNumbers, bag_similarity},
};

/// Minimum similarity of two items of which one became the other. With less, unrelated sentences would be paired by
/// the words that all sentences have, and shown as one changed beyond recognition.
const LEAST_SIMILARITY: f32 = 0.4;
/// Minimum similarity of an item that moved and changed. It is higher than [`LEAST_SIMILARITY`], because the position
/// is no evidence: the rows of a table resemble each other.
const LEAST_MOVED_SIMILARITY: f32 = 0.8;
/// Minimum number of words of a moved item: shorter ones repeat by chance.
const LEAST_MOVED_WORDS: usize = 4;
/// Maximum number of words of the compared pairs of a list; beyond it, only pairs near the diagonal are compared, and
/// moves are not searched for. It bounds time: a long table whose rows all changed has millions of pairs.
const MAX_PAIRED_WORDS: usize = 1 << 24;
/// Maximum number of pairs that are compared in a range, or for moves, even if they are short. A pair takes 8 bytes of
/// the table of best sums, so this is 3 MB.
const MAX_PAIRS: usize = 400_000;
/// Words that are compared in about the time of one step of a cost meter: a word is one comparison of two numbers.
const WORDS_PER_STEP: usize = 8;

/// An item of a list that can be aligned.
pub(crate) trait Unit: Clone + PartialEq {
    /// All its text. Items of equal text are the same item.
    fn text(&self) -> String;

    /// Whether it can become another one by a change.
    fn can_become(&self, _other: &Self) -> bool {
        true
    }
}

impl Unit for String {
    fn text(&self) -> String {
        self.clone()
    }
}

/// The edits from one list to another.
pub(crate) fn align_units<T: Unit, C>(
    old: &[T],
    new: &[T],
    with_moves: bool,
    compare: impl Fn(&T, &T) -> C,
) -> Vec<Edit<T, C>> {
    let alignment = ListAlignment::of_units(old, new, with_moves);
    let mut edits: Vec<Edit<T, C>> = Vec::new();
    let mut at = 0;
    for (index, item) in new.iter().enumerate() {
        match alignment.old_of_new[index] {
            ItemOrigin::Pair(from) => {
                push_left_behind(&mut edits, old, at..from, &alignment);
                at = from + 1;
                match (&old[from] == item, edits.last_mut()) {
                    (true, Some(Edit::Kept { count })) => *count += 1,
                    (true, _) => edits.push(Edit::Kept { count: 1 }),
                    (false, _) => edits.push(Edit::Changed { change: compare(&old[from], item) }),
                }
            }
            ItemOrigin::Moved(from) => {
                let change = (&old[from] != item).then(|| compare(&old[from], item));
                edits.push(Edit::MovedHere { from, change });
            }
            ItemOrigin::None => edits.push(Edit::Inserted { item: item.clone() }),
        }
    }
    push_left_behind(&mut edits, old, at..old.len(), &alignment);
    put_deletions_first(&mut edits);
    edits
}

fn push_left_behind<T: Unit, C>(
    edits: &mut Vec<Edit<T, C>>,
    old: &[T],
    range: std::ops::Range<usize>,
    alignment: &ListAlignment,
) {
    for index in range {
        edits.push(match alignment.moved_to[index] {
            Some(to) => Edit::MovedAway { to },
            None => Edit::Deleted { item: old[index].clone() },
        });
    }
}

/// Between two items that stay, deletions precede insertions.
fn put_deletions_first<T, C>(edits: &mut [Edit<T, C>]) {
    let stays = |edit: &Edit<T, C>| matches!(edit, Edit::Kept { .. } | Edit::Changed { .. });
    for run in edits.split_mut(stays) {
        run.sort_by_key(|edit| !matches!(edit, Edit::Deleted { .. } | Edit::MovedAway { .. }));
    }
}

/// The origin of an item of the new list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemOrigin {
    /// It is this item of the old list, in order with the other pairs.
    Pair(usize),
    /// It is this item of the old list, out of order.
    Moved(usize),
    /// It is new.
    None,
}

struct ListAlignment {
    old_of_new: Vec<ItemOrigin>,
    /// For each item of the old list, where it moved to.
    moved_to: Vec<Option<usize>>,
}

impl ListAlignment {
    fn of_units<T: Unit>(old: &[T], new: &[T], with_moves: bool) -> Self {
        let old_texts: Vec<String> = old.iter().map(Unit::text).collect();
        let new_texts: Vec<String> = new.iter().map(Unit::text).collect();
        let can_pair = |o: usize, n: usize| old[o].can_become(&new[n]);
        let mut found =
            Self { old_of_new: vec![ItemOrigin::None; new.len()], moved_to: vec![None; old.len()] };
        let differing = find_differences(old_texts.iter(), new_texts.iter());
        let mut is_paired = vec![false; old.len()];
        let (mut at_old, mut at_new) = (0, 0);
        let end = DifferingRanges { old: old.len()..old.len(), new: new.len()..new.len() };
        let mut numbers = WordNumbers::default();
        let mut bags = Bags::default();
        let mut budget = MAX_PAIRED_WORDS;
        for range in differing.iter().chain([&end]) {
            for (from, to) in (at_old..range.old.start).zip(at_new..range.new.start) {
                // Equal texts may be items of different kinds, such as a paragraph and a figure's key, which no change
                // turns into each other.
                if can_pair(from, to) {
                    found.old_of_new[to] = ItemOrigin::Pair(from);
                    is_paired[from] = true;
                }
            }
            (at_old, at_new) = (range.old.end, range.new.end);
            for index in range.old.clone() {
                bags.old.insert(index, numbers.bag_of_words(&old_texts[index]));
            }
            for index in range.new.clone() {
                bags.new.insert(index, numbers.bag_of_words(&new_texts[index]));
            }
            for (from, to) in pair_similar(range, &bags, &can_pair, &mut budget) {
                found.old_of_new[to] = ItemOrigin::Pair(from);
                is_paired[from] = true;
            }
        }
        if with_moves {
            found.find_moves(&is_paired, &bags, &can_pair, budget);
        }
        found
    }

    fn find_moves(
        &mut self,
        is_paired: &[bool],
        bags: &Bags,
        can_pair: &impl Fn(usize, usize) -> bool,
        budget: usize,
    ) {
        let is_long = |bag: &Vec<u32>| bag.len() >= LEAST_MOVED_WORDS;
        let mut left: Vec<usize> = bags
            .old
            .iter()
            .filter(|(o, bag)| !is_paired[**o] && is_long(bag))
            .map(|(o, _)| *o)
            .collect();
        let mut came: Vec<usize> = bags
            .new
            .iter()
            .filter(|(n, bag)| self.old_of_new[**n] == ItemOrigin::None && is_long(bag))
            .map(|(n, _)| *n)
            .collect();
        left.sort_unstable();
        came.sort_unstable();
        let pairs = left.len().saturating_mul(came.len());
        if pairs > MAX_PAIRS.min(budget / bags.words_of_pair(&left, &came)) {
            return;
        }
        let mut pairs = Vec::new();
        for &from in &left {
            for &to in came.iter().filter(|to| can_pair(from, **to)) {
                spend(1 + (bags.old[&from].len() + bags.new[&to].len()) / WORDS_PER_STEP);
                let similarity = bag_similarity(&bags.old[&from], &bags.new[&to]);
                if similarity >= LEAST_MOVED_SIMILARITY {
                    pairs.push((similarity, from, to));
                }
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, from, to) in pairs {
            if self.moved_to[from].is_none() && self.old_of_new[to] == ItemOrigin::None {
                self.moved_to[from] = Some(to);
                self.old_of_new[to] = ItemOrigin::Moved(from);
            }
        }
    }
}

/// Words of the items that are not equal, by their index.
#[derive(Default)]
struct Bags {
    old: HashMap<usize, Vec<u32>>,
    new: HashMap<usize, Vec<u32>>,
}

impl Bags {
    /// The average number of words of a pair of these items.
    fn words_of_pair(&self, old: &[usize], new: &[usize]) -> usize {
        let average = |bags: &HashMap<usize, Vec<u32>>, items: &[usize]| {
            let words: usize = items.iter().map(|item| bags[item].len()).sum();
            words / items.len().max(1)
        };
        1 + average(&self.old, old) + average(&self.new, new)
    }
}

/// Pairs of similar items within a range, in the order of both lists, with the highest sum of similarities.
fn pair_similar(
    range: &DifferingRanges,
    bags: &Bags,
    can_pair: &impl Fn(usize, usize) -> bool,
    budget: &mut usize,
) -> Vec<(usize, usize)> {
    let (rows, columns) = (range.old.len(), range.new.len());
    if rows == 0 || columns == 0 {
        return Vec::new();
    }
    let (old, new): (Vec<usize>, Vec<usize>) =
        (range.old.clone().collect(), range.new.clone().collect());
    let words_of_pair = bags.words_of_pair(&old, &new);
    let max_pairs = MAX_PAIRS.min(*budget / words_of_pair);
    let (pairs, band) = match rows.saturating_mul(columns) {
        pairs if pairs <= max_pairs => (pairs, columns),
        _ => (max_pairs, (max_pairs / rows).max(8) / 2),
    };
    *budget = budget.saturating_sub(pairs.saturating_mul(words_of_pair));
    // Only cells within the band are stored: row r has columns from `first(r)`.
    let center = |row: usize| row * columns / rows;
    let first = |row: usize| center(row).saturating_sub(band);
    let last = |row: usize| (center(row) + band + 1).min(columns);
    // best[r][c - first(r)] is the highest sum of the rows up to r and the columns up to c.
    let mut best: Vec<Vec<(f32, BestStep)>> = Vec::with_capacity(rows);
    for row in 0..rows {
        let mut line: Vec<(f32, BestStep)> = Vec::with_capacity(last(row) - first(row));
        for column in first(row)..last(row) {
            let sum = |row: Option<usize>, column: Option<usize>| match (row, column) {
                (Some(row), Some(column)) if column < last(row) => {
                    column.checked_sub(first(row)).map_or(0.0, |at| best[row][at].0)
                }
                (Some(row), Some(_)) => best[row].last().map_or(0.0, |cell| cell.0),
                _ => 0.0,
            };
            let above = row.checked_sub(1);
            let left = line.last().map_or(0.0, |cell| cell.0);
            let mut cell = match sum(above, Some(column)) {
                up if up >= left => (up, BestStep::Up),
                _ => (left, BestStep::Left),
            };
            let (o, n) = (range.old.start + row, range.new.start + column);
            if can_pair(o, n) {
                let (old, new) = (&bags.old[&o], &bags.new[&n]);
                spend(1 + (old.len() + new.len()) / WORDS_PER_STEP);
                let similarity = bag_similarity(old, new);
                let paired = similarity + sum(above, column.checked_sub(1));
                if similarity >= LEAST_SIMILARITY && paired > cell.0 {
                    cell = (paired, BestStep::Pair);
                }
            }
            line.push(cell);
        }
        best.push(line);
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (rows - 1, columns - 1);
    loop {
        // Outside the band, the nearest cell of the row is used.
        let at = column.min(last(row) - 1);
        let Some(at) = at.checked_sub(first(row)) else { break };
        column = first(row) + at;
        let step = best[row][at].1;
        if step == BestStep::Pair {
            pairs.push((range.old.start + row, range.new.start + column));
        }
        let (up, left) = (step != BestStep::Left, step != BestStep::Up);
        match (row.checked_sub(usize::from(up)), column.checked_sub(usize::from(left))) {
            (Some(next_row), Some(next_column)) => (row, column) = (next_row, next_column),
            _ => break,
        }
    }
    pairs.reverse();
    pairs
}

/// The last step to the best sum of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BestStep {
    Up,
    Left,
    Pair,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::apply_edits;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    fn edits(old: &str, new: &str) -> Vec<Edit<String, String>> {
        let (old, new) = (lines(old), lines(new));
        let edits = align_units(&old, &new, true, |_, new| new.clone());
        let applied = apply_edits(&old, &edits, |_, change| Some(change.clone()));
        assert_eq!(applied, Some(new), "{edits:?}");
        edits
    }

    #[test]
    fn similar_lines_are_changed_and_others_come_and_go() {
        let old = "start timer T310 at once\nnothing like it\nthe end of it all";
        let new = "start timer T311 at once\nquite another sentence\nthe end of it all";
        let found = edits(old, new);
        assert!(matches!(
            &found[..],
            [
                Edit::Changed { .. },
                Edit::Deleted { .. },
                Edit::Inserted { .. },
                Edit::Kept { count: 1 }
            ]
        ));
    }

    #[test]
    fn a_line_that_stands_elsewhere_has_moved_even_if_it_changed_a_little() {
        let old = "the first of five lines here\none\ntwo\nthree\nfour";
        let new = "one\ntwo\nthree\nfour\nthe first of the five lines here";
        let found = edits(old, new);
        assert!(matches!(
            &found[..],
            [
                Edit::MovedAway { to: 4 },
                Edit::Kept { count: 4 },
                Edit::MovedHere { from: 0, change: Some(_) }
            ]
        ));
        let swapped = edits("a b c d e\nf g h i j", "f g h i j\na b c d e");
        assert!(swapped.iter().any(|edit| matches!(edit, Edit::MovedHere { change: None, .. })));
    }

    #[test]
    fn long_lists_with_little_in_common_are_paired_near_the_diagonal() {
        let line = |i: usize, word: &str| format!("row {word}{i} has value {i} of cell {i}");
        let old: Vec<String> = (0..3_000).map(|i| line(i, "x")).collect();
        let new: Vec<String> = (0..3_000).map(|i| line(i, "y")).collect();
        let edits = align_units(&old, &new, true, |_, new| new.clone());
        let changed = edits.iter().filter(|edit| matches!(edit, Edit::Changed { .. })).count();
        assert_eq!(changed, 3_000);
        let applied = apply_edits(&old, &edits, |_, change| Some(change.clone()));
        assert_eq!(applied, Some(new));
    }

    #[test]
    fn edits_of_another_list_are_refused() {
        let found = edits("one two three four\nfive", "five");
        assert_eq!(apply_edits(&lines("six\nfive"), &found, |_, c| Some(c.clone())), None);
        assert_eq!(apply_edits(&[], &found, |_, c| Some(c.clone())), None);
    }
}
