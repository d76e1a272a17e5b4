//! Opening a data folder: lock, recovery, first snapshot.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
};

use arc_swap::{ArcSwap, ArcSwapOption};
use redb::ReadableTableMetadata;

use crate::{
    DataFolder, FolderLock, Snapshot, Store, StoreError,
    belonging::{check_database_is_not_older, check_database_is_there},
    catalog::{ContentsSource, load_catalog},
    commit::restore_derived,
    current_index::CurrentIndex,
    open_index::OpenIndex,
    picture_folder::PictureFolder,
    store::WriterState,
    tables::definitions::{NEXT_SEGMENTS, RECORDED_FACTS, create_tables},
    trash::{OldTrash, list_others, set_aside},
    vectors::{VectorCollection, segment_list::read_listed_segments, unlist_damaged_segments},
    words::LexicalIndexes,
};
use database_file::DatabaseFile;

/// Page cache of redb. Its default of 1 GiB is four times what a whole server over 62 versions uses.
const METADATA_CACHE_BYTES: usize = 128 << 20;

impl Store {
    /// Opens a folder, creates it if it does not exist, and recovers the other stores to the state of redb.
    pub fn open(folder: DataFolder) -> Result<Self, StoreError> {
        folder.create_folders()?;
        let lock = folder.acquire_lock()?;
        Self::open_locked(folder, lock)
    }

    /// The same with a lock that is held already.
    pub fn open_locked(folder: DataFolder, lock: FolderLock) -> Result<Self, StoreError> {
        let current = CurrentIndex::read(&folder)?;
        let index = folder.with_index(&current.index);
        index.create_folders()?;
        let store = Self::open_index(index, Arc::new(lock))?;
        // Only now is it known that what `current` names is an index.
        *store.lock_old_trash() = OldTrash::list(&folder);
        store.set_unlisted_aside()?;
        current.settle(&folder)?;
        Ok(store)
    }

    /// Opens one index of a data folder. redb promises errors for a damaged file only if it checks all of it, and may
    /// panic otherwise: here, that is an error too.
    pub(crate) fn open_index(
        folder: DataFolder,
        lock: Arc<FolderLock>,
    ) -> Result<Self, StoreError> {
        let path = folder.metadata_path();
        let opened = catch_unwind(AssertUnwindSafe(|| Self::open_index_files(folder, lock)));
        opened.unwrap_or_else(|_| Err(StoreError::Unreadable { path }))
    }

    fn open_index_files(folder: DataFolder, lock: Arc<FolderLock>) -> Result<Self, StoreError> {
        check_database_is_there(&folder)?;
        let metadata = DatabaseFile::open_large(folder.metadata_path(), METADATA_CACHE_BYTES)?;
        create_tables(&metadata)?;
        let words = LexicalIndexes::open(&folder)?;
        check_database_is_not_older(&folder, &metadata, &words)?;
        let mut writers = words.open_writers()?;
        let pictures = PictureFolder::new(folder.figures_folder());
        unlist_damaged_segments(&folder, &metadata)?;
        let mut loaded = load_catalog(&metadata, ContentsSource::Rows)?;
        // What a damaged catalog lacks must not be treated as superfluous.
        if loaded.catalog.damage().is_empty() {
            loaded.store_missing_rows(&metadata)?;
            let words = (&words, &mut writers);
            match restore_derived(&metadata, words, &pictures, &loaded.catalog) {
                Ok(()) => {}
                Err(error @ StoreError::Decode { .. }) => {
                    loaded = load_catalog(&metadata, ContentsSource::Parts)?;
                    if loaded.catalog.damage().is_empty() {
                        return Err(error);
                    }
                }
                Err(error) => return Err(error),
            }
        }
        warn_of_missing_definitions(&metadata, loaded.catalog.len())?;
        let catalog = Arc::new(loaded.catalog);
        let index = Arc::new(OpenIndex { folder: folder.clone(), metadata, words, pictures });
        let current = ArcSwap::from_pointee(Snapshot::open(&index, catalog)?);
        let writer = Mutex::new(WriterState::from_words(writers));
        let index = ArcSwap::new(index);
        let pictures_before = ArcSwapOption::empty();
        let old_trash = Mutex::default();
        Ok(Self { folder, index, pictures_before, writer, current, lock, old_trash })
    }

    /// Moves vector files that no list names to the trash. A damaged catalog does not know all lists.
    fn set_unlisted_aside(&self) -> Result<(), StoreError> {
        let index = self.index();
        if !self.snapshot().catalog().damage().is_empty() {
            return Ok(());
        }
        for collection in VectorCollection::ALL {
            let mut listed = read_listed_segments(&index.metadata, collection.segment_table())?;
            if collection == VectorCollection::Texts {
                listed.extend(read_listed_segments(&index.metadata, NEXT_SEGMENTS)?);
            }
            let place = collection.vector_folder(&index.folder);
            let is_listed = |name: &str| listed.iter().any(|row| row.file.as_str() == name);
            let others =
                list_others(&place, is_listed).map_err(StoreError::io_error("read", &place))?;
            set_aside(&self.folder, "vectors", &others);
        }
        Ok(())
    }
}

/// Earlier versions read definitions from the texts for each request: what they stored has none.
fn warn_of_missing_definitions(metadata: &DatabaseFile, count: usize) -> Result<(), StoreError> {
    let stored = metadata.begin_read()?.open_table(RECORDED_FACTS)?.len()?;
    let missing = (count as u64).saturating_sub(stored);
    if missing > 0 {
        tracing::warn!(
            documents = missing,
            "an earlier version stored documents without the definitions of names and the change histories; \
             `specbox upgrade`, or ingesting their files again, reads them"
        );
    }
    Ok(())
}
