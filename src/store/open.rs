//! Opening a data folder: lock, recovery, first snapshot.

use std::sync::{Arc, Mutex};

use arc_swap::ArcSwap;
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    Catalog, DataFolder, DocumentEntry, DocumentFilter, FolderLock, ModelRow, PassageRow,
    SectionHead, Snapshot, StoreError, Writer,
    check_vectors::unlist_damaged_segments,
    codec,
    commit::WriterState,
    context_header,
    lexical::{Committed, Lexical, LexicalPassage, LexicalWriter},
    metadata::Metadata,
    segment_row::SegmentRow,
    snapshot::FilterCache,
    tables::{
        BATCH, CONTENT_IDS, CONTENT_PASSAGES, COUNTERS, DOCUMENT_IDS, DOCUMENTS, FOLDER_FORMAT,
        FORMAT, MODELS, NEXT_CONTENT, NEXT_SEGMENTS, PASSAGES, SECTION_HEADS, SECTION_NUMBERS,
        SECTION_TEXTS, SEGMENT_STAMPS, SEGMENTS, SOURCES, TEXT_MODEL, section_key,
    },
    terms,
    vectors::{self, Segments},
};

/// An open data folder.
pub struct Store {
    pub(super) folder: DataFolder,
    pub(super) metadata: Metadata,
    pub(super) lexical: Lexical,
    pub(super) writer: Mutex<WriterState>,
    current: ArcSwap<Snapshot>,
    _lock: FolderLock,
}

impl Store {
    /// Opens a folder, creating it where it does not exist, and brings the three stores to one
    /// state: that of redb.
    pub fn open(folder: DataFolder) -> Result<Self, StoreError> {
        folder.create()?;
        let lock = folder.lock()?;
        Self::open_locked(folder, lock)
    }

    /// The same with a lock already taken.
    pub fn open_locked(folder: DataFolder, lock: FolderLock) -> Result<Self, StoreError> {
        let metadata = Metadata::open(folder.metadata())?;
        create_tables(&metadata)?;
        let lexical = Lexical::open(&folder.lexical())?;
        let mut words = lexical.writer()?;
        unlist_damaged_segments(&folder, &metadata)?;
        let catalog = Arc::new(load_catalog(&metadata)?);
        recover_words(&metadata, &lexical, &mut words, &catalog)?;
        terms::settle(&metadata, &catalog)?;
        let kept = [SEGMENTS, NEXT_SEGMENTS].map(|list| listed_segments(&metadata, list));
        let kept = kept.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        vectors::sweep(&folder.text_vectors(), &kept)?;
        let current = ArcSwap::from_pointee(take_snapshot(&folder, &metadata, &lexical, catalog)?);
        let state = WriterState { words, replaced: Vec::new(), stale: false, unsettled: false };
        let writer = Mutex::new(state);
        Ok(Self { folder, metadata, lexical, writer, current, _lock: lock })
    }

    /// The data folder.
    pub fn folder(&self) -> &DataFolder {
        &self.folder
    }

    /// The newest committed state.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        if self.metadata.has_failed()
            && let Ok(state) = self.writer.try_lock()
        {
            // A writer given back makes good what failed, whether it was writing or reading.
            drop(Writer { store: self, state });
        }
        self.current.load_full()
    }

    /// The one writer; waits while another thread holds it.
    pub fn writer(&self) -> Writer<'_> {
        let state = self.writer.lock().unwrap_or_else(|poisoned| {
            // A writer that panicked may have left words that belong to no commit.
            let mut state = poisoned.into_inner();
            state.stale = true;
            if let Err(error) = state.words.rollback() {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    "words of a failed batch remain"
                );
            }
            self.writer.clear_poison();
            state
        });
        Writer { store: self, state }
    }

    /// Brings the program back to the last committed state after redb's file failed, without which
    /// not even a reader gets an answer: on a full disk, most often.
    pub(super) fn recover(&self, state: &mut WriterState) -> Result<(), StoreError> {
        state.unsettled = true;
        if self.metadata.has_failed() {
            self.metadata.reopen()?;
        }
        state.words.rollback()?;
        let catalog = Arc::new(load_catalog(&self.metadata)?);
        self.publish(catalog.clone())?;
        // These write, too, and may have to wait for room on the disk: until then the words of the
        // failed batch are there, and are taken for nobody's.
        recover_words(&self.metadata, &self.lexical, &mut state.words, &catalog)?;
        terms::settle(&self.metadata, &catalog)?;
        self.publish(catalog)?;
        state.replaced.clear();
        (state.stale, state.unsettled) = (false, false);
        Ok(())
    }

    /// Reads the catalog from redb again and shows readers that state.
    pub(super) fn reload(&self) -> Result<(), StoreError> {
        self.publish(Arc::new(load_catalog(&self.metadata)?))
    }

    pub(super) fn publish(&self, catalog: Arc<Catalog>) -> Result<(), StoreError> {
        let snapshot = take_snapshot(&self.folder, &self.metadata, &self.lexical, catalog)?;
        self.current.store(Arc::new(snapshot));
        Ok(())
    }
}

/// Makes every table, so that readers find them, and checks the format.
fn create_tables(metadata: &Metadata) -> Result<(), StoreError> {
    let txn = metadata.begin_write()?;
    {
        let mut counters = txn.open_table(COUNTERS)?;
        let found = counters.get(FORMAT)?.map(|value| value.value());
        match found {
            None => {
                counters.insert(FORMAT, u64::from(FOLDER_FORMAT))?;
            }
            Some(found) if found != u64::from(FOLDER_FORMAT) => {
                let found = u32::try_from(found).unwrap_or(u32::MAX);
                return Err(StoreError::Format { found, expected: FOLDER_FORMAT });
            }
            Some(_) => {}
        }
    }
    open_all(&txn)?;
    txn.commit()?;
    Ok(())
}

fn open_all(txn: &WriteTransaction) -> Result<(), StoreError> {
    txn.open_table(MODELS)?;
    txn.open_table(DOCUMENT_IDS)?;
    txn.open_table(DOCUMENTS)?;
    txn.open_table(SECTION_HEADS)?;
    txn.open_table(SECTION_TEXTS)?;
    txn.open_table(SECTION_NUMBERS)?;
    txn.open_table(PASSAGES)?;
    txn.open_table(CONTENT_IDS)?;
    txn.open_multimap_table(CONTENT_PASSAGES)?;
    txn.open_table(SEGMENTS)?;
    txn.open_table(NEXT_SEGMENTS)?;
    txn.open_table(SEGMENT_STAMPS)?;
    txn.open_table(SOURCES)?;
    terms::create(txn)
}

/// Reads the documents and the content ids of their passages.
pub(super) fn load_catalog(metadata: &Metadata) -> Result<Catalog, StoreError> {
    let txn = metadata.begin_read()?;
    let documents = txn.open_table(DOCUMENTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let contents = txn.open_table(COUNTERS)?.get(NEXT_CONTENT)?.map_or(0, |value| value.value());
    let mut catalog = Catalog::default();
    for entry in documents.iter()? {
        let (id, row) = entry?;
        let row: super::DocumentRow = codec::decode(row.value(), "document")?;
        let ids = row.first_passage..row.first_passage + u64::from(row.passage_count);
        let mut carried = Vec::with_capacity(row.passage_count as usize);
        for passage in passages.range(ids)? {
            let passage: PassageRow = codec::decode(passage?.1.value(), "passage")?;
            // Sets of contents are as large as their largest id.
            if passage.content >= contents {
                return Err(StoreError::Decode { what: "content id" });
            }
            carried.push((passage.content, passage.section));
        }
        catalog.insert(DocumentEntry { id: id.value(), row, passages: carried });
    }
    Ok(catalog)
}

fn listed_segments(
    metadata: &Metadata,
    list: TableDefinition<u64, &[u8]>,
) -> Result<Vec<SegmentRow>, StoreError> {
    listed_in(&metadata.begin_read()?.open_table(list)?)
}

/// The segments on a list, in the order they were written.
pub(super) fn listed_in(
    table: &impl ReadableTable<u64, &'static [u8]>,
) -> Result<Vec<SegmentRow>, StoreError> {
    let mut rows = Vec::new();
    for entry in table.iter()? {
        rows.push(codec::decode(entry?.1.value(), "segment")?);
    }
    Ok(rows)
}

pub(super) fn stored_model(metadata: &Metadata, key: &str) -> Result<Option<ModelRow>, StoreError> {
    let txn = metadata.begin_read()?;
    let table = txn.open_table(MODELS)?;
    table.get(key)?.map(|value| codec::decode(value.value(), "model")).transpose()
}

fn take_snapshot(
    folder: &DataFolder,
    metadata: &Metadata,
    lexical: &Lexical,
    catalog: Arc<Catalog>,
) -> Result<Snapshot, StoreError> {
    let model = stored_model(metadata, TEXT_MODEL)?;
    let listed = listed_segments(metadata, SEGMENTS)?;
    let segments = Segments::open(&folder.text_vectors(), &listed, model.as_ref())?;
    let txn = metadata.begin_read()?;
    let batch = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
    let live = catalog.contents(&DocumentFilter::default());
    let filters = FilterCache::default();
    let searcher = lexical.searcher()?;
    Ok(Snapshot { metadata: txn, searcher, segments, catalog, live, batch, filters })
}

/// Brings the word index to redb's state: batches redb does not know are taken out, documents it
/// does not hold are added again.
fn recover_words(
    metadata: &Metadata,
    lexical: &Lexical,
    words: &mut LexicalWriter,
    catalog: &Catalog,
) -> Result<(), StoreError> {
    let txn = metadata.begin_read()?;
    let truth = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
    let settled = Committed { batch: truth, replaces: None };
    match lexical.committed()? {
        None if truth == 0 => return Ok(()),
        Some(found) if found == settled => return Ok(()),
        Some(Committed { batch, replaces: Some(old) }) if batch == truth => words.delete_batch(old),
        // A batch replaces at most one older one, whose words it leaves until redb has it.
        Some(found) if found.batch == truth + 1 => {
            tracing::info!(batch = found.batch, "taking an unfinished batch out of the words");
            words.delete_batch(found.batch);
        }
        _ => {
            tracing::info!("building the word index again");
            words.delete_everything()?;
            for entry in catalog.matching(&DocumentFilter::default()) {
                add_words_again(&txn, words, entry)?;
            }
        }
    }
    words.commit(settled)
}

fn add_words_again(
    txn: &redb::ReadTransaction,
    words: &LexicalWriter,
    entry: &DocumentEntry,
) -> Result<(), StoreError> {
    let heads = txn.open_table(SECTION_HEADS)?;
    let texts = txn.open_table(SECTION_TEXTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let first = section_key(entry.id, 0);
    let last = section_key(entry.id, u32::MAX);
    let mut sections: Vec<SectionHead> = Vec::new();
    for head in heads.range(first..=last)? {
        sections.push(codec::decode(head?.1.value(), "section")?);
    }
    let ids = entry.row.first_passage..entry.row.first_passage + u64::from(entry.row.passage_count);
    let mut section: Option<(u32, String, String)> = None;
    for passage in passages.range(ids)? {
        let (id, row) = passage?;
        let row: PassageRow = codec::decode(row.value(), "passage")?;
        if section.as_ref().is_none_or(|(place, _, _)| *place != row.section) {
            let value = texts.get(section_key(entry.id, row.section))?;
            let text = value.map_or(Ok(String::new()), |v| codec::decompress(v.value()))?;
            let header =
                context_header(entry.row.doc_type, &entry.row.number, &sections, row.section);
            section = Some((row.section, header, text));
        }
        let (_, header, text) = section.as_ref().expect("set just above");
        let text = row.text(text)?;
        let head = sections.get(row.section as usize);
        let passage = LexicalPassage {
            passage: id.value(),
            content: row.content,
            document: entry.id,
            number: entry.row.number.as_str(),
            section: head.map_or(("", ""), |head| (&head.number, &head.title)),
            header,
            text: &text,
        };
        words.add(entry.row.batch, &passage)?;
    }
    Ok(())
}
