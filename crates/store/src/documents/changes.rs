//! Changing documents: a version is committed whole, or removed.

use std::collections::{HashMap, HashSet};

use redb::{ReadableTable, WriteTransaction};

use super::rows::{
    assign_document_id, insert_contents, insert_sections, insert_source, remove_document_rows,
};
use crate::{
    DocumentEntry, DocumentRow, JournalEntry, ModelRow, NewDocument, PictureHash, SourceRow,
    StoreError, Writer,
    commit::{CommitBatch, assign_content_ids, check_or_store_model, checked_count},
    journal::write_entry,
    picture_folder::{find_missing_pictures, record_drawings, remove_unlisted_pictures},
    tables::{
        codec::Packed,
        definitions::{DOCUMENT_IDS, SOURCES},
        keys::version_key,
    },
};
use domain::{DocNumber, Version};

/// A document version to be committed, and the source that is complete with it.
#[derive(Debug, Clone, Copy)]
pub struct DocumentCommit<'a> {
    /// The document.
    pub new: &'a NewDocument,
    /// The source, given with its last document: only then is it recorded, and skipped the next time.
    pub source: Option<&'a SourceRow>,
    /// Minimum id of its first passage; a restored document keeps its id.
    pub first_passage: u64,
}

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
        let commits = [DocumentCommit { new, source, first_passage: 0 }];
        Ok(self.commit_documents(&commits, model)?[0])
    }

    /// Commits several document versions in their order, in as few commits as possible. Returns their ids.
    pub fn commit_documents(
        &mut self,
        commits: &[DocumentCommit<'_>],
        model: &ModelRow,
    ) -> Result<Vec<u32>, StoreError> {
        let mut ids = Vec::with_capacity(commits.len());
        let mut rest = commits;
        while !rest.is_empty() {
            let (group, later) = rest.split_at(self.count_committable(rest));
            let result = self.make_batch(|writer| writer.try_commit_documents(group, model));
            self.remove_unlisted_pictures();
            ids.extend(result?);
            rest = later;
        }
        Ok(ids)
    }

    /// How many of these documents, from the first, can be committed at once: a commit replaces the words of one batch
    /// at most.
    fn count_committable(&self, commits: &[DocumentCommit<'_>]) -> usize {
        let snapshot = self.store.snapshot();
        let mut versions = HashSet::new();
        let mut is_new = |new: &NewDocument| {
            snapshot.catalog.find_version(&new.row.number, new.row.version).is_none()
                && versions.insert((new.row.number.clone(), new.row.version))
        };
        commits.iter().take_while(|commit| is_new(commit.new)).count().max(1)
    }

    /// Records a source whose documents are in the index already, from another source.
    pub fn record_source(&mut self, hash: &[u8; 32], source: &SourceRow) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            txn.open_table(SOURCES)?.insert(hash, Packed::of(source))?;
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

    fn try_commit_documents(
        &mut self,
        commits: &[DocumentCommit<'_>],
        model: &ModelRow,
    ) -> Result<Vec<u32>, StoreError> {
        let txn = self.index.metadata.begin_write()?;
        let mut batch = CommitBatch::begin(&txn)?;
        check_or_store_model(&txn, model)?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        let (mut ids, mut replaces) = (Vec::with_capacity(commits.len()), None);
        let (mut vectors, mut contents) = (Vec::new(), HashMap::new());
        for (index, commit) in commits.iter().enumerate() {
            batch.number = batch.first + index as u64;
            let (entry, replaced) =
                self.insert_document(&txn, &mut batch, commit, &mut contents)?;
            vectors.extend(&commit.new.vectors);
            replaces = replaces.or(replaced);
            ids.push(entry.id);
            catalog.insert_document(entry);
        }
        self.write_vectors(&txn, &vectors, &contents, model)?;
        self.commit_lexical_and_metadata(txn, &batch, replaces)?;
        self.publish_catalog(catalog);
        Ok(ids)
    }

    /// Writes a document into a transaction and adds its words. Returns its entry, and the batch whose words it
    /// replaces; adds the ids of its contents to `contents`.
    fn insert_document(
        &mut self,
        txn: &WriteTransaction,
        batch: &mut CommitBatch,
        commit: &DocumentCommit<'_>,
        contents: &mut HashMap<[u8; 32], u64>,
    ) -> Result<(DocumentEntry, Option<u64>), StoreError> {
        let new = commit.new;
        batch.next_passage = batch.next_passage.max(commit.first_passage);
        let id = assign_document_id(txn, batch, &new.row)?;
        let replaced = remove_document_rows(txn, id)?;
        let own_contents = assign_content_ids(txn, batch, new.content_hashes())?;
        let embedded = self.all_have_vectors(&own_contents, &new.vectors);
        let row = DocumentRow {
            embedded,
            first_passage: batch.next_passage,
            passage_count: checked_count(new.passages.len(), "passages")?,
            section_count: checked_count(new.sections.len(), "sections")?,
            batch: batch.number,
            ..new.row.clone()
        };
        self.write_pictures(txn, new, replaced.as_ref().map(|removed| &removed.pictures[..]))?;
        insert_sections(txn, id, new)?;
        let entry = insert_contents(txn, batch, id, row, new, &own_contents)?;
        if let Some(source) = commit.source {
            insert_source(txn, &entry, source)?;
        }
        write_entry(txn, &JournalEntry::Document { id, is_new: replaced.is_none() })?;
        self.state.words.add_document(&entry, new)?;
        contents.extend(own_contents);
        Ok((entry, replaced.map(|removed| removed.batch)))
    }

    /// Writes the pictures of a document that are not there yet, before the commit that lists them.
    fn write_pictures(
        &self,
        txn: &WriteTransaction,
        new: &NewDocument,
        replaced: Option<&[PictureHash]>,
    ) -> Result<(), StoreError> {
        let pictures = find_missing_pictures(txn, &self.index.pictures, new.pictures())?;
        let replaced = replaced.unwrap_or_default().iter().copied();
        let unsettled: Vec<PictureHash> =
            pictures.iter().map(|picture| picture.hash).chain(replaced).collect();
        self.index.pictures.record_unsettled(&unsettled)?;
        self.index.pictures.write_pictures(&pictures)?;
        record_drawings(txn, &pictures, new.pictures())
    }

    fn try_remove_document(
        &mut self,
        number: &DocNumber,
        version: Version,
    ) -> Result<bool, StoreError> {
        let txn = self.index.metadata.begin_write()?;
        let id = {
            let ids = txn.open_table(DOCUMENT_IDS)?;
            ids.get(version_key(number, version).as_str())?.map(|value| value.value())
        };
        let Some(id) = id else { return Ok(false) };
        let Some(removed) = remove_document_rows(&txn, id)? else { return Ok(false) };
        let batch = CommitBatch::begin(&txn)?;
        self.index.pictures.record_unsettled(&removed.pictures)?;
        self.commit_lexical_and_metadata(txn, &batch, Some(removed.batch))?;
        let mut catalog = (*self.store.snapshot().catalog).clone();
        catalog.remove_document(id);
        self.publish_catalog(catalog);
        Ok(true)
    }

    /// Removes pictures that no figure shows any more, and those of a batch that failed.
    fn remove_unlisted_pictures(&self) {
        // If redb's file failed, recovery removes them. Readers of an older state may still need them.
        if self.store.has_failed() || self.state.is_stale {
            return;
        }
        if let Err(error) = remove_unlisted_pictures(&self.index.metadata, &self.index.pictures) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "unused pictures will be removed with the next commit");
        }
    }
}
