//! A snapshot, and how one is opened.

use std::sync::{Arc, OnceLock};

use redb::ReadTransaction;

use super::{filter_cache::FilterCache, lacking_vectors::LackingVectors};
use crate::{
    DocumentCatalog, DocumentFilter, StoreError,
    open_index::OpenIndex,
    tables::definitions::{BATCH, COUNTERS},
    vectors::{
        AllowedRows, SegmentSet, VectorCollection,
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
    pub(crate) tdoc_rows: OnceLock<Vec<AllowedRows>>,
    /// Contents of passages that have no vectors yet.
    pub(crate) unembedded: OnceLock<ContentSet>,
    /// What lacks vectors, once it was requested: counting reads the whole catalog.
    pub(crate) lacking: OnceLock<LackingVectors>,
    /// Open as long as somebody reads it, even if another index has replaced it.
    _index: Arc<OpenIndex>,
}

/// Contents that some document carries.
pub(crate) struct LiveContents {
    pub(crate) all: ContentSet,
    /// Those of passages.
    pub(crate) passages: ContentSet,
    /// Those of headings.
    pub(crate) headings: ContentSet,
    /// Those of figures.
    pub(crate) figures: ContentSet,
    /// Those of documents of meetings.
    pub(crate) tdocs: ContentSet,
}

impl Snapshot {
    /// The last commit of all three stores.
    pub(crate) fn open(
        index: &Arc<OpenIndex>,
        catalog: Arc<DocumentCatalog>,
    ) -> Result<Self, StoreError> {
        let OpenIndex { folder, metadata, words, .. } = &**index;
        let open_segments = |collection: VectorCollection| {
            let model = read_model(metadata, collection.model_key())?;
            let listed = read_listed_segments(metadata, collection.segment_table())?;
            SegmentSet::open(&collection.vector_folder(folder), &listed, model.as_ref())
        };
        let (segments, pictures) =
            (open_segments(VectorCollection::Texts)?, open_segments(VectorCollection::Pictures)?);
        let txn = metadata.begin_read()?;
        let batch = txn.open_table(COUNTERS)?.get(BATCH)?.map_or(0, |value| value.value());
        let everything = DocumentFilter::default();
        let live = LiveContents {
            all: catalog.live_contents(),
            passages: catalog.passage_contents(&everything),
            headings: catalog.heading_contents(&everything),
            figures: catalog.figure_contents(&everything),
            tdocs: catalog.tdoc_contents(),
        };
        let (filters, heading_filters, figure_filters, picture_filters) = Default::default();
        let searcher = words.reload_searchers()?;
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
            tdoc_rows: OnceLock::new(),
            unembedded: OnceLock::new(),
            lacking: OnceLock::new(),
            _index: index.clone(),
        })
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

    /// The contents whose rows in a collection are live.
    pub(crate) fn live_contents(&self, collection: VectorCollection) -> &ContentSet {
        match collection {
            VectorCollection::Texts => &self.live.all,
            VectorCollection::Pictures => &self.live.figures,
        }
    }
}
