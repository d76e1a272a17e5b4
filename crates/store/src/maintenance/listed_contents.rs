//! How many contents of each document the tables list that lead from a content to the documents that have it.
//!
//! Each of these tables is read once, in its order: looking up every content instead takes time that grows with the
//! square of the versions that share it.

use std::collections::{BTreeMap, HashMap};

use redb::ReadableMultimapTable;

use crate::{
    DocumentEntry, FigureKey, SectionKey, Snapshot, StoreError,
    tables::definitions::{CONTENT_FIGURES, CONTENT_PASSAGES, HEADING_SECTIONS},
};

/// Counts by document id; only what the catalog has too is counted.
#[derive(Debug, Default)]
pub(super) struct ListedContents {
    passages: HashMap<u32, usize>,
    headings: HashMap<u32, usize>,
    figures: HashMap<u32, usize>,
}

impl ListedContents {
    /// Reads the tables of a snapshot.
    pub(super) fn count(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let catalog = snapshot.catalog();
        // The next document has the same first passage as one without passages.
        let with_passages =
            catalog.document_entries().filter(|entry| !entry.contents.passages.is_empty());
        let by_first_passage: BTreeMap<u64, &DocumentEntry> =
            with_passages.map(|entry| (entry.row.first_passage, entry)).collect();
        let has_passage = |content, id| {
            let (first, entry) = by_first_passage.range(..=id).next_back()?;
            let index = usize::try_from(id - first).ok()?;
            let (known, _) = entry.contents.passages.get(index)?;
            (*known == content).then_some(entry.id)
        };
        let has_heading = |content, packed| {
            let key = SectionKey::from_packed(packed);
            let known = catalog.get(key.document)?.section_heading(key.ordinal)?;
            (known == content).then_some(key.document)
        };
        let has_figure = |content, packed| {
            let key = FigureKey::from_packed(packed);
            let known = catalog.get(key.document)?.contents.figures.get(key.index as usize)?;
            (*known == content).then_some(key.document)
        };
        let metadata = &snapshot.metadata;
        Ok(Self {
            passages: count_pairs(&metadata.open_multimap_table(CONTENT_PASSAGES)?, has_passage)?,
            headings: count_pairs(&metadata.open_multimap_table(HEADING_SECTIONS)?, has_heading)?,
            figures: count_pairs(&metadata.open_multimap_table(CONTENT_FIGURES)?, has_figure)?,
        })
    }

    /// What of a document is not listed, such as `3 of the passages`.
    pub(super) fn find_unlisted(&self, entry: &DocumentEntry) -> Vec<String> {
        let contents = &entry.contents;
        let kinds = [
            (&self.passages, contents.passages.len(), "passages"),
            (&self.headings, contents.headings.iter().flatten().count(), "headings"),
            (&self.figures, contents.figures.len(), "figures"),
        ];
        let missing = kinds.map(|(listed, expected, what)| {
            (expected - listed.get(&entry.id).copied().unwrap_or_default().min(expected), what)
        });
        let missing = missing.into_iter().filter(|(count, _)| *count > 0);
        missing.map(|(count, what)| format!("{count} of the {what}")).collect()
    }
}

/// Counts the pairs of a table by the document that `document_of` finds for them.
fn count_pairs(
    table: &impl ReadableMultimapTable<u64, u64>,
    document_of: impl Fn(u64, u64) -> Option<u32>,
) -> Result<HashMap<u32, usize>, StoreError> {
    let mut counts = HashMap::new();
    for entry in table.iter()? {
        let (content, values) = entry?;
        for value in values {
            if let Some(document) = document_of(content.value(), value?.value()) {
                *counts.entry(document).or_default() += 1;
            }
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use redb::{Database, MultimapTableDefinition};

    use super::*;
    use crate::{
        DataFolder,
        figures::tests::with_figures,
        tests::{commit, folder, open},
    };

    #[test]
    fn what_is_not_listed_is_a_fault_of_its_document() {
        let tables: [(MultimapTableDefinition<'_, u64, u64>, &str); 3] = [
            (CONTENT_PASSAGES, "1 of the passages of 38.331 18.1.0"),
            (HEADING_SECTIONS, "1 of the headings of 38.331 18.1.0"),
            (CONTENT_FIGURES, "1 of the figures of 38.331 18.1.0"),
        ];
        for (table, expected) in tables {
            let dir = folder();
            {
                let store = open(&dir);
                for version in ["18.0.0", "18.1.0"] {
                    let mut new = with_figures(version, &[("Figure 1: States", "one")]);
                    new.sections[0].heading = Some([7; 32]);
                    commit(&store, &new);
                }
                assert!(store.verify_store(|_, _| ()).expect("verified").faults.is_empty());
            }
            let path = DataFolder::new(dir.path()).metadata_path();
            let database = Database::create(path).expect("redb");
            let txn = database.begin_write().expect("a transaction");
            {
                let mut listed = txn.open_multimap_table(table).expect("a table");
                let pairs = listed.iter().expect("pairs").map(|pair| {
                    let (content, values) = pair.expect("a pair");
                    let values = values.map(|value| value.expect("a value").value());
                    (content.value(), values.collect::<Vec<u64>>())
                });
                let shared: Vec<_> = pairs.filter(|(_, values)| values.len() == 2).collect();
                let (content, values) = shared.first().expect("both versions share it").clone();
                listed.remove(content, values[1]).expect("removed");
            }
            txn.commit().expect("committed");
            drop(database);
            let faults = open(&dir).verify_store(|_, _| ()).expect("verified").faults;
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].starts_with(expected), "{faults:?}");
        }
    }
}
