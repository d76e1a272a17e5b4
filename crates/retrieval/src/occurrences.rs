//! The passages of a content over versions, and one candidate for each clause.

use std::collections::{HashMap, HashSet, hash_map::Entry};

use super::{
    candidate::{PassageCandidate, compare_newest_first},
    queries::PassageQuery,
};
use store::{PassageRow, Snapshot, StoreError};

/// A passage with the others that carry its content.
pub(crate) type PassageOccurrences = (u64, PassageRow, Vec<PassageRow>);

/// The passages of a content that the filters allow: one with the others beside it, or with
/// `expand_versions` each by itself.
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
        return Ok(occurrences.into_iter().map(|(id, row)| (id, row, Vec::new())).collect());
    }
    let mut occurrences = occurrences.into_iter();
    let Some((id, newest)) = occurrences.next() else { return Ok(Vec::new()) };
    // A text that a section repeats is one occurrence.
    let mut seen = HashSet::from([newest.section_key()]);
    let others = occurrences.map(|(_, row)| row).filter(|row| seen.insert(row.section_key()));
    Ok(vec![(id, newest, others.collect())])
}

/// Where the candidate of a clause stands, by document number and section number.
#[derive(Default)]
pub(crate) struct ClauseCandidates(HashMap<(String, String), usize>);

impl ClauseCandidates {
    /// Takes a candidate in, or where its clause has a better one already, notes the documents it
    /// stands in beside that one.
    pub(crate) fn collapse_candidate(
        &mut self,
        snapshot: &Snapshot,
        candidate: PassageCandidate,
        candidates: &mut Vec<PassageCandidate>,
    ) -> Result<(), StoreError> {
        let section = snapshot.documents().section_head(candidate.row.section_key())?;
        let entry = snapshot.catalog().get(candidate.row.document);
        let (Some(section), Some(entry)) = (section, entry) else { return Ok(()) };
        match self.0.entry((entry.row.number.to_string(), section.number)) {
            Entry::Vacant(new) => {
                new.insert(candidates.len());
                candidates.push(candidate);
            }
            Entry::Occupied(known) => {
                let best = &mut candidates[*known.get()];
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
