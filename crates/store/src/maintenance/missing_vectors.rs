//! Vectors of the stored model that follow the words: which are missing, and adding them.
//!
//! A document is found by its words as soon as it is committed. Callers that compute vectors ask for missing texts,
//! document by document in any order, and add vectors in separate commits.

use document_model::build_heading_path;
use index_format::SegmentInfo;
use redb::WriteTransaction;

use super::pending_texts::{take_document_texts, take_tdoc_texts};
use crate::{
    ContentVectors, DocumentCatalog, DocumentFilter, LackingVectors, ModelRow, Snapshot,
    StoreError, Writer,
    commit::check_or_store_model,
    tables::{
        codec::Packed,
        definitions::{CONTENT_IDS, DOCUMENTS},
        keys::content_key,
        tdocs::mark_tdocs_embedded,
    },
    vectors::{VectorCollection, segment_files::flatten_windows, segment_list::write_segment},
};
use lexical::ContentSet;

/// How many passages can be found by their vectors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassageCoverage {
    /// Distinct passages.
    pub passages: u64,
    /// Those with vectors.
    pub with_vectors: u64,
}

impl PassageCoverage {
    /// Whether every passage has vectors.
    pub fn is_complete(&self) -> bool {
        self.with_vectors == self.passages
    }
}

/// Hands out the texts of contents without vectors, each once.
#[derive(Debug)]
pub struct MissingVectors {
    /// Contents that have vectors, or were handed out.
    known: ContentSet,
}

impl MissingVectors {
    /// The contents of a snapshot that have no vectors yet.
    pub fn of(snapshot: &Snapshot) -> Self {
        let mut known = ContentSet::default();
        snapshot.segments.contents().for_each(|content| known.insert(content));
        Self { known }
    }

    /// Number of contents without vectors that were not handed out.
    pub fn count(&self, snapshot: &Snapshot) -> u64 {
        snapshot.live.all.iter().filter(|content| !self.known.contains(*content)).count() as u64
    }

    /// The contents of the headings of a document, with the texts to embed: few and short, and enough to find a section
    /// by its meaning.
    pub fn take_heading_texts(
        &mut self,
        snapshot: &Snapshot,
        document: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let Some(entry) = snapshot.catalog().get(document) else { return Ok(Vec::new()) };
        if entry.heading_contents().all(|content| self.known.contains(content)) {
            return Ok(Vec::new());
        }
        let sections = snapshot.documents().section_heads(document)?;
        let mut texts = Vec::new();
        for (ordinal, content) in (0u32..).zip(&entry.contents.headings) {
            if let Some(content) = content.filter(|content| !self.known.contains(*content)) {
                self.known.insert(content);
                texts.push((content, build_heading_path(&sections, ordinal)));
            }
        }
        Ok(texts)
    }

    /// The contents of a document with the texts to embed: context header, line end, passage; heading paths; words of
    /// figures.
    pub fn take_document_texts(
        &mut self,
        snapshot: &Snapshot,
        document: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        take_document_texts(snapshot, document, &mut self.known)
    }

    /// The same for a TDoc, by its key.
    pub fn take_tdoc_texts(
        &mut self,
        snapshot: &Snapshot,
        key: u32,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        take_tdoc_texts(snapshot, key, &mut self.known)
    }
}

impl Snapshot {
    /// How many passages of matching documents have vectors.
    pub fn vector_coverage(&self, filter: &DocumentFilter) -> PassageCoverage {
        let unembedded = self.unembedded_passages();
        let (passages, missing) = if filter.is_unrestricted() {
            (self.live.passages.len(), unembedded.len())
        } else {
            let passages = self.catalog.passage_contents(filter);
            let missing = passages.iter().filter(|content| unembedded.contains(*content));
            (passages.len(), missing.count())
        };
        PassageCoverage { passages: passages as u64, with_vectors: (passages - missing) as u64 }
    }

    /// Whether every passage of matching documents has vectors; quick if nothing is missing.
    pub fn has_all_vectors(&self, filter: &DocumentFilter) -> bool {
        let mut documents = self.catalog.matching_documents(filter);
        documents.all(|entry| entry.row.embedded)
            || self.unembedded_passages().is_empty()
            || self.vector_coverage(filter).is_complete()
    }

    /// What lacks vectors, over all kinds; counted once for a snapshot. Notes that cannot be read are left out.
    pub fn lacking_vectors(&self) -> LackingVectors {
        *self.lacking.get_or_init(|| LackingVectors {
            documents: self.unembedded_documents().count() as u64,
            tdocs: self.unembedded_tdocs().count() as u64,
            notes: self.meetings().count_unembedded_notes().unwrap_or_else(|error| {
                tracing::warn!(%error, "the vectors of decisions cannot be read");
                0
            }),
        })
    }

    /// Documents that lack vectors for some of their contents.
    pub fn unembedded_documents(&self) -> impl Iterator<Item = u32> + '_ {
        self.catalog.document_entries().filter(|entry| !entry.row.embedded).map(|entry| entry.id)
    }

    /// The same for TDocs, by their keys.
    pub fn unembedded_tdocs(&self) -> impl Iterator<Item = u32> + '_ {
        self.catalog.tdoc_entries().filter(|entry| !entry.row.embedded).map(|entry| entry.key)
    }

    fn unembedded_passages(&self) -> &ContentSet {
        self.unembedded.get_or_init(|| {
            let mut embedded = ContentSet::default();
            self.segments.contents().for_each(|content| embedded.insert(content));
            let mut missing = ContentSet::default();
            let passages = self.live.passages.iter();
            passages.filter(|content| !embedded.contains(*content)).for_each(|content| {
                missing.insert(content);
            });
            missing
        })
    }
}

impl Writer<'_> {
    /// Adds vectors of the stored model, for each content one or more windows, and marks the documents that are
    /// complete with them. If no model is stored yet, this one is stored; another one is rejected.
    pub fn add_text_vectors(
        &mut self,
        model: &ModelRow,
        vectors: &[(u64, Vec<Vec<f32>>)],
    ) -> Result<(), StoreError> {
        let mut added = ContentSet::default();
        vectors.iter().for_each(|(content, _)| added.insert(*content));
        let rows = flatten_windows(vectors.iter().map(|(id, windows)| (*id, windows.as_slice())));
        let info = SegmentInfo { dimension: model.dimension, model: model.identity };
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            check_or_store_model(&txn, model)?;
            if !rows.is_empty() {
                let folder = &writer.index.folder;
                write_segment(&txn, folder, VectorCollection::Texts, info, rows.into_iter())?;
            }
            let catalog = mark_complete_documents(&txn, &writer.store.snapshot(), &added)?;
            writer.commit(txn)?;
            writer.publish_catalog(catalog);
            Ok(())
        })
    }
}

impl Writer<'_> {
    /// Adds vectors of the stored model by the hashes of their contents, except contents that have vectors or are
    /// unknown.
    pub fn add_packed_vectors(
        &mut self,
        model: &ModelRow,
        vectors: &[ContentVectors],
    ) -> Result<(), StoreError> {
        let snapshot = self.store.snapshot();
        let mut missing = Vec::new();
        {
            let table = snapshot.metadata.open_table(CONTENT_IDS)?;
            for content in vectors {
                let id = table.get(content_key(&content.hash))?.map(|id| id.value());
                if let Some(id) = id.filter(|id| !snapshot.segments.contains(*id)) {
                    missing.push((id, content.windows.clone()));
                }
            }
        }
        if missing.is_empty() { Ok(()) } else { self.add_text_vectors(model, &missing) }
    }
}

/// Marks the documents and TDocs whose contents all have vectors, with those that are added. Returns the catalog in
/// which they are marked.
fn mark_complete_documents(
    txn: &WriteTransaction,
    snapshot: &Snapshot,
    added: &ContentSet,
) -> Result<DocumentCatalog, StoreError> {
    let mut catalog: DocumentCatalog = (*snapshot.catalog).clone();
    let has_vectors = |content| added.contains(content) || snapshot.segments.contains(content);
    let mut documents = txn.open_table(DOCUMENTS)?;
    for entry in snapshot.catalog.document_entries().filter(|entry| !entry.row.embedded) {
        if entry.contents.ids().all(has_vectors) {
            let mut complete = entry.clone();
            complete.row.embedded = true;
            documents.insert(entry.id, Packed::of(&complete.row))?;
            catalog.insert_document(complete);
        }
    }
    let unembedded = snapshot.catalog.tdoc_entries().filter(|entry| !entry.row.embedded);
    let complete = mark_tdocs_embedded(txn, unembedded, |row| {
        row.passages.iter().all(|(content, _)| has_vectors(*content))
    })?;
    complete.into_iter().for_each(|entry| catalog.insert_tdoc(entry));
    Ok(catalog)
}

#[cfg(test)]
mod tests;
