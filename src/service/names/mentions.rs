//! The clauses that mention a name: in its own document, and in others.

use std::collections::{BTreeMap, BTreeSet};

use super::{section_head, spelling::looks_like_name};
use crate::service::internal_failure;
use domain::DocNumber;
use store::{DocumentEntry, DocumentFilter, PassageRow, Snapshot};
use wire::{Failure, records::ClauseMention};

/// Clauses of its own document that are listed.
const MAX_OWN: usize = 50;
/// Clauses of other documents that are listed.
const MAX_OTHERS: usize = 30;
/// If a name is also a plain word, and more clauses of its own document than this have it, most of them mean the
/// word: none is listed.
const MAX_OF_WORD: usize = 12;
/// Passages that are searched for a name.
const MAX_PASSAGES: usize = 200;

/// The clauses that mention a name, except the one that defines it: those of its own version first, then those of
/// other documents, of each the version of the same release, or else the newest. Most clauses that have a plain word
/// do not mean the name.
pub(super) fn find_clauses(
    snapshot: &Snapshot,
    (entry, defining): (&DocumentEntry, u32),
    name: &str,
    in_others: bool,
) -> Result<Vec<ClauseMention>, Failure> {
    let own = DocumentFilter {
        number: Some(entry.row.number.clone()),
        version: Some(entry.row.version),
        ..DocumentFilter::default()
    };
    let mut sections = sections_with(snapshot, &own, name)?;
    let mut own = sections.remove(&entry.id).unwrap_or_default();
    own.remove(&defining);
    let is_word = !looks_like_name(name);
    if is_word && own.len() > MAX_OF_WORD {
        own.clear();
    }
    let mut places: Vec<(&DocumentEntry, u32)> =
        own.into_iter().take(MAX_OWN).map(|section| (entry, section)).collect();
    if in_others && !is_word {
        let elsewhere = sections_with(snapshot, &DocumentFilter::default(), name)?;
        places.extend(places_elsewhere(snapshot, entry, elsewhere).take(MAX_OTHERS));
    }
    let mentions = places.into_iter().map(|(of, section)| {
        let head = section_head(snapshot, of, section)?;
        Ok(ClauseMention {
            doc_number: of.row.number.to_string(),
            version: of.row.version.to_string(),
            section_number: head.number,
            section_title: head.title,
        })
    });
    mentions.collect()
}

/// The sections in which a name occurs, by the ids of their documents.
fn sections_with(
    snapshot: &Snapshot,
    filter: &DocumentFilter,
    name: &str,
) -> Result<BTreeMap<u32, BTreeSet<u32>>, Failure> {
    let mut sections: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for passage in passages_with(snapshot, filter, name)? {
        sections.entry(passage.document).or_default().insert(passage.section);
    }
    Ok(sections)
}

/// The passages in which a name occurs; versions share those that are the same in them.
pub(super) fn passages_with(
    snapshot: &Snapshot,
    filter: &DocumentFilter,
    name: &str,
) -> Result<Vec<PassageRow>, Failure> {
    let contents = snapshot.contents();
    let mut passages = Vec::new();
    for hit in contents.find_phrase(name, filter, MAX_PASSAGES).map_err(internal_failure)? {
        let occurrences = contents.content_occurrences(hit.content).map_err(internal_failure)?;
        passages.extend(occurrences.into_iter().map(|(_, passage)| passage));
    }
    Ok(passages)
}

/// The places in other documents than that of an entry, one version of each.
fn places_elsewhere<'a>(
    snapshot: &'a Snapshot,
    entry: &DocumentEntry,
    sections: BTreeMap<u32, BTreeSet<u32>>,
) -> impl Iterator<Item = (&'a DocumentEntry, u32)> {
    let mut chosen: BTreeMap<DocNumber, (&DocumentEntry, BTreeSet<u32>)> = BTreeMap::new();
    let rank = |of: &DocumentEntry| (of.row.release == entry.row.release, of.row.version);
    for (document, sections) in sections {
        let Some(of) = snapshot.catalog().get(document) else { continue };
        let other = chosen.get(&of.row.number);
        if of.row.number != entry.row.number && other.is_none_or(|(old, _)| rank(old) < rank(of)) {
            chosen.insert(of.row.number.clone(), (of, sections));
        }
    }
    let places = chosen.into_values();
    places.flat_map(|(of, sections)| sections.into_iter().map(move |section| (of, section)))
}
