//! Builds a catalog from everything that is stored.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use rayon::prelude::*;
use register::Column;

use super::{
    JournalPosition, MeetingKeys, TdocCatalog,
    chunk::{CHUNK_ROWS, CatalogChunk},
};
use crate::{
    Meeting, entry::TdocEntry, learned_parties::LearnedParties, linked_folders::LinkedFolders,
    topics::Abbreviations,
};
use domain::{MeetingId, TdocId};
use store::{MeetingRow, Snapshot, StoreError, TdocRow};

/// The rows of registers by the numbers of their documents.
pub(super) trait TdocRows: Sync {
    /// The rows of documents, in order; missing ones are skipped.
    fn read(&self, ids: &[TdocId]) -> Result<Vec<(TdocId, TdocRow)>, StoreError>;
}

impl TdocRows for Snapshot {
    fn read(&self, ids: &[TdocId]) -> Result<Vec<(TdocId, TdocRow)>, StoreError> {
        self.tdocs().tdoc_rows(ids)
    }
}

/// Rows that one thread counts at a time. Each thread has so many rows in memory; with fewer, merging the counts of
/// the parts takes a larger share of the time.
const SURVEYED_ROWS: usize = 4_096;

/// What is counted over all rows before the entries are built: an organization is learned from all its spellings.
#[derive(Default)]
struct Survey {
    /// The documents, in the order of lists.
    ids: Vec<TdocId>,
    /// Source cells with their counts.
    cells: HashMap<String, u32>,
    meetings: HashSet<MeetingId>,
    abbreviations: Abbreviations,
}

impl Survey {
    /// Counts the rows of documents, which come in any order.
    fn of(ids: Vec<TdocId>, rows: &dyn TdocRows) -> Result<Self, StoreError> {
        let parts = ids.par_chunks(SURVEYED_ROWS).map(|ids| {
            let mut survey = Self::default();
            rows.read(ids)?.into_iter().for_each(|(_, row)| survey.add(&row));
            Ok::<Self, StoreError>(survey)
        });
        let mut whole = parts.try_reduce(Self::default, |one, other| Ok(one.merged(other)))?;
        whole.ids = ids;
        whole.ids.par_sort_unstable();
        Ok(whole)
    }

    fn merged(mut self, mut other: Self) -> Self {
        if self.cells.len() < other.cells.len() {
            std::mem::swap(&mut self, &mut other);
        }
        for (cell, count) in other.cells {
            *self.cells.entry(cell).or_default() += count;
        }
        self.meetings.extend(other.meetings);
        self.abbreviations.merge(&other.abbreviations);
        self
    }

    fn add(&mut self, row: &TdocRow) {
        if let Some(cell) = row.entry.column_text(Column::Source) {
            match self.cells.get_mut(cell) {
                Some(count) => *count += 1,
                None => drop(self.cells.insert(cell.to_owned(), 1)),
            }
        }
        if !self.meetings.contains(&row.meeting) {
            self.meetings.insert(row.meeting.clone());
        }
        self.abbreviations.add_text(row.entry.column_text(Column::Title).unwrap_or_default());
    }
}

impl TdocCatalog {
    /// Reads everything that is stored, twice, so that the rows are never all in memory.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, StoreError> {
        let mut catalog = Self::from_survey(
            snapshot.tdocs().tdocs_generation()?,
            JournalPosition::of(snapshot)?,
            Survey::of(snapshot.tdocs().tdoc_ids()?, snapshot)?,
            snapshot.meetings().meeting_rows()?,
            snapshot.tdocs().unlisted_tdocs()?,
            snapshot,
        )?;
        catalog.add_reports(snapshot)?;
        Ok(catalog)
    }

    /// Adds what reports say of their meetings.
    pub(super) fn add_reports(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let mut reported = snapshot.meetings().reported_meetings()?;
        for meeting in &mut self.meetings {
            if let Some(reported) = reported.remove(&meeting.id) {
                meeting.add_report(reported);
            }
        }
        Ok(())
    }

    fn from_survey(
        generation: u64,
        journal: JournalPosition,
        survey: Survey,
        meeting_rows: Vec<MeetingRow>,
        unlisted: HashSet<TdocId>,
        rows: &dyn TdocRows,
    ) -> Result<Self, StoreError> {
        let Survey { ids, cells, meetings, abbreviations } = survey;
        let learned = LearnedParties::learn_cells(LearnedParties::shipped_directory(), cells);
        let mut keys = MeetingKeys::default();
        for id in meeting_rows.iter().map(|row| &row.id).chain(&meetings) {
            keys.key_of(id);
        }
        let built: Result<Vec<CatalogChunk>, StoreError> = ids
            .par_chunks(CHUNK_ROWS)
            .map(|ids| Ok(build_chunk(rows.read(ids)?, &learned, &keys, |_| None)))
            .collect();
        let mut catalog = Self {
            generation,
            directory: learned.directory.clone(),
            abbreviations: abbreviations.into(),
            meetings: Vec::new(),
            chunks: Vec::new(),
            unlisted: unlisted.into(),
            journal,
            keys,
            organization_counts: HashMap::new(),
            replaced_chunks: ids.len(),
        };
        for chunk in built? {
            catalog.count_chunk(&chunk, 1);
            if !chunk.entries().is_empty() {
                catalog.chunks.push(Arc::new(chunk));
            }
        }
        catalog.set_meetings(meeting_rows);
        Ok(catalog)
    }

    /// Adds the documents of a chunk to the counts, or with -1 subtracts them.
    pub(super) fn count_chunk(&mut self, chunk: &CatalogChunk, sign: i32) {
        for entry in chunk.entries() {
            let documents = &mut self.keys.documents[entry.meeting_key as usize];
            *documents = documents.saturating_add_signed(sign);
        }
        for (organization, documents) in chunk.parties.counts() {
            let count = self.organization_counts.entry(organization).or_default();
            *count = count.saturating_add_signed(sign * documents as i32);
        }
    }

    /// Builds the list of meetings from their rows and from the documents.
    pub(super) fn set_meetings(&mut self, rows: Vec<MeetingRow>) {
        let mut meetings: BTreeMap<MeetingId, Meeting> =
            rows.into_iter().map(|row| (row.id.clone(), Meeting::new(row))).collect();
        for (id, key) in &self.keys.by_id {
            // A meeting whose last document now belongs to another meeting is no longer known.
            if self.keys.documents[*key as usize] > 0 && !meetings.contains_key(id) {
                meetings.insert(id.clone(), Meeting::from_id(id.clone()));
            }
        }
        for id in meetings.keys() {
            self.keys.key_of(id);
        }
        self.keys.indexes = vec![0; self.keys.documents.len()];
        let parts = self.chunks.iter().map(|chunk| &chunk.facts.folders);
        let folders = LinkedFolders::most_frequent(parts);
        let mut unlisted: HashMap<u32, usize> = HashMap::new();
        for entry in self.unlisted.iter().filter_map(|id| self.get(id)) {
            *unlisted.entry(entry.meeting_key).or_default() += 1;
        }
        for (index, meeting) in (0..).zip(meetings.values_mut()) {
            let key = self.keys.key_of(&meeting.id);
            self.keys.indexes[key as usize] = index;
            meeting.documents = self.keys.documents[key as usize] as usize;
            let without_register = unlisted.get(&key).copied().unwrap_or_default();
            meeting.registered = meeting.documents - without_register;
            meeting.document_folder_url = folders.get(&key).cloned();
        }
        self.meetings = meetings.into_values().collect();
    }
}

/// A chunk of rows, in the order of lists. Their meetings have numbers. `known` returns the entries that have not
/// changed.
pub(super) fn build_chunk(
    rows: Vec<(TdocId, TdocRow)>,
    learned: &LearnedParties,
    keys: &MeetingKeys,
    known: impl Fn(&TdocId) -> Option<TdocEntry>,
) -> CatalogChunk {
    let mut entries: Vec<TdocEntry> = Vec::with_capacity(rows.len());
    for (id, row) in &rows {
        let meeting = keys.by_id.get(&row.meeting).copied().unwrap_or_default();
        entries.push(known(id).unwrap_or_else(|| learned.build_entry(id, row, meeting)));
    }
    let rows: Vec<TdocRow> = rows.into_iter().map(|(_, row)| row).collect();
    CatalogChunk::new(entries, &rows)
}

#[cfg(test)]
impl TdocRows for HashMap<TdocId, TdocRow> {
    fn read(&self, ids: &[TdocId]) -> Result<Vec<(TdocId, TdocRow)>, StoreError> {
        let found = ids.iter().filter_map(|id| Some((id.clone(), self.get(id)?.clone())));
        Ok(found.collect())
    }
}

#[cfg(test)]
impl TdocCatalog {
    /// An empty catalog.
    pub(crate) fn empty() -> Self {
        Self::of_rows(Vec::new(), Vec::new())
    }

    /// A catalog of documents and meetings.
    pub(crate) fn of_rows(rows: Vec<(TdocId, TdocRow)>, meetings: Vec<Meeting>) -> Self {
        let ids = rows.iter().map(|(id, _)| id.clone()).collect();
        let rows: HashMap<TdocId, TdocRow> = rows.into_iter().collect();
        let survey = Survey::of(ids, &rows).expect("rows in memory");
        let meetings = meetings.into_iter().map(|meeting| {
            let Meeting { id, calendar, register, .. } = meeting;
            MeetingRow { id, calendar, register }
        });
        let journal = JournalPosition::default();
        Self::from_survey(1, journal, survey, meetings.collect(), HashSet::new(), &rows)
            .expect("rows in memory")
    }
}
