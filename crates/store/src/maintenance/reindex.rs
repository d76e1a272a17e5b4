//! Vectors of another model, computed beside the stored ones, which they replace at the end.
//!
//! Until the switch, readers see the old vectors only. New vectors are committed continuously, so that an interrupted
//! run resumes where it stopped; documents that were added or removed meanwhile are checked at the switch.

use index_format::SegmentInfo;
use redb::{ReadableTable, WriteTransaction};

use crate::{
    DocumentCatalog, DocumentFilter, DocumentRow, ModelRow, Snapshot, StoreError, Writer,
    maintenance::pending_texts::{take_document_texts, take_tdoc_texts},
    tables::{
        codec::Packed,
        definitions::{DOCUMENTS, MODELS, NEXT_SEGMENTS, NEXT_TEXT_MODEL, SEGMENTS, TEXT_MODEL},
        segments::SegmentRow,
        tdocs::mark_tdocs_embedded,
    },
    vectors::{
        SegmentSet,
        segment_files::{flatten_windows, remove_segment_files},
        segment_list::{read_segment_rows, write_segment_in},
    },
};
use lexical::ContentSet;

/// A reindexing in progress.
#[derive(Debug)]
pub struct Reindex {
    model: ModelRow,
    /// Contents whose new vectors are stored.
    done: ContentSet,
    /// Those, and the ones that were handed out to be embedded.
    handed_out: ContentSet,
}

impl Reindex {
    fn for_model(model: &ModelRow, done: ContentSet) -> Self {
        Self { model: model.clone(), handed_out: done.clone(), done }
    }

    /// The contents that readers see and that have no vector of the new model yet.
    pub fn pending_count(&self, snapshot: &Snapshot) -> u64 {
        let live = snapshot.live.all.iter();
        live.filter(|content| !self.done.contains(*content)).count() as u64
    }

    /// The contents of a document that have no vector of the new model yet and were not handed
    /// out before, with the text to embed: context header, line end, passage or words of a figure.
    pub fn take_pending_texts(
        &mut self,
        snapshot: &Snapshot,
        document: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        take_document_texts(snapshot, document, &mut self.handed_out)
    }

    /// The same for a TDoc, by its key.
    pub fn take_pending_tdoc_texts(
        &mut self,
        snapshot: &Snapshot,
        key: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        take_tdoc_texts(snapshot, key, &mut self.handed_out)
    }
}

impl Writer<'_> {
    /// Begins a reindexing, or resumes the one that was begun for the same model. One that was begun
    /// for another model is discarded.
    pub fn begin_reindex(&mut self, model: &ModelRow) -> Result<Reindex, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let folder = writer.index.folder.text_vectors_folder();
            let mut done = ContentSet::default();
            if read_next_model(&txn)?.as_ref() == Some(model) {
                let listed = read_segment_rows(&txn.open_table(NEXT_SEGMENTS)?)?;
                for segment in
                    SegmentSet::open(&folder, &listed, Some(model), &SegmentSet::default())?.iter()
                {
                    let rows = 0..segment.row_count();
                    let contents = rows.filter_map(|row| segment.content_id(row));
                    contents.for_each(|content| done.insert(content));
                }
                return Ok(Reindex::for_model(model, done));
            }
            let discarded = clear_next_segments(&txn)?;
            txn.open_table(MODELS)?.insert(NEXT_TEXT_MODEL, Packed::of(model))?;
            writer.commit(txn)?;
            remove_segment_files(&folder, &discarded)?;
            Ok(Reindex::for_model(model, done))
        })
    }

    /// Stores vectors of the new model, for each content one or more windows; a run that resumes after this does not
    /// compute them again.
    pub fn add_reindexed_vectors(
        &mut self,
        reindex: &mut Reindex,
        vectors: &[(u64, Vec<Vec<f32>>)],
    ) -> Result<(), StoreError> {
        let windows = vectors.iter().map(|(id, windows)| (*id, windows.as_slice()));
        let rows = flatten_windows(windows);
        if rows.is_empty() {
            return Ok(());
        }
        let model = &reindex.model;
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let folder = writer.index.folder.text_vectors_folder();
            write_segment_in(&txn, NEXT_SEGMENTS, &folder, info, rows.into_iter())?;
            writer.commit(txn)?;
            Ok(())
        })?;
        vectors.iter().for_each(|(content, _)| reindex.done.insert(*content));
        Ok(())
    }

    /// Replaces the old vectors by the new ones, in one commit. Returns whether it did: it does not
    /// while contents still lack a vector.
    pub fn finish_reindex(&mut self, reindex: &Reindex) -> Result<bool, StoreError> {
        self.make_change(|writer| {
            let snapshot = writer.store.snapshot();
            if reindex.pending_count(&snapshot) > 0 {
                return Ok(false);
            }
            let txn = writer.index.metadata.begin_write()?;
            let old = read_segment_rows(&txn.open_table(SEGMENTS)?)?;
            switch_segments(&txn)?;
            {
                let mut models = txn.open_table(MODELS)?;
                models.remove(NEXT_TEXT_MODEL)?;
                models.insert(TEXT_MODEL, Packed::of(&reindex.model))?;
            }
            mark_documents_embedded(&txn, snapshot.catalog())?;
            writer.commit(txn)?;
            drop(snapshot);
            writer.store.reload_catalog()?;
            remove_segment_files(&writer.index.folder.text_vectors_folder(), &old)?;
            Ok(true)
        })
    }
}

fn read_next_model(txn: &WriteTransaction) -> Result<Option<ModelRow>, StoreError> {
    let models = txn.open_table(MODELS)?;
    models.get(NEXT_TEXT_MODEL)?.map(|value| value.value().decode("model")).transpose()
}

/// Empties the list of new segments; returns what was on it.
fn clear_next_segments(txn: &WriteTransaction) -> Result<Vec<SegmentRow>, StoreError> {
    let mut table = txn.open_table(NEXT_SEGMENTS)?;
    let listed = read_segment_rows(&table)?;
    table.retain(|_, _| false)?;
    Ok(listed)
}

fn switch_segments(txn: &WriteTransaction) -> Result<(), StoreError> {
    let mut next = txn.open_table(NEXT_SEGMENTS)?;
    let mut current = txn.open_table(SEGMENTS)?;
    current.retain(|_, _| false)?;
    for entry in next.iter()? {
        let (key, row) = entry?;
        current.insert(key.value(), row.value())?;
    }
    next.retain(|_, _| false)?;
    Ok(())
}

/// Marks every document embedded, including those committed without vectors.
fn mark_documents_embedded(
    txn: &WriteTransaction,
    catalog: &DocumentCatalog,
) -> Result<(), StoreError> {
    let mut documents = txn.open_table(DOCUMENTS)?;
    for entry in
        catalog.matching_documents(&DocumentFilter::default()).filter(|entry| !entry.row.embedded)
    {
        let row = DocumentRow { embedded: true, ..entry.row.clone() };
        documents.insert(entry.id, Packed::of(&row))?;
    }
    mark_tdocs_embedded(txn, catalog.tdoc_entries(), |_| true)?;
    Ok(())
}

#[cfg(test)]
mod tests;
