//! A snapshot, and how one is opened.

use std::sync::{Arc, OnceLock};

use redb::ReadTransaction;

use super::{
    filter_cache::FilterCache, lacking_vectors::LackingVectors, live_contents::LiveContents,
};
use crate::{
    DocumentCatalog, DocumentFilter, StoreError,
    catalog::CatalogChanges,
    open_index::OpenIndex,
    tables::definitions::{BATCH, COUNTERS},
    vectors::{
        SegmentSet, VectorCollection,
        segment_list::{read_listed_segments, read_model},
    },
    words::LexicalSearchers,
};
use lexical::ContentSet;

/// An immutable view of the store. Documents, contents, figures, TDocs, meetings and terms each have a
/// reader.
pub struct Snapshot {
    pub(crate) metadata: ReadTransaction,
    pub(crate) searcher: LexicalSearchers,
    /// Vectors of texts.
    pub(crate) segments: SegmentSet,
    /// Vectors of pictures.
    pub(crate) pictures: SegmentSet,
    pub(crate) catalog: Arc<DocumentCatalog>,
    pub(crate) live: LiveContents,
    /// Last committed batch.
    pub(crate) batch: u64,
    /// Rows of the vectors of passages that filters allow.
    pub(crate) filters: FilterCache,
    /// The same for headings.
    pub(crate) heading_filters: FilterCache,
    /// The same for figures.
    pub(crate) figure_filters: FilterCache,
    /// The same for the pictures of figures.
    pub(crate) picture_filters: FilterCache,
    /// The rows of all documents of meetings.
    pub(crate) tdoc_rows: FilterCache,
    /// Contents of passages that have no vectors yet.
    pub(crate) unembedded: OnceLock<ContentSet>,
    /// What lacks vectors, once it was requested: counting reads the whole catalog.
    pub(crate) lacking: OnceLock<LackingVectors>,
    /// Open as long as somebody reads it, also where another index took its place.
    index: Arc<OpenIndex>,
}

impl Snapshot {
    /// The last commit of all three stores.
    pub(crate) fn open(
        index: &Arc<OpenIndex>,
        catalog: Arc<DocumentCatalog>,
    ) -> Result<Self, StoreError> {
        let live = LiveContents::of(&catalog);
        let none = SegmentSet::default();
        Self::read(index, catalog, (&none, &none), |_| Ok(live))
    }

    /// The last commit, which made `changes` to this snapshot. It costs what the changes do, and not what all documents would.
    pub(crate) fn open_next(
        &self,
        catalog: Arc<DocumentCatalog>,
        changes: &CatalogChanges,
    ) -> Result<Self, StoreError> {
        let open = (&self.segments, &self.pictures);
        let live = |txn: &ReadTransaction| self.live.after(changes, txn);
        let mut next = Self::read(&self.index, catalog, open, live)?;
        #[cfg(test)]
        assert!(
            next.live == LiveContents::of(&next.catalog),
            "the changes do not give what there is"
        );
        let keeps = |filter: &DocumentFilter| !changes.concern(filter);
        next.filters = self.filters.retained(&next.segments, keeps);
        next.heading_filters = self.heading_filters.retained(&next.segments, keeps);
        next.figure_filters = self.figure_filters.retained(&next.segments, keeps);
        next.picture_filters = self.picture_filters.retained(&next.pictures, keeps);
        let has_same_tdocs = changes.of_tdoc_contents().next().is_none();
        next.tdoc_rows = self.tdoc_rows.retained(&next.segments, |_| has_same_tdocs);
        Ok(next)
    }

    fn read(
        index: &Arc<OpenIndex>,
        catalog: Arc<DocumentCatalog>,
        (open_texts, open_pictures): (&SegmentSet, &SegmentSet),
        live: impl FnOnce(&ReadTransaction) -> Result<LiveContents, StoreError>,
    ) -> Result<Self, StoreError> {
        let OpenIndex { folder, metadata, words, .. } = &**index;
        let open_segments = |collection: VectorCollection, open: &SegmentSet| {
            let model = read_model(metadata, collection.model_key())?;
            let listed = read_listed_segments(metadata, collection.segment_table())?;
            SegmentSet::open(&collection.vector_folder(folder), &listed, model.as_ref(), open)
        };
        let segments = open_segments(VectorCollection::Texts, open_texts)?;
        let pictures = open_segments(VectorCollection::Pictures, open_pictures)?;
        let txn = metadata.begin_read()?;
        let batch = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
        let live = live(&txn)?;
        let searcher = words.reload_searchers()?;
        let (filters, heading_filters, figure_filters, picture_filters, tdoc_rows) =
            Default::default();
        Ok(Self {
            metadata: txn,
            searcher,
            segments,
            pictures,
            catalog,
            live,
            batch,
            filters,
            heading_filters,
            figure_filters,
            picture_filters,
            tdoc_rows,
            unembedded: OnceLock::new(),
            lacking: OnceLock::new(),
            index: index.clone(),
        })
    }

    /// Whether it is of an index.
    pub(crate) fn is_of(&self, index: &Arc<OpenIndex>) -> bool {
        Arc::ptr_eq(&self.index, index)
    }

    /// The documents.
    pub fn catalog(&self) -> &Arc<DocumentCatalog> {
        &self.catalog
    }

    /// Number of distinct contents that the documents carry, in passages and figures.
    pub fn content_count(&self) -> u64 {
        self.live.all.len() as u64
    }

    /// Number of the last committed batch; changes with every change of the documents.
    pub fn batch_number(&self) -> u64 {
        self.batch
    }

    /// Changes with every change of the documents, and when one of them gets the last of its vectors.
    pub fn documents_stamp(&self) -> (u64, usize) {
        (self.batch, self.unembedded_documents().count())
    }

    /// The open files of a collection of vectors.
    pub(crate) fn open_segments(&self, collection: VectorCollection) -> &SegmentSet {
        match collection {
            VectorCollection::Texts => &self.segments,
            VectorCollection::Pictures => &self.pictures,
        }
    }

    /// The contents that some document of the catalog carries, counted anew: rows of others are deleted, and the sets that follow
    /// each commit depend on tables that nothing else checks.
    pub(crate) fn carried_contents(&self, collection: VectorCollection) -> ContentSet {
        match collection {
            VectorCollection::Texts => self.catalog.live_contents(),
            VectorCollection::Pictures => self.catalog.figure_contents(&DocumentFilter::default()),
        }
    }

    /// The contents whose rows in a collection are live.
    pub(crate) fn live_contents(&self, collection: VectorCollection) -> &ContentSet {
        match collection {
            VectorCollection::Texts => &self.live.all,
            VectorCollection::Pictures => &self.live.figures,
        }
    }
}
