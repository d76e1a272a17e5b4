//! The commit that spans the three stores.
//!
//! Order: vectors (written and synced), words (committed under the number of the batch), redb
//! (the point of no return), and last the removal of what was replaced from the words. A process
//! that ends anywhere in between leaves files and words that the next open takes away.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, MutexGuard},
};

use index_format::SegmentInfo;
use redb::{ReadableTable, WriteTransaction};

use super::{
    Catalog, ContentVectors, DocumentRow, ModelRow, NewDocument, SourceRow, Store, StoreError,
    batch::{
        Batch, content_ids, count, document_id, insert_contents, insert_sections, insert_source,
        remove_rows, set_model, write_segment,
    },
    codec,
    collection::Collection,
    figures,
    pictures::PictureHash,
    tables::{DOCUMENT_IDS, SOURCES, version_key},
    vectors,
    words::WordsWriter,
};
use domain::{DocNumber, Version};
use lexical::Committed;

/// What the writer keeps between batches.
pub(super) struct WriterState {
    pub(super) words: WordsWriter,
    /// Batches whose words are replaced but not yet deleted.
    pub(super) replaced: Vec<u64>,
    /// Whether the snapshot that readers have is older than redb.
    pub(super) stale: bool,
    /// Whether a recovery after a failure of redb's file did not come to its end.
    pub(super) unsettled: bool,
}

/// The right to change the store; one at a time.
pub struct Writer<'a> {
    pub(super) store: &'a Store,
    pub(super) state: MutexGuard<'a, WriterState>,
}

impl Drop for Writer<'_> {
    /// Readers get answers again as soon as a failed batch is over.
    fn drop(&mut self) {
        if self.needs_recovery()
            && let Err(error) = self.store.recover(&mut self.state)
        {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "not all is as it was before the disk failed; the next change tries again"
            );
        }
    }
}

impl Writer<'_> {
    /// Takes a document version in, whole, in place of an earlier reading of it. Returns its id.
    ///
    /// `source` is given with the last document of a source: only then is the source known, and
    /// skipped the next time.
    pub fn commit_document(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        self.refresh()?;
        let result = self.try_commit(new, source, model);
        let result = result.map_err(|error| self.roll_words_back(error));
        self.settle_pictures();
        result
    }

    /// What stays of the words of a failed batch must not meet the next one, which will bear the
    /// same number. Returns what says best why the batch failed.
    pub(super) fn roll_words_back(&mut self, error: StoreError) -> StoreError {
        let Err(back) = self.state.words.rollback() else { return error };
        self.state.unsettled = true;
        tracing::error!(
            error = &back as &dyn std::error::Error,
            "words of the failed batch go before the next one"
        );
        // Of a thread that ended, only that it did is known; the disk that ended it does so again
        // here.
        if error.is_of_thread() { back } else { error }
    }

    /// Removes pictures that nothing shows any more, and those of a batch that failed.
    fn settle_pictures(&self) {
        // Where redb's file failed, recovery does it. Readers of an older state may ask for them
        // yet.
        if self.store.metadata.has_failed() || self.state.stale {
            return;
        }
        if let Err(error) = figures::settle_pictures(&self.store.metadata, &self.store.pictures) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "pictures that nothing shows go with the next commit");
        }
    }

    fn needs_recovery(&self) -> bool {
        self.state.unsettled || self.store.metadata.has_failed()
    }

    /// Brings the readers' snapshot to redb's state where an earlier publication or redb's file
    /// failed.
    pub(super) fn refresh(&mut self) -> Result<(), StoreError> {
        if self.needs_recovery() {
            return self.store.recover(&mut self.state);
        }
        if self.state.stale {
            self.store.reload()?;
            self.state.stale = false;
        }
        Ok(())
    }

    /// Shows readers a new state. redb has it already, so a failure is no failure of the commit:
    /// it is made up for before the next one.
    pub(super) fn publish(&mut self, catalog: Arc<Catalog>) {
        if let Err(error) = self.store.publish(catalog) {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "readers still see the state before"
            );
            self.state.stale = true;
        }
    }

    fn try_commit(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut batch = Batch::begin(&txn)?;
        set_model(&txn, model)?;
        let id = document_id(&txn, &mut batch, &new.row)?;
        let replaced = remove_rows(&txn, id)?;
        let contents = content_ids(&txn, &mut batch, new.content_hashes())?;
        let embedded = self.have_vectors_now(&contents, &new.vectors);
        let row = DocumentRow {
            embedded,
            first_passage: batch.next_passage,
            passage_count: count(new.passages.len(), "passages")?,
            section_count: count(new.sections.len(), "sections")?,
            batch: batch.number,
            ..new.row.clone()
        };
        let replaced_pictures = replaced.iter().flat_map(|removed| &removed.pictures).copied();
        let pictures = figures::missing(&txn, &self.store.pictures, &new.figures)?;
        let moved: Vec<PictureHash> =
            pictures.iter().map(|(hash, _)| *hash).chain(replaced_pictures).collect();
        self.store.pictures.unsettle(&moved)?;
        self.store.pictures.write(&pictures)?;
        insert_sections(&txn, id, &new.sections)?;
        let entry = insert_contents(&txn, &mut batch, id, row, new, &contents)?;
        if let Some(source) = source {
            insert_source(&txn, &entry, source)?;
        }
        self.write_vectors(&txn, &new.vectors, &contents, model)?;
        self.state.words.add(&entry, new)?;
        self.commit_words_then(txn, &batch, replaced.map(|removed| removed.batch))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.insert(entry);
        self.publish(Arc::new(catalog));
        Ok(id)
    }

    /// Whether every content of a document has vectors, stored ones or new ones.
    pub(super) fn have_vectors_now(
        &self,
        contents: &HashMap<[u8; 32], u64>,
        vectors: &[ContentVectors],
    ) -> bool {
        let brought: HashSet<&[u8; 32]> = vectors.iter().map(|content| &content.hash).collect();
        let stored = &self.store.snapshot().segments;
        contents.iter().all(|(hash, id)| brought.contains(hash) || stored.contains(*id))
    }

    /// Remembers a source whose documents are in the index already, from another one.
    pub fn note_source(&mut self, hash: &[u8; 32], source: &SourceRow) -> Result<(), StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        txn.open_table(SOURCES)?.insert(hash, codec::encode(source).as_slice())?;
        txn.commit()?;
        self.publish(self.store.snapshot().catalog.clone());
        Ok(())
    }

    /// Takes a document version out. Returns whether it was there.
    pub fn remove_document(
        &mut self,
        number: &DocNumber,
        version: Version,
    ) -> Result<bool, StoreError> {
        self.refresh()?;
        let txn = self.store.metadata.begin_write()?;
        let id = {
            let ids = txn.open_table(DOCUMENT_IDS)?;
            ids.get(version_key(number, version).as_str())?.map(|value| value.value())
        };
        let Some(id) = id else { return Ok(false) };
        let Some(removed) = remove_rows(&txn, id)? else { return Ok(false) };
        let batch = Batch::begin(&txn)?;
        self.store.pictures.unsettle(&removed.pictures)?;
        self.commit_words_then(txn, &batch, Some(removed.batch))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.remove(id);
        self.publish(Arc::new(catalog));
        self.settle_pictures();
        Ok(true)
    }

    /// Commits the words, then redb, then the removal of replaced words.
    pub(super) fn commit_words_then(
        &mut self,
        txn: WriteTransaction,
        batch: &Batch,
        replaces: Option<u64>,
    ) -> Result<(), StoreError> {
        let words = self.state.words.commit(Committed { batch: batch.number, replaces });
        // One of the two indexes may have the batch: its words must not meet the next one, which
        // will bear the same number.
        self.state.unsettled |= words.is_err();
        words?;
        let truth = batch.store(&txn).and_then(|()| Ok(txn.commit()?));
        if let Err(error) = truth {
            // The words of a batch that redb does not have must not meet the next one, which will
            // bear the same number. Where this fails too, the next open does it.
            self.state.words.delete_batch(batch.number);
            let before = Committed { batch: batch.number - 1, replaces: None };
            self.state.unsettled |= self.state.words.commit(before).is_err();
            return Err(error);
        }
        self.state.replaced.extend(replaces);
        if let Err(error) = self.delete_replaced_words(batch.number) {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "replaced words go with the next commit"
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
        self.state.words.commit(Committed { batch, replaces: None })?;
        self.state.replaced.clear();
        Ok(())
    }

    pub(super) fn write_vectors(
        &self,
        txn: &WriteTransaction,
        vectors: &[ContentVectors],
        contents: &HashMap<[u8; 32], u64>,
        model: &ModelRow,
    ) -> Result<(), StoreError> {
        let known = vectors.iter().filter_map(|content| {
            contents.get(&content.hash).map(|id| (*id, content.windows.as_slice()))
        });
        let owned = vectors::flatten(known);
        if owned.is_empty() {
            return Ok(());
        }
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        write_segment(txn, &self.store.folder, Collection::Texts, info, owned.into_iter())
    }
}
