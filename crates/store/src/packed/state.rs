//! What belongs to one index and to no source: ids, dates, waiting jobs.
//!
//! Documents and passages keep their ids when an index is restored, because clients have them.

use std::collections::{HashMap, HashSet};

use redb::{ReadTransaction, ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{PACKED_VERSION, decode_packed, encode_packed};
use crate::{
    DocumentEntry, MeetingRow, ModelRow, NotesRow, Snapshot, StoreError, TdocJobRow, Writer,
    tables::{
        codec::Packed,
        definitions::{
            COUNTERS, DOCUMENT_IDS, DOCUMENTS, MEETINGS, NEXT_DOCUMENT, NEXT_PASSAGE, NEXT_TDOC,
            NOTES, TDOC_JOBS, TDOC_KEYS,
        },
    },
};
use domain::{DocNumber, TdocId, Version};

const WHAT: &str = "state of an index";
/// No index has so many passages. Counters continue from the ids of a restored state, so larger ones could overflow
/// them.
const MAX_PASSAGE_ID: u64 = 1 << 48;
/// Counters that continue in a restored index.
const CONTINUED_COUNTERS: [&str; 3] = [NEXT_DOCUMENT, NEXT_PASSAGE, NEXT_TDOC];

/// Meeting and key of notes.
type NotesKey = (String, String);

/// What belongs to one index and to no source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IndexState {
    /// Identifies the index: the identity of its journal.
    pub index: u64,
    /// The model of its vectors of texts; if there are none yet, of future ones.
    pub text_model: Option<ModelRow>,
    counters: Vec<(String, u64)>,
    document_ids: Vec<(String, u32)>,
    tdoc_keys: Vec<(String, u32)>,
    documents: Vec<DocumentState>,
    tdocs: Vec<(TdocId, TdocState)>,
    /// Dates of imports of registers, by meeting.
    registers: Vec<(String, String)>,
    /// Dates on which notes were read, by meeting and key.
    notes: Vec<(NotesKey, String)>,
    jobs: Vec<TdocJobRow>,
}

/// What belongs to an index of a document version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentState {
    /// Its number.
    pub number: DocNumber,
    /// Its version.
    pub version: Version,
    /// When it was committed.
    pub created_at: String,
    /// Id of its first passage.
    pub first_passage: u64,
    /// The batch that wrote it.
    pub batch: u64,
    /// Hash of the source files.
    pub source_hash: [u8; 32],
    /// Whether all its contents have vectors.
    pub embedded: bool,
}

impl DocumentState {
    /// What its pack is called: `38.331 18.4.0`.
    pub fn title(&self) -> String {
        format!("{} {}", self.number, self.version)
    }

    /// What an index has of a document.
    pub fn of(entry: &DocumentEntry) -> Self {
        Self {
            number: entry.row.number.clone(),
            version: entry.row.version,
            created_at: entry.row.created_at.clone(),
            first_passage: entry.row.first_passage,
            batch: entry.row.batch,
            source_hash: entry.row.source_hash,
            embedded: entry.row.embedded,
        }
    }
}

/// What belongs to an index of a meeting document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TdocState {
    /// When it was read.
    pub read_at: String,
    /// The batch that wrote it.
    pub batch: u64,
    /// Hash of its file.
    pub hash: [u8; 32],
    /// Whether all its contents have vectors.
    pub embedded: bool,
}

impl IndexState {
    /// The object in a depot.
    pub fn encode(&self) -> Vec<u8> {
        encode_packed(PACKED_VERSION, self)
    }

    /// Reads the object.
    pub fn decode(bytes: &[u8]) -> Result<Self, StoreError> {
        let state: Self = decode_packed(PACKED_VERSION, bytes, WHAT)?;
        // Ids continue from these, so none may be near the maximum.
        let is_possible =
            state.documents.iter().all(|document| document.first_passage < MAX_PASSAGE_ID)
                && state.counters.iter().all(|(_, value)| *value < MAX_PASSAGE_ID);
        if is_possible { Ok(state) } else { Err(StoreError::Packed { what: WHAT }) }
    }

    /// Forgets documents that were removed while the index was packed: all except those whose packs have these
    /// titles.
    pub fn keep_documents(&mut self, titles: &HashSet<&str>) {
        self.documents.retain(|document| titles.contains(document.title().as_str()));
    }

    /// Corrects what is known of a document that was replaced while the index was packed.
    pub fn replace_document(&mut self, document: DocumentState) {
        let key = (document.number.clone(), document.version);
        self.documents.retain(|known| (&known.number, &known.version) != (&key.0, &key.1));
        let after = self.documents.partition_point(|known| {
            (known.first_passage, known.batch) < (document.first_passage, document.batch)
        });
        self.documents.insert(after, document);
    }

    /// The documents, in the order of their passages.
    pub fn documents(&self) -> &[DocumentState] {
        &self.documents
    }

    /// The meeting documents that were read.
    pub fn tdocs(&self) -> &[(TdocId, TdocState)] {
        &self.tdocs
    }

    /// When a register of a meeting was imported.
    pub fn register_dates(&self) -> HashMap<&str, &str> {
        self.registers.iter().map(|(meeting, date)| (meeting.as_str(), date.as_str())).collect()
    }

    /// When notes were read, by what their pack is called.
    pub fn notes_dates(&self) -> HashMap<String, &str> {
        self.notes
            .iter()
            .map(|((meeting, key), date)| (format!("{meeting} {key}"), date.as_str()))
            .collect()
    }
}

impl Snapshot {
    /// What belongs to this index and to no source.
    pub fn pack_state(&self) -> Result<IndexState, StoreError> {
        let txn = &self.metadata;
        let (mut counters, table) = (Vec::new(), txn.open_table(COUNTERS)?);
        for name in CONTINUED_COUNTERS {
            if let Some(value) = table.get(name)? {
                counters.push((name.to_owned(), value.value()));
            }
        }
        let documents = self.catalog.document_entries().map(DocumentState::of);
        let mut documents: Vec<DocumentState> = documents.collect();
        documents.sort_by_key(|document| (document.first_passage, document.batch));
        let tdocs = self.catalog.tdoc_entries().map(|entry| {
            let state = TdocState {
                read_at: entry.row.read_at.clone(),
                batch: entry.row.batch,
                hash: entry.row.hash,
                embedded: entry.row.embedded,
            };
            (entry.row.id.clone(), state)
        });
        let mut registers = Vec::new();
        for row in txn.open_table(MEETINGS)?.iter()? {
            let (id, row) = row?;
            let row: MeetingRow = row.value().decode("meeting")?;
            if let Some(register) = row.register {
                registers.push((id.value().to_owned(), register.imported_at));
            }
        }
        let mut jobs = Vec::new();
        for row in txn.open_table(TDOC_JOBS)?.iter()? {
            jobs.push(row?.1.value().decode("job")?);
        }
        Ok(IndexState {
            index: self.journal().id()?,
            text_model: self.contents().text_model()?,
            counters,
            document_ids: read_ids(txn, DOCUMENT_IDS)?,
            tdoc_keys: read_ids(txn, TDOC_KEYS)?,
            documents,
            tdocs: tdocs.collect(),
            registers,
            notes: read_notes_dates(txn)?,
            jobs,
        })
    }
}

fn read_ids(
    txn: &ReadTransaction,
    table: redb::TableDefinition<&str, u32>,
) -> Result<Vec<(String, u32)>, StoreError> {
    let table = txn.open_table(table)?;
    let mut ids = Vec::new();
    for row in table.iter()? {
        let (key, id) = row?;
        ids.push((key.value().to_owned(), id.value()));
    }
    Ok(ids)
}

fn read_notes_dates(txn: &ReadTransaction) -> Result<Vec<(NotesKey, String)>, StoreError> {
    let mut dates = Vec::new();
    for row in txn.open_table(NOTES)?.iter()? {
        let (key, row) = row?;
        let row: NotesRow = row.value().decode("notes")?;
        dates.push(((key.value().0.to_owned(), key.value().1.to_owned()), row.read_at));
    }
    Ok(dates)
}

impl Writer<'_> {
    /// Begins a restored index with the ids of the one that was backed up; only an empty index accepts them.
    pub fn restore_ids(&mut self, state: &IndexState) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            if txn.open_table(DOCUMENTS)?.first()?.is_some() {
                return Err(StoreError::NotEmpty);
            }
            insert_ids(&txn, DOCUMENT_IDS, &state.document_ids)?;
            insert_ids(&txn, TDOC_KEYS, &state.tdoc_keys)?;
            for (name, value) in &state.counters {
                // Passages get the ids they had, so this counter ends at its old value by itself.
                let is_known = CONTINUED_COUNTERS.contains(&name.as_str());
                if is_known && name != NEXT_PASSAGE {
                    txn.open_table(COUNTERS)?.insert(name.as_str(), value)?;
                }
            }
            writer.commit_metadata(txn)
        })
    }

    /// Adopts the ids of an index that this one follows, for documents that come from there. An index that has a
    /// document under another id has documents of its own, and is rejected.
    pub fn follow_ids(&mut self, state: &IndexState) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            for (table, ids) in [(DOCUMENT_IDS, &state.document_ids), (TDOC_KEYS, &state.tdoc_keys)]
            {
                let known: HashMap<&str, u32> =
                    ids.iter().map(|(key, id)| (key.as_str(), *id)).collect();
                for row in txn.open_table(table)?.iter()? {
                    let (key, id) = row?;
                    if known.get(key.value()) != Some(&id.value()) {
                        return Err(StoreError::OtherIds { name: key.value().to_owned() });
                    }
                }
                insert_ids(&txn, table, ids)?;
            }
            {
                let mut counters = txn.open_table(COUNTERS)?;
                for (name, value) in &state.counters {
                    let known = counters.get(name.as_str())?.map_or(0, |known| known.value());
                    let is_continued =
                        CONTINUED_COUNTERS.contains(&name.as_str()) && name != NEXT_PASSAGE;
                    if is_continued && known < *value {
                        counters.insert(name.as_str(), value)?;
                    }
                }
            }
            writer.commit_metadata(txn)
        })
    }

    /// Completes a restore with what needs the documents to exist.
    pub fn restore_remainder(&mut self, state: &IndexState) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            {
                let mut jobs = txn.open_table(TDOC_JOBS)?;
                for job in &state.jobs {
                    jobs.insert(job.id.as_str(), Packed::of(job))?;
                }
                let mut counters = txn.open_table(COUNTERS)?;
                for (name, value) in &state.counters {
                    let known = counters.get(name.as_str())?.map_or(0, |known| known.value());
                    if CONTINUED_COUNTERS.contains(&name.as_str()) && known < *value {
                        counters.insert(name.as_str(), value)?;
                    }
                }
            }
            writer.commit_metadata(txn)
        })
    }
}

fn insert_ids(
    txn: &WriteTransaction,
    table: redb::TableDefinition<&str, u32>,
    ids: &[(String, u32)],
) -> Result<(), StoreError> {
    let mut table = txn.open_table(table)?;
    for (key, id) in ids {
        table.insert(key.as_str(), id)?;
    }
    Ok(())
}
