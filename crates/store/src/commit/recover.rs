//! Recovery: back to the last commit after a change, or the database file, failed.
//!
//! After one failed read or write of its file, most often because the disk is full, redb rejects everything. So
//! recovery is called explicitly: by a change before it begins and after it failed, and for readers by
//! [`Store::recover`].

use std::sync::{Arc, TryLockError};

use crate::{
    DocumentCatalog, Store, StoreError,
    catalog::{ContentsSource, load_catalog},
    picture_folder::{PictureFolder, remove_unlisted_pictures},
    store::WriterState,
    words::{LexicalIndexes, LexicalWriters},
};
use database_file::DatabaseFile;

impl Store {
    /// Whether reading or writing the database file failed: readers get no answers until
    /// [`Store::recover`].
    pub fn has_failed(&self) -> bool {
        self.index().metadata.has_failed()
    }

    /// Reopens the database file if it failed, at its last commit, and publishes that state. Returns whether there
    /// was anything to do. While a writer is active it does nothing: the writer recovers when its change has failed.
    pub fn recover(&self) -> Result<bool, StoreError> {
        if !self.has_failed() {
            return Ok(false);
        }
        let mut state = match self.writer.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => self.adopt_writer(poisoned),
            Err(TryLockError::WouldBlock) => return Ok(false),
        };
        let is_needed = needs_recovery(self, &state);
        if is_needed {
            recover_last_commit(self, &mut state)?;
        }
        Ok(is_needed)
    }
}

/// Whether a failed change left anything to recover.
pub(super) fn needs_recovery(store: &Store, state: &WriterState) -> bool {
    state.is_unsettled || store.has_failed()
}

/// Brings the store back to redb's last commit. What cannot be finished now, for lack of disk space, is
/// finished by the next recovery.
pub(super) fn recover_last_commit(
    store: &Store,
    state: &mut WriterState,
) -> Result<(), StoreError> {
    state.is_unsettled = true;
    let index = store.index();
    if store.has_failed() {
        index.metadata.reopen_file()?;
    }
    state.words.roll_back_indexes()?;
    let loaded = load_catalog(&index.metadata, ContentsSource::Rows)?;
    let catalog = Arc::new(loaded.catalog);
    store.replace_snapshot(catalog.clone())?;
    // This writes too, and fails while the disk is full: until then the words of the failed batch stay
    // in the index, where they belong to no document.
    if catalog.damage().is_empty() {
        let words = (&index.words, &mut state.words);
        restore_derived(&index.metadata, words, &index.pictures, &catalog)?;
    }
    store.replace_snapshot(catalog)?;
    state.replaced.clear();
    (state.is_stale, state.is_unsettled) = (false, false);
    Ok(())
}

/// Restores words and pictures to the state of redb.
pub(crate) fn restore_derived(
    metadata: &DatabaseFile,
    (words, writers): (&LexicalIndexes, &mut LexicalWriters),
    pictures: &PictureFolder,
    catalog: &DocumentCatalog,
) -> Result<(), StoreError> {
    writers.recover_indexes(metadata, words, catalog)?;
    remove_unlisted_pictures(metadata, pictures)
}
