//! Builds a catalog from an earlier one and the changes in the journal.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use register::Column;

use super::{
    JournalPosition, TdocCatalog,
    build::{TdocRows, build_chunk},
    chunk::{CHUNK_ROWS, CatalogChunk},
    chunk_rows::MAX_CHUNK_ROWS,
};
use crate::learned_parties::LearnedParties;
use domain::TdocId;
use store::{JournalEntry, Snapshot, StoreError};

/// Journal entries that are followed, and documents that they may name; after more, everything is read again. Each
/// changed document also rebuilds the up to 255 others of its chunk.
const MAX_CHANGES: usize = 20_000;
/// Abbreviations are learned only from a change of so many documents, such as a whole register: the table is shared
/// with the earlier state and must be copied for this.
const LEARN_FROM: usize = 64;

impl JournalPosition {
    pub(super) fn of(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let journal = snapshot.journal();
        Ok(Self { id: journal.id()?, last: journal.last_number()? })
    }
}

impl TdocCatalog {
    /// The catalog of a later state of the store; `None` if the journal does not contain all later changes, or so many
    /// that reading everything is not slower: a quarter of the documents is in nearly all chunks.
    ///
    /// Names of organizations are learned in the order in which they come: a misspelt one that only later rows reveal
    /// is corrected when everything is read again.
    pub(crate) fn updated(&self, snapshot: &Snapshot) -> Result<Option<Self>, StoreError> {
        let Some(changed) = self.changed_since(snapshot)? else { return Ok(None) };
        if changed.len() > self.len() / 4 + CHUNK_ROWS {
            return Ok(None);
        }
        let mut next = self.clone();
        next.generation = snapshot.tdocs().tdocs_generation()?;
        next.journal = JournalPosition::of(snapshot)?;
        next.unlisted = snapshot.tdocs().unlisted_tdocs()?.into();
        next.apply(&changed, snapshot)?;
        next.set_meetings(snapshot.meetings().meeting_rows()?);
        next.add_reports(snapshot)?;
        // A change without a journal entry would be missing.
        let is_complete = next.len() as u64 == snapshot.tdocs().tdoc_count()?;
        Ok(is_complete.then_some(next))
    }

    /// The documents that have changed since this state; `None` for another store, an earlier state, or a journal that
    /// was cut or has an entry that this program cannot read.
    fn changed_since(&self, snapshot: &Snapshot) -> Result<Option<BTreeSet<TdocId>>, StoreError> {
        let now = JournalPosition::of(snapshot)?;
        if now.id != self.journal.id || now.last < self.journal.last {
            return Ok(None);
        }
        let entries = snapshot.journal().entries_after(self.journal.last, MAX_CHANGES)?;
        if entries.len() as u64 != now.last - self.journal.last {
            return Ok(None);
        }
        let mut changed = BTreeSet::new();
        for row in entries {
            match row.entry {
                Ok(JournalEntry::Tdocs { ids }) => changed.extend(ids),
                Ok(_) => {}
                Err(_) => return Ok(None),
            }
        }
        Ok((changed.len() <= MAX_CHANGES).then_some(changed))
    }

    /// Rebuilds the chunks of changed documents.
    fn apply(&mut self, changed: &BTreeSet<TdocId>, rows: &dyn TdocRows) -> Result<(), StoreError> {
        let ids: Vec<TdocId> = changed.iter().cloned().collect();
        let read = rows.read(&ids)?;
        let mut cells: HashMap<String, u32> = HashMap::new();
        for (_, row) in &read {
            self.keys.key_of(&row.meeting);
            if let Some(cell) = row.entry.column_text(Column::Source) {
                *cells.entry(cell.to_owned()).or_default() += 1;
            }
        }
        let learned = LearnedParties::learn_cells(self.directory.clone(), cells);
        self.directory = learned.directory.clone();
        if read.len() >= LEARN_FROM {
            let abbreviations = Arc::make_mut(&mut self.abbreviations);
            for title in read.iter().filter_map(|(_, row)| row.entry.column_text(Column::Title)) {
                abbreviations.add_text(title);
            }
        }
        let mut by_chunk: Vec<(usize, Vec<TdocId>)> = Vec::new();
        for id in ids {
            let chunk = self.chunk_of(&id);
            match by_chunk.last_mut() {
                Some((last, ids)) if *last == chunk => ids.push(id),
                _ => by_chunk.push((chunk, vec![id])),
            }
        }
        // Backwards, so that the indexes of earlier chunks stay valid.
        for (index, ids) in by_chunk.into_iter().rev() {
            self.replace_chunk(index, ids, rows, &learned)?;
        }
        Ok(())
    }

    fn replace_chunk(
        &mut self,
        index: usize,
        changed: Vec<TdocId>,
        rows: &dyn TdocRows,
        learned: &LearnedParties,
    ) -> Result<(), StoreError> {
        let old: Option<Arc<CatalogChunk>> = self.chunks.get(index).cloned();
        let changed: BTreeSet<TdocId> = changed.into_iter().collect();
        let mut ids = changed.clone();
        if let Some(old) = &old {
            self.count_chunk(old, -1);
            ids.extend(old.entries().iter().map(|entry| entry.id.clone()));
        }
        let ids: Vec<TdocId> = ids.into_iter().collect();
        let pieces = if ids.len() > MAX_CHUNK_ROWS { CHUNK_ROWS } else { MAX_CHUNK_ROWS };
        let mut made = Vec::new();
        for ids in ids.chunks(pieces) {
            let known = |id: &TdocId| {
                if changed.contains(id) {
                    None
                } else {
                    old.as_ref().and_then(|old| old.get(id)).cloned()
                }
            };
            let chunk = build_chunk(rows.read(ids)?, learned, &self.keys, known);
            self.count_chunk(&chunk, 1);
            if !chunk.entries().is_empty() {
                made.push(Arc::new(chunk));
            }
        }
        self.replaced_chunks += made.len().max(1);
        let replaced = index..(index + usize::from(old.is_some()));
        self.chunks.splice(replaced, made);
        Ok(())
    }
}
