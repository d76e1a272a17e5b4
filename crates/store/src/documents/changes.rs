//! Changing documents: a version is committed whole, or removed.

use std::sync::Arc;

use redb::ReadableTable;

use super::rows::{
    assign_document_id, insert_contents, insert_sections, insert_source, remove_document_rows,
};
use crate::{
    DocumentRow, ModelRow, NewDocument, PictureHash, SourceRow, StoreError, Writer,
    commit::{CommitBatch, assign_content_ids, check_or_store_model, checked_count},
    journal::{JournalEntry, write_entry},
    picture_folder::{find_missing_pictures, remove_unlisted_pictures},
    tables::{
        codec,
        definitions::{DOCUMENT_IDS, SOURCES},
        keys::version_key,
    },
};
use domain::{DocNumber, Version};

impl Writer<'_> {
    /// Commits a document version, whole, in place of an earlier reading of it. Returns its id.
    ///
    /// `source` is given with the last document of a source: only then is the source recorded, and
    /// skipped the next time.
    pub fn commit_document(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        let result = self.make_batch(|writer| writer.try_commit_document(new, source, model));
        self.remove_unlisted_pictures();
        result
    }

    /// Records a source whose documents are in the index already, from another source.
    pub fn record_source(&mut self, hash: &[u8; 32], source: &SourceRow) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.store.metadata.begin_write()?;
            txn.open_table(SOURCES)?.insert(hash, codec::encode(source).as_slice())?;
            writer.commit_metadata(txn)
        })
    }

    /// Removes a document version. Returns whether it was there.
    pub fn remove_document(
        &mut self,
        number: &DocNumber,
        version: Version,
    ) -> Result<bool, StoreError> {
        let was_there = self.make_change(|writer| writer.try_remove_document(number, version))?;
        if was_there {
            self.remove_unlisted_pictures();
        }
        Ok(was_there)
    }

    fn try_commit_document(
        &mut self,
        new: &NewDocument,
        source: Option<&SourceRow>,
        model: &ModelRow,
    ) -> Result<u32, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let mut batch = CommitBatch::begin(&txn)?;
        check_or_store_model(&txn, model)?;
        let id = assign_document_id(&txn, &mut batch, &new.row)?;
        let replaced = remove_document_rows(&txn, id)?;
        let contents = assign_content_ids(&txn, &mut batch, new.content_hashes())?;
        let embedded = self.all_have_vectors(&contents, &new.vectors);
        let row = DocumentRow {
            embedded,
            first_passage: batch.next_passage,
            passage_count: checked_count(new.passages.len(), "passages")?,
            section_count: checked_count(new.sections.len(), "sections")?,
            batch: batch.number,
            ..new.row.clone()
        };
        let replaced_pictures = replaced.iter().flat_map(|removed| &removed.pictures).copied();
        let pictures = find_missing_pictures(&txn, &self.store.pictures, new.pictures())?;
        let unsettled: Vec<PictureHash> =
            pictures.iter().map(|picture| picture.hash).chain(replaced_pictures).collect();
        self.store.pictures.record_unsettled(&unsettled)?;
        self.store.pictures.write_pictures(&pictures)?;
        insert_sections(&txn, id, &new.row.number, &new.sections)?;
        let entry = insert_contents(&txn, &mut batch, id, row, new, &contents)?;
        if let Some(source) = source {
            insert_source(&txn, &entry, source)?;
        }
        self.write_vectors(&txn, &new.vectors, &contents, model)?;
        write_entry(&txn, &JournalEntry::Document { id, is_new: replaced.is_none() })?;
        self.state.words.add_document(&entry, new)?;
        self.commit_lexical_and_metadata(txn, &batch, replaced.map(|removed| removed.batch))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.insert_document(entry);
        self.publish_snapshot(Arc::new(catalog));
        Ok(id)
    }

    fn try_remove_document(
        &mut self,
        number: &DocNumber,
        version: Version,
    ) -> Result<bool, StoreError> {
        let txn = self.store.metadata.begin_write()?;
        let id = {
            let ids = txn.open_table(DOCUMENT_IDS)?;
            ids.get(version_key(number, version).as_str())?.map(|value| value.value())
        };
        let Some(id) = id else { return Ok(false) };
        let Some(removed) = remove_document_rows(&txn, id)? else { return Ok(false) };
        let batch = CommitBatch::begin(&txn)?;
        self.store.pictures.record_unsettled(&removed.pictures)?;
        self.commit_lexical_and_metadata(txn, &batch, Some(removed.batch))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.remove_document(id);
        self.publish_snapshot(Arc::new(catalog));
        Ok(true)
    }

    /// Removes pictures that no figure shows any more, and those of a batch that failed.
    fn remove_unlisted_pictures(&self) {
        // Where redb's file failed, recovery does it. Readers of an older state may still need them.
        if self.store.has_failed() || self.state.is_stale {
            return;
        }
        if let Err(error) = remove_unlisted_pictures(&self.store.metadata, &self.store.pictures) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "pictures that nothing shows are removed with the next commit");
        }
    }
}
