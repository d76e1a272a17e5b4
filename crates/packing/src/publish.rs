//! A list of everything that builders and embedders have stored in a depot.

use std::collections::{BTreeMap, HashMap};

use pack::{Depot, ListedPack, ListedVectors, Manifest, ObjectHash, PackKind};

use crate::PackingError;

/// The packs of all sources, by the newest revision of each source, with their vectors; in the order of kinds,
/// numbers and versions. A document that two sources contain is listed once.
pub fn collect_built_packs(depot: &Depot) -> Result<Vec<ListedPack>, PackingError> {
    let mut newest: HashMap<ObjectHash, u32> = HashMap::new();
    let mut notes = depot.source_notes()?;
    for note in &notes {
        let revision = newest.entry(note.source).or_insert(note.revision);
        *revision = (*revision).max(note.revision);
    }
    notes.retain(|note| newest.get(&note.source) == Some(&note.revision));
    // If two sources contain one document, the better reader counts, then the newest reading.
    notes.sort_by(|a, b| {
        (b.converter, &b.built_at, b.source).cmp(&(a.converter, &a.built_at, a.source))
    });
    let mut packs: BTreeMap<(PackKind, Vec<TitlePart>), ListedPack> = BTreeMap::new();
    for listed in notes.into_iter().flat_map(|note| note.packs) {
        packs.entry((listed.kind, split_title(&listed.title))).or_insert(listed);
    }
    let mut packs: Vec<ListedPack> = packs.into_values().collect();
    add_embeddings(depot, &mut packs)?;
    Ok(packs)
}

/// Lists the vectors that embedders made of packs.
pub fn add_embeddings(depot: &Depot, packs: &mut [ListedPack]) -> Result<(), PackingError> {
    let mut vectors: HashMap<ObjectHash, Vec<ListedVectors>> = HashMap::new();
    for note in depot.embedding_notes()? {
        vectors.entry(note.pack).or_default().push(note.vectors);
    }
    for listed in packs {
        for added in vectors.remove(&listed.pack.hash).unwrap_or_default() {
            let is_listed = listed
                .vectors
                .iter()
                .any(|known| (known.subject, &known.model) == (added.subject, &added.model));
            if !is_listed {
                listed.vectors.push(added);
            }
        }
        listed.vectors.sort_by(|a, b| (a.subject, &a.model).cmp(&(b.subject, &b.model)));
    }
    Ok(())
}

/// The packs of a depot: those of builders, or if there are none, those of its newest list.
pub fn collect_packs(
    depot: &Depot,
    newest: Option<Manifest>,
) -> Result<Vec<ListedPack>, PackingError> {
    let built = collect_built_packs(depot)?;
    match newest {
        Some(manifest) if built.is_empty() => Ok(manifest.packs),
        _ => Ok(built),
    }
}

/// A part of a title, so that `18.10.0` follows `18.9.0`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum TitlePart {
    Number(u64),
    Text(String),
}

fn split_title(title: &str) -> Vec<TitlePart> {
    let mut parts = Vec::new();
    let mut rest = title;
    while let Some(first) = rest.chars().next() {
        let is_digit = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(match part.parse() {
            Ok(number) if is_digit => TitlePart::Number(number),
            _ => TitlePart::Text(part.to_owned()),
        });
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_ordered_by_their_numbers() {
        let mut titles = ["38.331 18.10.0", "38.331 18.9.0", "38.300 19.0.0", "R1-12", "R1-2"];
        titles.sort_by_key(|title| split_title(title));
        assert_eq!(titles, ["38.300 19.0.0", "38.331 18.9.0", "38.331 18.10.0", "R1-2", "R1-12"]);
    }
}
