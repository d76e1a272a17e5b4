//! Opening a data folder: lock, recovery, first snapshot.

use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    Catalog, DataFolder, DocumentEntry, DocumentFilter, FolderLock, ModelRow, PassageRow, Snapshot,
    StoreError, Writer,
    check_vectors::unlist_damaged_segments,
    codec,
    collection::Collection,
    commit::WriterState,
    decisions, figures,
    pictures::Pictures,
    segment_row::SegmentRow,
    snapshot::Live,
    tables::{
        BATCH, CONTENT_FIGURES, CONTENT_IDS, CONTENT_PASSAGES, COUNTERS, DOCUMENT_IDS, DOCUMENTS,
        FIGURE_WORDS, FIGURES, FOLDER_FORMAT, FORMAT, MODELS, NEXT_CONTENT, NEXT_SEGMENTS,
        PASSAGES, PICTURE_SEGMENTS, PICTURE_SOURCES, PICTURES, SECTION_HEADS, SECTION_NUMBERS,
        SECTION_TEXTS, SEGMENT_STAMPS, SEGMENTS, SOURCES,
    },
    tdoc_jobs, tdoc_texts, tdocs, terms,
    vectors::{self, Segments},
    words::Words,
};
use database_file::DatabaseFile;

/// Page cache of redb.
const METADATA_CACHE_BYTES: usize = 128 << 20;

/// An open data folder.
pub struct Store {
    pub(super) folder: DataFolder,
    pub(super) metadata: DatabaseFile,
    pub(super) words: Words,
    pub(super) pictures: Pictures,
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
        let metadata = DatabaseFile::open(folder.metadata(), METADATA_CACHE_BYTES)?;
        create_tables(&metadata)?;
        let words = Words::open(&folder)?;
        let mut writer = words.writer()?;
        let pictures = Pictures::new(folder.figures());
        unlist_damaged_segments(&folder, &metadata)?;
        let catalog = Arc::new(load_catalog(&metadata)?);
        writer.recover(&metadata, &words, &catalog)?;
        figures::settle_pictures(&metadata, &pictures)?;
        terms::settle(&metadata, &catalog)?;
        for collection in Collection::ALL {
            let mut kept = listed_segments(&metadata, collection.list())?;
            if collection == Collection::Texts {
                kept.extend(listed_segments(&metadata, NEXT_SEGMENTS)?);
            }
            vectors::sweep(&collection.folder(&folder), &kept)?;
        }
        let current = ArcSwap::from_pointee(take_snapshot(&folder, &metadata, &words, catalog)?);
        let state =
            WriterState { words: writer, replaced: Vec::new(), stale: false, unsettled: false };
        let writer = Mutex::new(state);
        Ok(Self { folder, metadata, words, pictures, writer, current, _lock: lock })
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
            (state.stale, state.unsettled) = (true, true);
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
        state.words.recover(&self.metadata, &self.words, &catalog)?;
        figures::settle_pictures(&self.metadata, &self.pictures)?;
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
        let snapshot = take_snapshot(&self.folder, &self.metadata, &self.words, catalog)?;
        self.current.store(Arc::new(snapshot));
        Ok(())
    }
}

/// Makes every table, so that readers find them, and checks the format.
fn create_tables(metadata: &DatabaseFile) -> Result<(), StoreError> {
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
    txn.open_table(FIGURES)?;
    txn.open_table(FIGURE_WORDS)?;
    txn.open_multimap_table(CONTENT_FIGURES)?;
    txn.open_multimap_table(PICTURES)?;
    txn.open_table(SEGMENTS)?;
    txn.open_table(NEXT_SEGMENTS)?;
    txn.open_table(PICTURE_SEGMENTS)?;
    txn.open_table(PICTURE_SOURCES)?;
    txn.open_table(SEGMENT_STAMPS)?;
    txn.open_table(SOURCES)?;
    tdocs::create(txn)?;
    tdoc_texts::create(txn)?;
    tdoc_jobs::create(txn)?;
    decisions::create(txn)?;
    terms::create(txn)
}

/// Reads the documents and the content ids of their passages.
pub(super) fn load_catalog(metadata: &DatabaseFile) -> Result<Catalog, StoreError> {
    let txn = metadata.begin_read()?;
    let documents = txn.open_table(DOCUMENTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let figures = txn.open_table(FIGURES)?;
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
        let shown = figures::contents(&figures, id.value())?;
        if shown.iter().any(|content| *content >= contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        catalog.insert(DocumentEntry { id: id.value(), row, passages: carried, figures: shown });
    }
    for entry in tdoc_texts::load(&txn, contents)? {
        catalog.insert_tdoc(entry);
    }
    Ok(catalog)
}

fn listed_segments(
    metadata: &DatabaseFile,
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

pub(super) fn stored_model(
    metadata: &DatabaseFile,
    key: &str,
) -> Result<Option<ModelRow>, StoreError> {
    let txn = metadata.begin_read()?;
    let table = txn.open_table(MODELS)?;
    table.get(key)?.map(|value| codec::decode(value.value(), "model")).transpose()
}

fn take_snapshot(
    folder: &DataFolder,
    metadata: &DatabaseFile,
    words: &Words,
    catalog: Arc<Catalog>,
) -> Result<Snapshot, StoreError> {
    let open = |collection: Collection| {
        let model = stored_model(metadata, collection.model())?;
        let listed = listed_segments(metadata, collection.list())?;
        Segments::open(&collection.folder(folder), &listed, model.as_ref())
    };
    let (segments, pictures) = (open(Collection::Texts)?, open(Collection::Pictures)?);
    let txn = metadata.begin_read()?;
    let batch = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
    let everything = DocumentFilter::default();
    let live = Live {
        all: catalog.live(),
        passages: catalog.contents(&everything),
        figures: catalog.contents_of_figures(&everything),
        tdocs: catalog.contents_of_tdocs(),
    };
    let (filters, figure_filters, picture_filters) = Default::default();
    let searcher = words.searcher()?;
    Ok(Snapshot {
        metadata: txn,
        searcher,
        segments,
        pictures,
        catalog,
        live,
        batch,
        filters,
        figure_filters,
        picture_filters,
        tdoc_rows: OnceLock::new(),
    })
}
