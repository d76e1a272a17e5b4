//! The one writer, and the commit that spans the three stores.
//!
//! Order: vectors (written and synced), words (committed under the number of the batch), redb
//! (the point of no return), and last the removal of replaced words. What a process leaves that ends
//! anywhere in between, the next open removes; what a failed change leaves, this process removes.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, MutexGuard},
};

use index_format::SegmentInfo;
use redb::WriteTransaction;

use super::{
    batch::CommitBatch,
    commit_count::commit_counted,
    recover::{needs_recovery, recover_last_commit},
};
use crate::{
    ContentVectors, DocumentCatalog, ModelRow, Store, StoreError,
    catalog::CatalogChanges,
    open_index::OpenIndex,
    store::WriterState,
    vectors::{VectorCollection, segment_files::flatten_windows, segment_list::write_segment},
};
use lexical::LexicalCommit;

/// The right to change the store; one at a time.
pub struct Writer<'a> {
    pub(crate) store: &'a Store,
    /// The index that it changes; none takes its place as long as the writer is held.
    pub(crate) index: Arc<OpenIndex>,
    pub(crate) state: MutexGuard<'a, WriterState>,
}

impl Store {
    /// The one writer; waits while another thread holds it.
    pub fn lock_writer(&self) -> Writer<'_> {
        let state = self.writer.lock().unwrap_or_else(|poisoned| self.adopt_writer(poisoned));
        Writer { store: self, index: self.index(), state }
    }
}

impl Writer<'_> {
    /// Makes one change of the store. Recovers first if an earlier change left something to recover; if this one
    /// fails, brings the store back to its last commit before it returns the error, so that readers get answers again
    /// at once.
    pub(crate) fn make_change<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // The request that a change belongs to may be cancelled, but a change that has begun is always completed.
        cost_meter::run_shared(|| self.make_whole_change(change))
    }

    fn make_whole_change<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if needs_recovery(self.store, &self.state) {
            recover_last_commit(self.store, &mut self.state)?;
        } else if self.state.is_stale {
            self.store.reload_catalog()?;
            self.state.is_stale = false;
        }
        self.store.check_undamaged()?;
        let result = change(self);
        if needs_recovery(self.store, &self.state)
            && let Err(error) = recover_last_commit(self.store, &mut self.state)
        {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "recovery is incomplete; the next change will retry");
        }
        result
    }

    /// A change that adds words to the indexes, which are rolled back if it fails.
    pub(crate) fn make_batch<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.make_change(|writer| {
            // Only the last commit of the words records which batch it replaced, so that batch is removed before the
            // next commit. Without this, 3 of 115 runs of `tests/full_disk.rs` left words of a replaced version in
            // the index permanently.
            let batch = writer.store.snapshot().batch;
            let result = writer.delete_replaced_words(batch).and_then(|()| change(writer));
            result.map_err(|error| writer.roll_back_words(error))
        })
    }

    /// Rolls back the words of a failed batch: they must not mix with those of the next one, which has
    /// the same number. Returns the error that best explains why the batch failed.
    fn roll_back_words(&mut self, error: StoreError) -> StoreError {
        // The error of a thread says only that it ended; its cause is more useful.
        let cause = error.is_thread_failure().then(|| self.state.words.thread_failure()).flatten();
        let error = cause.unwrap_or(error);
        let Err(rollback_error) = self.state.words.roll_back_indexes() else { return error };
        self.state.is_unsettled = true;
        tracing::error!(
            error = &rollback_error as &dyn std::error::Error,
            "the words of the failed batch will be removed before the next batch"
        );
        // The error of a thread says only that it ended; the rollback failed for the cause itself.
        if error.is_thread_failure() { rollback_error } else { error }
    }

    /// Commits a change of redb, which makes it durable.
    pub(crate) fn commit(&self, txn: WriteTransaction) -> Result<(), StoreError> {
        commit_counted(&self.index.folder, txn)
    }

    /// Commits a change of redb alone, which does not change the catalog, and publishes it.
    pub(crate) fn commit_metadata(&mut self, txn: WriteTransaction) -> Result<(), StoreError> {
        self.commit(txn)?;
        self.publish(self.store.snapshot().catalog().clone(), &CatalogChanges::default());
        Ok(())
    }

    /// Publishes a changed copy of the last catalog to readers.
    pub(crate) fn publish_catalog(&mut self, mut catalog: DocumentCatalog) {
        let changes = catalog.take_changes();
        self.publish(Arc::new(catalog), &changes);
    }

    /// Publishes a new state to readers. redb has it already, so a failure here does not fail the commit:
    /// the next change publishes first.
    fn publish(&mut self, catalog: Arc<DocumentCatalog>, changes: &CatalogChanges) {
        if let Err(error) = self.store.publish_next(catalog, changes) {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "readers still see the previous state"
            );
            self.state.is_stale = true;
        }
    }

    /// Whether every content of a document has vectors, stored ones or new ones.
    pub(crate) fn all_have_vectors(
        &self,
        contents: &HashMap<[u8; 32], u64>,
        vectors: &[ContentVectors],
    ) -> bool {
        let new_hashes: HashSet<&[u8; 32]> = vectors.iter().map(|content| &content.hash).collect();
        let stored = &self.store.snapshot().segments;
        contents.iter().all(|(hash, id)| new_hashes.contains(hash) || stored.contains(*id))
    }

    /// Commits the words, then redb, then the removal of replaced words.
    pub(crate) fn commit_lexical_and_metadata(
        &mut self,
        txn: WriteTransaction,
        batch: &CommitBatch,
        replaces: Option<u64>,
    ) -> Result<(), StoreError> {
        let batches = batch.number - batch.first + 1;
        let commit = LexicalCommit { batch: batch.number, batches, replaces };
        let words = self.state.words.commit_indexes(commit);
        // Some of the indexes may have the batch: its words must not mix with those of the next one,
        // which has the same number.
        self.state.is_unsettled |= words.is_err();
        words?;
        let truth = batch.store_counters(&txn).and_then(|()| self.commit(txn));
        if let Err(error) = truth {
            // The words of a batch that redb does not have must not mix with those of the next one, which has the
            // same number. If this fails too, the next recovery or open does it.
            (batch.first..=batch.number).for_each(|batch| self.state.words.delete_batch(batch));
            let before = LexicalCommit { batch: batch.first - 1, batches: 1, replaces: None };
            self.state.is_unsettled |= self.state.words.commit_indexes(before).is_err();
            return Err(error);
        }
        self.state.replaced.extend(replaces);
        if let Err(error) = self.delete_replaced_words(batch.number) {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "replaced words are removed before the next change"
            );
        }
        Ok(())
    }

    fn delete_replaced_words(&mut self, batch: u64) -> Result<(), StoreError> {
        if self.state.replaced.is_empty() {
            return Ok(());
        }
        for old in &self.state.replaced {
            self.state.words.delete_batch(*old);
        }
        self.state.words.commit_indexes(LexicalCommit { batch, batches: 1, replaces: None })?;
        self.state.replaced.clear();
        Ok(())
    }

    /// Writes the vectors of contents that have none yet into a segment file and lists it.
    pub(crate) fn write_vectors(
        &self,
        txn: &WriteTransaction,
        vectors: &[&ContentVectors],
        contents: &HashMap<[u8; 32], u64>,
        model: &ModelRow,
    ) -> Result<(), StoreError> {
        let snapshot = self.store.snapshot();
        let mut seen = HashSet::new();
        let known = vectors.iter().filter_map(|content| {
            let id = *contents.get(&content.hash)?;
            let is_new = seen.insert(id) && !snapshot.segments.contains(id);
            is_new.then_some((id, content.windows.as_slice()))
        });
        let owned = flatten_windows(known);
        if owned.is_empty() {
            return Ok(());
        }
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        write_segment(txn, &self.index.folder, VectorCollection::Texts, info, owned.into_iter())
    }
}
