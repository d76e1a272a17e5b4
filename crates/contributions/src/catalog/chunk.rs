//! A run of documents that follow each other in the order of lists, with its own indexes.
//!
//! A change of one document rebuilds its chunk and leaves all others: that is why nothing here refers beyond the
//! chunk.

use register::Column;
use serde::{Deserialize, Serialize};
use store::TdocRow;

use super::{
    chunk_rows::{ChunkRow, MAX_CHUNK_ROWS},
    party_index::PartyIndex,
    row_index::RowIndex,
    text_key::TextKey,
    traits_index::TraitsIndex,
};
use crate::{
    entry::TdocEntry,
    linked_folders::LinkedFolders,
    revision_links::{LinkList, RowLinks, row_links},
};
use domain::TdocId;

/// Documents of a new chunk: half full, so that it can grow before it has more than [`MAX_CHUNK_ROWS`] and is divided.
pub(super) const CHUNK_ROWS: usize = MAX_CHUNK_ROWS / 2;

/// Documents, newest first.
#[derive(Debug)]
pub(super) struct CatalogChunk {
    pub(super) facts: ChunkFacts,
    pub(super) traits: TraitsIndex,
    /// The meetings of the documents, ascending: a few, often one.
    meeting_keys: Box<[u32]>,
    pub(super) parties: PartyIndex,
    pub(super) specs: RowIndex,
    pub(super) work_items: RowIndex,
    /// By their items and by all items above these.
    pub(super) agenda_items: RowIndex,
    /// What each document replaces.
    pub(super) replaces: LinkList,
    /// What was merged into each document.
    pub(super) merges: LinkList,
}

/// The content of a chunk's rows; everything else in a chunk follows from it, so that only this is saved.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ChunkFacts {
    pub(super) entries: Box<[TdocEntry]>,
    pub(super) words: RowIndex,
    /// What replaces each document.
    pub(super) replaced_by: LinkList,
    /// What each document was merged into.
    pub(super) merged_into: LinkList,
    /// The folders that the documents' links to their files lead into.
    pub(super) folders: LinkedFolders,
}

impl ChunkFacts {
    /// Whether facts from a file have the form of built ones: entries in order, of the first meetings and
    /// organizations of a catalog, and words of these entries. Lookups index and search by these rules without
    /// further checks.
    pub(super) fn are_well_formed(&self, meetings: usize, organizations: usize) -> bool {
        let is_known = |entry: &TdocEntry| {
            (entry.meeting_key as usize) < meetings
                && entry.parties.iter().all(|party| (party.organization as usize) < organizations)
        };
        let count = self.entries.len();
        (1..=MAX_CHUNK_ROWS).contains(&count)
            && self.entries.iter().all(is_known)
            && self.entries.is_sorted_by(|one, next| one.id < next.id)
            && self.replaced_by.is_well_formed()
            && self.merged_into.is_well_formed()
            && self.words.is_well_formed(count)
    }
}

impl CatalogChunk {
    /// A chunk of entries and the rows they were built from, in the order of lists.
    pub(super) fn new(entries: Vec<TdocEntry>, rows: &[TdocRow]) -> Self {
        debug_assert!(entries.len() == rows.len() && entries.len() <= MAX_CHUNK_ROWS);
        let mut words: Vec<(TextKey, ChunkRow)> = Vec::new();
        let mut links = RowLinks::default();
        let mut folders = LinkedFolders::default();
        for (index, (entry, row)) in (0..=ChunkRow::MAX).zip(entries.iter().zip(rows)) {
            for column in [Column::Title, Column::Abstract] {
                let text = row.entry.column_text(column).unwrap_or_default();
                words.extend(TextKey::words_of(text).into_iter().map(|word| (word, index)));
            }
            let RowLinks { revisions, merges } = row_links(&entry.id, row);
            links.revisions.extend(revisions);
            links.merges.extend(merges);
            if let Some(link) = &row.entry.url {
                folders.add_link(entry.meeting_key, &entry.id, link);
            }
        }
        Self::from_facts(ChunkFacts {
            entries: entries.into(),
            words: RowIndex::new(words),
            replaced_by: LinkList::new(links.revisions),
            merged_into: LinkList::new(links.merges),
            folders,
        })
    }

    /// A chunk from the content of its rows.
    pub(super) fn from_facts(facts: ChunkFacts) -> Self {
        let entries = &facts.entries;
        let mut meeting_keys: Vec<u32> = entries.iter().map(|entry| entry.meeting_key).collect();
        meeting_keys.sort_unstable();
        meeting_keys.dedup();
        Self {
            traits: TraitsIndex::new(&entries.iter().map(TdocEntry::traits).collect::<Vec<_>>()),
            meeting_keys: meeting_keys.into(),
            parties: PartyIndex::new(entries),
            specs: index_values(entries, |entry| entry.spec().map(TextKey::of_spec)),
            work_items: index_values(entries, |entry| {
                entry
                    .work_items
                    .split(',')
                    .filter(|code| !code.is_empty())
                    .map(TextKey::of_work_item)
            }),
            agenda_items: index_values(entries, |entry| {
                entry.agenda_item.as_deref().into_iter().flat_map(TextKey::agenda_items_of)
            }),
            replaces: facts.replaced_by.reversed(),
            merges: facts.merged_into.reversed(),
            facts,
        }
    }

    /// The documents, newest first.
    pub(super) fn entries(&self) -> &[TdocEntry] {
        &self.facts.entries
    }

    /// The numbers of the documents' meetings.
    pub(super) fn meeting_keys(&self) -> &[u32] {
        &self.meeting_keys
    }

    /// The first document.
    pub(super) fn first(&self) -> Option<&TdocId> {
        self.facts.entries.first().map(|entry| &entry.id)
    }

    /// A document by its number.
    pub(super) fn get(&self, id: &TdocId) -> Option<&TdocEntry> {
        Some(self.entry(self.row_of(id)?))
    }

    /// The position of a document.
    pub(super) fn row_of(&self, id: &TdocId) -> Option<ChunkRow> {
        let row = self.facts.entries.binary_search_by(|entry| entry.id.cmp(id)).ok()?;
        ChunkRow::try_from(row).ok()
    }

    /// A document by its position.
    pub(super) fn entry(&self, row: ChunkRow) -> &TdocEntry {
        &self.facts.entries[usize::from(row)]
    }
}

/// An index of the values that entries have.
fn index_values<'a, Values: IntoIterator<Item = TextKey>>(
    entries: &'a [TdocEntry],
    values_of: impl Fn(&'a TdocEntry) -> Values,
) -> RowIndex {
    let pairs = (0..=ChunkRow::MAX)
        .zip(entries)
        .flat_map(|(row, entry)| values_of(entry).into_iter().map(move |value| (value, row)));
    RowIndex::new(pairs.collect())
}
