//! Pairs the sections of a document with those of another version.
//!
//! Sections are paired by number and title, by title if they were renumbered, by position if they were renamed, and by
//! text if they were moved. The remaining sections were added, removed, split off or merged.

use std::collections::{HashMap, HashSet};

use cost_meter::spend;

use crate::{
    headings::{Outline, OutlineHeading, plain_title},
    words::{WordNumbers, bag_similarity, shingles},
};

/// Steps of a cost meter for one compared title: both are split into words in lower case.
const STEPS_PER_TITLE: usize = 4;
/// Minimum similarity of the titles of a section that keeps its number and was renamed. With less, its text is
/// compared, because a new section may have been given the number of a removed one.
const LEAST_TITLE_SIMILARITY: f32 = 0.4;
/// Minimum similarity of the texts of a section that keeps its number under another title. The number and the parent
/// are evidence too, so less of the text must be equal than for a moved section.
const LEAST_TEXT_SIMILARITY: f32 = 0.3;
/// Minimum similarity of the runs of words of a section that was moved and renamed: the text is the only evidence.
const LEAST_MOVED_SIMILARITY: f32 = 0.5;
/// The same if it keeps its title, which is evidence too; titles such as "General" occur often, so it is not enough
/// alone.
const LEAST_TITLED_SIMILARITY: f32 = 0.25;
/// Minimum part of a section that was in the one from which it was split off. The rest may be new words; with less
/// than half, it would be a new section that repeats some sentences.
const LEAST_SPLIT_PART: f32 = 0.6;
/// Minimum number of runs of words of a section that is searched for elsewhere, which are 11 words: shorter ones
/// repeat by chance.
const LEAST_SHINGLES: usize = 8;

/// Which of two versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// A section of the old version, the new one, or both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SectionPair {
    /// Its index in the old version; `None` if it was added.
    pub old: Option<usize>,
    /// Its index in the new version; `None` if it was removed.
    pub new: Option<usize>,
    /// Whether its title changed.
    pub is_renamed: bool,
    /// Whether its number changed.
    pub is_renumbered: bool,
    /// Whether it is in another section.
    pub is_moved: bool,
    /// Whether only its number is kept, under a title such as "Void".
    pub is_voided: bool,
    /// The section of the old version that contained most of an added one.
    pub split_from: Option<usize>,
    /// The section of the new version that contains most of a removed one.
    pub merged_into: Option<usize>,
}

/// Pairs the sections of two versions, in the order of the new one; a removed section follows the one that it
/// followed. `text` returns the text of a section; it is called only for sections that cannot be paired by their
/// headings, because reading every text of two versions takes much longer than comparing titles.
///
/// # Errors
///
/// The error of `text`.
pub fn align_sections<E>(
    old: &[OutlineHeading],
    new: &[OutlineHeading],
    text: impl Fn(Side, usize) -> Result<String, E>,
) -> Result<Vec<SectionPair>, E> {
    let mut matcher = Matcher::new(old, new, text);
    matcher.pair_by_key(|outline, index| {
        Some((outline.headings[index].number.clone(), outline.paths[index].clone()))
    });
    matcher.pair_unique_paths();
    matcher.pair_below_pairs()?;
    matcher.pair_by_text()?;
    matcher.pair_below_pairs()?;
    matcher.pair_voided();
    matcher.into_pairs()
}

struct Matcher<'a, F> {
    old: Outline<'a>,
    new: Outline<'a>,
    new_of_old: Vec<Option<usize>>,
    old_of_new: Vec<Option<usize>>,
    text: F,
}

impl<'a, E, F: Fn(Side, usize) -> Result<String, E>> Matcher<'a, F> {
    fn new(old: &'a [OutlineHeading], new: &'a [OutlineHeading], text: F) -> Self {
        Self {
            new_of_old: vec![None; old.len()],
            old_of_new: vec![None; new.len()],
            old: Outline::new(old),
            new: Outline::new(new),
            text,
        }
    }

    fn pair(&mut self, old: usize, new: usize) {
        self.new_of_old[old] = Some(new);
        self.old_of_new[new] = Some(old);
    }

    fn unpaired_old(&self) -> Vec<usize> {
        indexes_of(&self.new_of_old, Option::is_none)
    }

    fn unpaired_new(&self) -> Vec<usize> {
        indexes_of(&self.old_of_new, Option::is_none)
    }

    /// Pairs sections of equal keys, the first with the first.
    fn pair_by_key<K: std::hash::Hash + Eq>(
        &mut self,
        key: impl Fn(&Outline<'_>, usize) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, Vec<usize>> = HashMap::new();
        for index in self.unpaired_old() {
            if let Some(key) = key(&self.old, index) {
                waiting.entry(key).or_default().push(index);
            }
        }
        for index in self.unpaired_new() {
            let found = key(&self.new, index).and_then(|key| waiting.get_mut(&key));
            if let Some(from) = found.filter(|list| !list.is_empty()).map(|list| list.remove(0)) {
                self.pair(from, index);
            }
        }
    }

    /// Pairs sections that were renumbered: the same title below the same titles, once in each version.
    fn pair_unique_paths(&mut self) {
        let count = |outline: &Outline<'_>, unpaired: Vec<usize>| {
            let mut counts: HashMap<String, usize> = HashMap::new();
            for index in unpaired {
                *counts.entry(outline.paths[index].clone()).or_default() += 1;
            }
            counts
        };
        let before = count(&self.old, self.unpaired_old());
        let after = count(&self.new, self.unpaired_new());
        let is_unique = |path: &String| before.get(path) == Some(&1) && after.get(path) == Some(&1);
        self.pair_by_key(|outline, index| {
            let path = &outline.paths[index];
            (!outline.is_void(index) && is_unique(path)).then(|| path.clone())
        });
    }

    /// Pairs sections within pairs, from the top down: by title, or by number if title or text is similar.
    fn pair_below_pairs(&mut self) -> Result<(), E> {
        let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (index, parent) in self.old.parents.iter().enumerate() {
            children.entry(*parent).or_default().push(index);
        }
        for index in self.unpaired_new() {
            let parent = match self.new.parents[index] {
                None => None,
                Some(parent) => match self.old_of_new[parent] {
                    Some(old) => Some(old),
                    None => continue,
                },
            };
            let free = |old: &&usize| self.new_of_old[**old].is_none();
            let candidates: Vec<usize> =
                children.get(&parent).into_iter().flatten().filter(free).copied().collect();
            spend(1 + STEPS_PER_TITLE * candidates.len());
            let heading = &self.new.headings[index];
            if self.new.is_void(index) {
                continue;
            }
            let title = plain_title(&heading.title);
            let titled = candidates
                .iter()
                .filter(|old| plain_title(&self.old.headings[**old].title) == title)
                .collect::<Vec<_>>();
            if let [old] = titled[..] {
                self.pair(*old, index);
                continue;
            }
            let numbered =
                candidates.iter().find(|old| self.old.headings[**old].number == heading.number);
            if let Some(old) = numbered
                && self.is_renamed_section(*old, index)?
            {
                self.pair(*old, index);
            }
        }
        Ok(())
    }

    fn is_renamed_section(&self, old: usize, new: usize) -> Result<bool, E> {
        let mut numbers = WordNumbers::default();
        let mut similarity =
            |a: &str, b: &str| bag_similarity(&numbers.bag_of_words(a), &numbers.bag_of_words(b));
        let (before, after) = (&self.old.headings[old].title, &self.new.headings[new].title);
        if similarity(before, after) >= LEAST_TITLE_SIMILARITY {
            return Ok(true);
        }
        let (before, after) = ((self.text)(Side::Old, old)?, (self.text)(Side::New, new)?);
        Ok(!self.old.is_void(old) && similarity(&before, &after) >= LEAST_TEXT_SIMILARITY)
    }

    fn shingles_of(
        &self,
        side: Side,
        sections: Vec<usize>,
    ) -> Result<Vec<(usize, HashSet<u64>)>, E> {
        let read = |index| Ok((index, shingles(&(self.text)(side, index)?)));
        let read: Vec<(usize, HashSet<u64>)> =
            sections.into_iter().map(read).collect::<Result<_, E>>()?;
        Ok(read.into_iter().filter(|(_, runs)| runs.len() >= LEAST_SHINGLES).collect())
    }

    /// Pairs the remaining sections by the runs of words in common, the most similar first.
    fn pair_by_text(&mut self) -> Result<(), E> {
        let before = self.shingles_of(Side::Old, self.unpaired_old())?;
        let after = self.shingles_of(Side::New, self.unpaired_new())?;
        let mut found = Vec::new();
        for (at, common) in common_runs(&before, &after) {
            let ((old, before), (new, after)) = (&before[at.0], &after[at.1]);
            let similarity = 2.0 * common as f32 / (before.len() + after.len()) as f32;
            let title =
                |outline: &Outline<'_>, index: usize| plain_title(&outline.headings[index].title);
            let least = if title(&self.old, *old) == title(&self.new, *new) {
                LEAST_TITLED_SIMILARITY
            } else {
                LEAST_MOVED_SIMILARITY
            };
            if similarity >= least {
                found.push((similarity, *old, *new));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, old, new) in found {
            if self.new_of_old[old].is_none() && self.old_of_new[new].is_none() {
                self.pair(old, new);
            }
        }
        Ok(())
    }

    /// Pairs sections of which only the number is left, and those that replaced such a section.
    fn pair_voided(&mut self) {
        let mut by_number: HashMap<&str, usize> = HashMap::new();
        for index in self.unpaired_old() {
            by_number.entry(&self.old.headings[index].number).or_insert(index);
        }
        for index in self.unpaired_new() {
            if let Some(old) = by_number.get(self.new.headings[index].number.as_str())
                && self.new_of_old[*old].is_none()
                && (self.new.is_void(index) || self.old.is_void(*old))
            {
                self.pair(*old, index);
            }
        }
    }

    fn into_pairs(self) -> Result<Vec<SectionPair>, E> {
        let split = self.find_parts(Side::New)?;
        let merged = self.find_parts(Side::Old)?;
        let mut pairs = Vec::with_capacity(self.new.headings.len());
        // A removed section comes after the one that it followed.
        let push_removed = |pairs: &mut Vec<SectionPair>, from: usize| {
            for old in
                (from..self.new_of_old.len()).take_while(|old| self.new_of_old[*old].is_none())
            {
                let merged_into = merged.get(&old).copied();
                pairs.push(SectionPair { old: Some(old), merged_into, ..SectionPair::default() });
            }
        };
        push_removed(&mut pairs, 0);
        for new in 0..self.new.headings.len() {
            let Some(old) = self.old_of_new[new] else {
                let split_from = split.get(&new).copied();
                pairs.push(SectionPair { new: Some(new), split_from, ..SectionPair::default() });
                continue;
            };
            let (before, after) = (&self.old.headings[old], &self.new.headings[new]);
            let parent = self.old.parents[old].map(|parent| self.new_of_old[parent]);
            let is_renamed = before.title.trim() != after.title.trim();
            pairs.push(SectionPair {
                old: Some(old),
                new: Some(new),
                is_renamed,
                is_renumbered: before.number != after.number,
                is_moved: parent.flatten() != self.new.parents[new]
                    && (parent.is_some() || self.new.parents[new].is_some()),
                is_voided: is_renamed && self.new.is_void(new),
                ..SectionPair::default()
            });
            push_removed(&mut pairs, old + 1);
        }
        Ok(pairs)
    }

    /// For sections of one version that are in no pair, the section of the other one that contains most of their text,
    /// if its own counterpart no longer contains it: text that stayed there was copied, not moved.
    fn find_parts(&self, side: Side) -> Result<HashMap<usize, usize>, E> {
        let (parts, other, counterparts) = match side {
            Side::New => (self.unpaired_new(), Side::Old, &self.new_of_old),
            Side::Old => (self.unpaired_old(), Side::New, &self.old_of_new),
        };
        let parts = self.shingles_of(side, parts)?;
        let mut found = HashMap::new();
        if parts.is_empty() {
            return Ok(found);
        }
        let paired = indexes_of(counterparts, Option::is_some);
        let wholes = self.shingles_of(other, paired)?;
        let mut best: HashMap<usize, usize> = HashMap::new();
        for ((whole, part), common) in common_runs(&wholes, &parts) {
            let (index, runs) = &parts[part];
            let (whole, of_whole) = &wholes[whole];
            let is_part = |common: usize| common as f32 >= LEAST_SPLIT_PART * runs.len() as f32;
            if !is_part(common) || best.get(index).is_some_and(|known| *known >= common) {
                continue;
            }
            let Some(counterpart) = counterparts[*whole] else { continue };
            let kept = shingles(&(self.text)(side, counterpart)?);
            let left = runs.iter().filter(|run| of_whole.contains(run) && !kept.contains(run));
            if is_part(left.count()) {
                best.insert(*index, common);
                found.insert(*index, *whole);
            }
        }
        Ok(found)
    }
}

fn indexes_of(list: &[Option<usize>], is_wanted: fn(&Option<usize>) -> bool) -> Vec<usize> {
    let wanted = list.iter().enumerate().filter(|(_, item)| is_wanted(item));
    wanted.map(|(index, _)| index).collect()
}

/// For each two sections with runs of words in common, the number of these; by their positions in the lists, in order.
fn common_runs(
    before: &[(usize, HashSet<u64>)],
    after: &[(usize, HashSet<u64>)],
) -> Vec<((usize, usize), usize)> {
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, (_, runs)) in before.iter().enumerate() {
        for run in runs {
            places.entry(*run).or_default().push(place);
        }
    }
    let mut common: HashMap<(usize, usize), usize> = HashMap::new();
    for (to, (_, runs)) in after.iter().enumerate() {
        for from in runs.iter().filter_map(|run| places.get(run)).flatten() {
            *common.entry((*from, to)).or_default() += 1;
        }
    }
    let mut common: Vec<_> = common.into_iter().collect();
    common.sort_unstable();
    common
}

#[cfg(test)]
mod tests;
