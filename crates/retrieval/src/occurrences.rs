//! The passages of a content over versions, and one candidate for each clause.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet, hash_map::Entry},
};

use super::{
    candidate::{PassageCandidate, compare_newest_first},
    queries::PassageQuery,
};
use store::{PassageRow, SectionTexts, Snapshot, StoreError};

/// Passages of one clause in two versions are the same passage if they share at least this part of their words. With
/// fewer, the newer version says something else there and must not be cited for what was found.
const MIN_COMMON_WORDS: f64 = 0.5;

/// A passage with the others that have its content.
pub(crate) struct PassageOccurrences {
    /// Passage id.
    pub(crate) passage: u64,
    pub(crate) row: PassageRow,
    pub(crate) also_in: Vec<PassageRow>,
}

/// The passages of a content that the filters allow: the newest with the others in `also_in`, or with
/// `expand_versions` each on its own.
pub(crate) fn find_occurrences(
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    content: u64,
) -> Result<Vec<PassageOccurrences>, StoreError> {
    let mut occurrences = snapshot.contents().content_occurrences(content)?;
    occurrences.retain(|(_, row)| {
        let entry = snapshot.catalog().get(row.document);
        entry.is_some_and(|entry| question.filter.matches_document(&entry.row))
    });
    occurrences
        .sort_by(|(a_id, a), (b_id, b)| compare_newest_first(snapshot, a, b).then(a_id.cmp(b_id)));
    if question.expand_versions {
        let alone = |(passage, row)| PassageOccurrences { passage, row, also_in: Vec::new() };
        return Ok(occurrences.into_iter().map(alone).collect());
    }
    let mut occurrences = occurrences.into_iter();
    let Some((passage, newest)) = occurrences.next() else { return Ok(Vec::new()) };
    // A text that a section repeats is one occurrence.
    let mut seen = HashSet::from([newest.section_key()]);
    let others = occurrences.map(|(_, row)| row).filter(|row| seen.insert(row.section_key()));
    let also_in = others.collect();
    Ok(vec![PassageOccurrences { passage, row: newest, also_in }])
}

/// One candidate for each clause.
#[derive(Default)]
pub(crate) struct ClauseCandidates {
    /// Its index among the candidates, by document number and section number.
    indexes: HashMap<(String, String), usize>,
    texts: SectionTexts,
}

impl ClauseCandidates {
    /// Adds a candidate or, if its clause already has a better one, adds its documents to those of that one. Of two
    /// versions of a passage, the newer one is cited.
    pub(crate) fn collapse_candidate(
        &mut self,
        snapshot: &Snapshot,
        mut candidate: PassageCandidate,
        candidates: &mut Vec<PassageCandidate>,
    ) -> Result<(), StoreError> {
        let section = snapshot.documents().section_head(candidate.row.section_key())?;
        let entry = snapshot.catalog().get(candidate.row.document);
        let (Some(section), Some(entry)) = (section, entry) else { return Ok(()) };
        match self.indexes.entry((entry.row.number.to_string(), section.number)) {
            Entry::Vacant(new) => {
                new.insert(candidates.len());
                candidates.push(candidate);
            }
            Entry::Occupied(known) => {
                let best = &mut candidates[*known.get()];
                if is_newer_version(snapshot, &mut self.texts, &candidate.row, &best.row)? {
                    std::mem::swap(&mut best.row, &mut candidate.row);
                    std::mem::swap(&mut best.passage, &mut candidate.passage);
                }
                let mut seen: HashSet<u32> = best.also_in.iter().map(|row| row.document).collect();
                seen.insert(best.row.document);
                let rows = [candidate.row].into_iter().chain(candidate.also_in);
                best.also_in.extend(rows.filter(|row| seen.insert(row.document)));
                best.also_in.sort_by(|a, b| compare_newest_first(snapshot, a, b));
            }
        }
        Ok(())
    }
}

/// Whether a passage is another one in a newer version, perhaps with changes.
fn is_newer_version(
    snapshot: &Snapshot,
    texts: &mut SectionTexts,
    passage: &PassageRow,
    earlier: &PassageRow,
) -> Result<bool, StoreError> {
    if compare_newest_first(snapshot, passage, earlier) != Ordering::Less {
        return Ok(false);
    }
    let mut read = |row| texts.read_passage(snapshot, row);
    Ok(share_of_common_words(&read(passage)?, &read(earlier)?) >= MIN_COMMON_WORDS)
}

/// The share of the distinct words of two texts that are in both.
fn share_of_common_words(one: &str, other: &str) -> f64 {
    let words = |text| -> HashSet<&str> { str::split_whitespace(text).collect() };
    let (one, other) = (words(one), words(other));
    let common = one.intersection(&other).count();
    common as f64 / (one.len() + other.len() - common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_with_some_changes_has_most_words_in_common() {
        let share = share_of_common_words;
        assert_eq!(share("the timer starts", "the timer starts"), 1.0);
        assert!(
            share("the timer T1 starts at once", "the timer T2 starts at once") > MIN_COMMON_WORDS
        );
        assert!(share("the timer starts", "a cell is barred") < MIN_COMMON_WORDS);
        assert_eq!(share("", ""), 0.0);
    }
}
