//! An open data folder.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};

use crate::{
    DataFolder, DocumentCatalog, FolderLock, PictureHash, Snapshot, StoreError,
    catalog::{CatalogChanges, ContentsSource, load_catalog},
    open_index::OpenIndex,
    picture_folder::PictureFolder,
    trash::OldTrash,
    vectors::{forget_lost_files, read_lost_files},
    words::LexicalWriters,
};

/// An open data folder.
pub struct Store {
    pub(crate) folder: DataFolder,
    /// The index that is served. It is replaced only while the writer is held.
    pub(crate) index: ArcSwap<OpenIndex>,
    /// The pictures of the one before it: readers that began with it still ask for them.
    pub(crate) pictures_before: ArcSwapOption<PictureFolder>,
    pub(crate) writer: Mutex<WriterState>,
    pub(crate) current: ArcSwap<Snapshot>,
    pub(crate) lock: Arc<FolderLock>,
    /// What was in the trash before this process, or the index that is served, put something there.
    pub(crate) old_trash: Mutex<OldTrash>,
}

/// What the writer keeps between changes.
pub(crate) struct WriterState {
    pub(crate) words: LexicalWriters,
    /// Batches that were replaced but whose words are not deleted yet.
    pub(crate) replaced: Vec<u64>,
    /// Whether the published snapshot is older than redb.
    pub(crate) is_stale: bool,
    /// Whether traces of a failed change are left for a recovery.
    pub(crate) is_unsettled: bool,
}

impl WriterState {
    /// The state after open: nothing failed yet.
    pub(crate) fn from_words(words: LexicalWriters) -> Self {
        Self { words, replaced: Vec::new(), is_stale: false, is_unsettled: false }
    }
}

impl Store {
    /// Removes what an earlier process, or an earlier index, had put in the trash. To be called once the index is served.
    pub fn empty_old_trash(&self) {
        std::mem::take(&mut *self.lock_old_trash()).remove();
    }

    pub(crate) fn lock_old_trash(&self) -> MutexGuard<'_, OldTrash> {
        self.old_trash.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The data folder. For the place of the index in it see [`Store::index_folder`].
    pub fn data_folder(&self) -> &DataFolder {
        &self.folder
    }

    /// The data folder with the place of the index that is served now.
    pub fn index_folder(&self) -> DataFolder {
        self.index().folder.clone()
    }

    /// The open files of the index that is served now.
    pub(crate) fn index(&self) -> Arc<OpenIndex> {
        self.index.load_full()
    }

    /// The newest published state. After a failure of the database file its reads fail until
    /// [`Store::recover`].
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// The bytes of a picture, as PNG; `None` if a later commit has removed it.
    pub fn read_picture(&self, hash: &PictureHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.find_in_pictures(|pictures| pictures.read_picture(hash))
    }

    /// The SVG of a picture, compressed with gzip (see [`crate::unpack_drawing`]); `None` if the picture is not a
    /// drawing, or a later commit has removed it.
    pub fn read_drawing(&self, hash: &PictureHash) -> Result<Option<Vec<u8>>, StoreError> {
        self.find_in_pictures(|pictures| pictures.read_drawing(hash))
    }

    /// Whether a picture has an SVG.
    pub fn has_drawing(&self, hash: &PictureHash) -> bool {
        self.index().pictures.has_drawing(hash)
    }

    /// What the pictures of this index have, or else those of the one before it.
    fn find_in_pictures<T>(
        &self,
        find: impl Fn(&PictureFolder) -> Result<Option<T>, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        match (find(&self.index().pictures)?, &*self.pictures_before.load()) {
            (None, Some(before)) => find(before),
            (found, _) => Ok(found),
        }
    }

    /// Whether the files of the index exist. An open file can still be read after it was removed, so nobody would
    /// notice before the next start.
    pub fn has_all_files(&self) -> bool {
        let index = self.index();
        let vectors = self.snapshot();
        let vectors = vectors.segments.iter().chain(vectors.pictures.iter());
        index.folder.metadata_path().is_file()
            && index.folder.index_folders().iter().all(|folder| folder.is_dir())
            && vectors.into_iter().all(|segment| segment.path().is_file())
    }

    /// The vector files that were lost and what to do, unless their vectors have been computed again.
    pub fn describe_lost_vectors(&self) -> Option<String> {
        let folder = &self.index().folder;
        let lost = read_lost_files(folder)?;
        let snapshot = self.snapshot();
        let is_whole = snapshot.unembedded_documents().next().is_none()
            && snapshot.unembedded_tdocs().next().is_none();
        if is_whole {
            forget_lost_files(folder);
            return None;
        }
        Some(format!(
            "vector files were lost ({}); ingest the archives again, or start the server, which computes missing vectors",
            lost.join(", ")
        ))
    }

    /// Rejects a change of a damaged index: what its catalog lacks would be lost permanently.
    pub fn check_undamaged(&self) -> Result<(), StoreError> {
        match self.snapshot().catalog().damage() {
            [] => Ok(()),
            damage => Err(StoreError::Damaged { count: damage.len(), first: damage[0].clone() }),
        }
    }

    /// Reads the catalog from redb again and publishes that state.
    pub(crate) fn reload_catalog(&self) -> Result<(), StoreError> {
        let loaded = load_catalog(&self.index().metadata, ContentsSource::Rows)?;
        self.replace_snapshot(Arc::new(loaded.catalog))
    }

    /// Publishes the last commit to readers.
    pub(crate) fn replace_snapshot(&self, catalog: Arc<DocumentCatalog>) -> Result<(), StoreError> {
        let snapshot = Snapshot::open(&self.index(), catalog)?;
        self.current.store(Arc::new(snapshot));
        Ok(())
    }

    /// Publishes a commit that made changes to the last snapshot.
    pub(crate) fn publish_next(
        &self,
        catalog: Arc<DocumentCatalog>,
        changes: &CatalogChanges,
    ) -> Result<(), StoreError> {
        let before = self.snapshot();
        if !before.is_of(&self.index()) {
            return self.replace_snapshot(catalog);
        }
        self.current.store(Arc::new(before.open_next(catalog, changes)?));
        Ok(())
    }

    /// Takes over from a writer that panicked, which may have left words that belong to no commit.
    pub(crate) fn adopt_writer<'a>(
        &'a self,
        poisoned: PoisonError<MutexGuard<'a, WriterState>>,
    ) -> MutexGuard<'a, WriterState> {
        let mut state = poisoned.into_inner();
        (state.is_stale, state.is_unsettled) = (true, true);
        self.writer.clear_poison();
        state
    }
}
