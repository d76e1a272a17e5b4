//! Opening a data folder: lock, recovery, first snapshot.

use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
use redb::{ReadableTable, TableDefinition, WriteTransaction};

use super::{
    DataFolder, DocumentCatalog, DocumentEntry, DocumentFilter, FolderLock, ModelRow, PassageRow,
    Snapshot, StoreError, Writer,
    check_vectors::unlist_damaged_segments,
    codec,
    collection::VectorCollection,
    commit::WriterState,
    decisions, figures,
    lexical_indexes::LexicalIndexes,
    pictures::PictureFolder,
    segment_row::SegmentRow,
    snapshot::LiveContents,
    tables::{
        BATCH, CONTENT_FIGURES, CONTENT_IDS, CONTENT_PASSAGES, COUNTERS, DOCUMENT_IDS, DOCUMENTS,
        FIGURE_WORDS, FIGURES, FOLDER_FORMAT, FORMAT, MODELS, NEXT_CONTENT, NEXT_SEGMENTS,
        PASSAGES, PICTURE_SEGMENTS, PICTURE_SOURCES, PICTURES, SECTION_HEADS, SECTION_NUMBERS,
        SECTION_TEXTS, SEGMENT_STAMPS, SEGMENTS, SOURCES,
    },
    tdoc_jobs, tdoc_texts, tdocs, terms,
    vectors::{self, SegmentSet},
};
use database_file::DatabaseFile;

/// Page cache of redb.
const METADATA_CACHE_BYTES: usize = 128 << 20;

/// An open data folder.
pub struct Store {
    pub(super) folder: DataFolder,
    pub(super) metadata: DatabaseFile,
    pub(super) lexical: LexicalIndexes,
    pub(super) pictures: PictureFolder,
    pub(super) writer: Mutex<WriterState>,
    current: ArcSwap<Snapshot>,
    _lock: FolderLock,
}

impl Store {
    /// Opens a folder, creating it where it does not exist, and brings the three stores to one
    /// state: that of redb.
    pub fn open(folder: DataFolder) -> Result<Self, StoreError> {
        folder.create_folders()?;
        let lock = folder.acquire_lock()?;
        Self::open_locked(folder, lock)
    }

    /// The same with a lock already taken.
    pub fn open_locked(folder: DataFolder, lock: FolderLock) -> Result<Self, StoreError> {
        let metadata = DatabaseFile::open(folder.metadata_path(), METADATA_CACHE_BYTES)?;
        create_tables(&metadata)?;
        let words = LexicalIndexes::open(&folder)?;
        let mut writer = words.open_writers()?;
        let pictures = PictureFolder::new(folder.figures_folder());
        unlist_damaged_segments(&folder, &metadata)?;
        let catalog = Arc::new(load_catalog(&metadata)?);
        writer.recover_indexes(&metadata, &words, &catalog)?;
        figures::remove_unlisted_pictures(&metadata, &pictures)?;
        terms::rebuild_outdated_terms(&metadata, &catalog)?;
        for collection in VectorCollection::ALL {
            let mut kept = read_listed_segments(&metadata, collection.segment_table())?;
            if collection == VectorCollection::Texts {
                kept.extend(read_listed_segments(&metadata, NEXT_SEGMENTS)?);
            }
            vectors::remove_unlisted_files(&collection.vector_folder(&folder), &kept)?;
        }
        let current = ArcSwap::from_pointee(take_snapshot(&folder, &metadata, &words, catalog)?);
        let state =
            WriterState { lexical: writer, replaced: Vec::new(), stale: false, unsettled: false };
        let writer = Mutex::new(state);
        Ok(Self { folder, metadata, lexical: words, pictures, writer, current, _lock: lock })
    }

    /// The data folder.
    pub fn data_folder(&self) -> &DataFolder {
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
    pub fn lock_writer(&self) -> Writer<'_> {
        let state = self.writer.lock().unwrap_or_else(|poisoned| {
            // A writer that panicked may have left words that belong to no commit.
            let mut state = poisoned.into_inner();
            (state.stale, state.unsettled) = (true, true);
            if let Err(error) = state.lexical.roll_back_indexes() {
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
    pub(super) fn recover_state(&self, state: &mut WriterState) -> Result<(), StoreError> {
        state.unsettled = true;
        if self.metadata.has_failed() {
            self.metadata.reopen_file()?;
        }
        state.lexical.roll_back_indexes()?;
        let catalog = Arc::new(load_catalog(&self.metadata)?);
        self.replace_snapshot(catalog.clone())?;
        // These write, too, and may have to wait for room on the disk: until then the words of the
        // failed batch are there, and are taken for nobody's.
        state.lexical.recover_indexes(&self.metadata, &self.lexical, &catalog)?;
        figures::remove_unlisted_pictures(&self.metadata, &self.pictures)?;
        terms::rebuild_outdated_terms(&self.metadata, &catalog)?;
        self.replace_snapshot(catalog)?;
        state.replaced.clear();
        (state.stale, state.unsettled) = (false, false);
        Ok(())
    }

    /// Reads the catalog from redb again and shows readers that state.
    pub(super) fn reload_catalog(&self) -> Result<(), StoreError> {
        self.replace_snapshot(Arc::new(load_catalog(&self.metadata)?))
    }

    pub(super) fn replace_snapshot(&self, catalog: Arc<DocumentCatalog>) -> Result<(), StoreError> {
        let snapshot = take_snapshot(&self.folder, &self.metadata, &self.lexical, catalog)?;
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
    open_all_tables(&txn)?;
    txn.commit()?;
    Ok(())
}

fn open_all_tables(txn: &WriteTransaction) -> Result<(), StoreError> {
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
    tdocs::create_tdoc_tables(txn)?;
    tdoc_texts::create_tdoc_text_tables(txn)?;
    tdoc_jobs::create_tdoc_job_tables(txn)?;
    decisions::create_decision_tables(txn)?;
    terms::create_term_tables(txn)
}

/// Reads the documents and the content ids of their passages.
pub(super) fn load_catalog(metadata: &DatabaseFile) -> Result<DocumentCatalog, StoreError> {
    let txn = metadata.begin_read()?;
    let documents = txn.open_table(DOCUMENTS)?;
    let passages = txn.open_table(PASSAGES)?;
    let figures = txn.open_table(FIGURES)?;
    let contents = txn.open_table(COUNTERS)?.get(NEXT_CONTENT)?.map_or(0, |value| value.value());
    let mut catalog = DocumentCatalog::default();
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
        let shown = figures::read_figure_contents(&figures, id.value())?;
        if shown.iter().any(|content| *content >= contents) {
            return Err(StoreError::Decode { what: "content id" });
        }
        catalog.insert_document(DocumentEntry {
            id: id.value(),
            row,
            passages: carried,
            figures: shown,
        });
    }
    for entry in tdoc_texts::load_entries(&txn, contents)? {
        catalog.insert_tdoc(entry);
    }
    Ok(catalog)
}

fn read_listed_segments(
    metadata: &DatabaseFile,
    list: TableDefinition<u64, &[u8]>,
) -> Result<Vec<SegmentRow>, StoreError> {
    read_segment_rows(&metadata.begin_read()?.open_table(list)?)
}

/// The segments on a list, in the order they were written.
pub(super) fn read_segment_rows(
    table: &impl ReadableTable<u64, &'static [u8]>,
) -> Result<Vec<SegmentRow>, StoreError> {
    let mut rows = Vec::new();
    for entry in table.iter()? {
        rows.push(codec::decode(entry?.1.value(), "segment")?);
    }
    Ok(rows)
}

pub(super) fn read_model(
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
    words: &LexicalIndexes,
    catalog: Arc<DocumentCatalog>,
) -> Result<Snapshot, StoreError> {
    let open = |collection: VectorCollection| {
        let model = read_model(metadata, collection.model_key())?;
        let listed = read_listed_segments(metadata, collection.segment_table())?;
        SegmentSet::open(&collection.vector_folder(folder), &listed, model.as_ref())
    };
    let (segments, pictures) = (open(VectorCollection::Texts)?, open(VectorCollection::Pictures)?);
    let txn = metadata.begin_read()?;
    let batch = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
    let everything = DocumentFilter::default();
    let live = LiveContents {
        all: catalog.live_contents(),
        passages: catalog.passage_contents(&everything),
        figures: catalog.figure_contents(&everything),
        tdocs: catalog.tdoc_contents(),
    };
    let (filters, figure_filters, picture_filters) = Default::default();
    let searcher = words.reload_searchers()?;
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
