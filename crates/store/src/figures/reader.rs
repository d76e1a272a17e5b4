//! Reading figures: their rows and words, and searches by words, vectors and pictures.

use std::{borrow::Cow, collections::HashSet};

use redb::ReadableMultimapTable;

use crate::{
    DocumentCatalog, DocumentEntry, DocumentFilter, FigureKey, FigureRow, FigureWords, ModelRow,
    PictureHash, SectionHead, Snapshot, StoreError, VectorHit,
    tables::{
        definitions::{CONTENT_FIGURES, FIGURE_WORDS, FIGURES, MODELS, PICTURE_MODEL, PICTURES},
        keys::unpack_key,
    },
};
use document_model::build_context_header;
use lexical::{ContentSet, LexicalHit, LexicalQuery, LexicalScope};

/// Figures of a snapshot, their words and the vectors of their pictures.
#[derive(Clone, Copy)]
pub struct FigureReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Figures.
    pub fn figures(&self) -> FigureReader<'_> {
        FigureReader { snapshot: self }
    }
}

impl<'a> FigureReader<'a> {
    /// The snapshot that is read.
    pub(super) fn snapshot(self) -> &'a Snapshot {
        self.snapshot
    }

    /// The pictures that some documents show, each once.
    pub fn pictures_of(self, documents: &HashSet<u32>) -> Result<Vec<PictureHash>, StoreError> {
        let table = self.snapshot.metadata.open_multimap_table(PICTURES)?;
        let mut found = Vec::new();
        for row in table.iter()? {
            let (hash, users) = row?;
            for user in users {
                if documents.contains(&unpack_key(user?.value()).0) {
                    found.push(*hash.value());
                    break;
                }
            }
        }
        Ok(found)
    }

    /// A figure.
    pub fn figure_row(&self, key: FigureKey) -> Result<Option<FigureRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(FIGURES)?;
        let row = table.get(key.to_packed())?;
        row.map(|row| row.value().decode("figure")).transpose()
    }

    /// The words in and around a figure; empty if there is no such figure.
    pub fn figure_words(&self, key: FigureKey) -> Result<FigureWords, StoreError> {
        let table = self.snapshot.metadata.open_table(FIGURE_WORDS)?;
        let words = table.get(key.to_packed())?;
        words.map_or(Ok(FigureWords::default()), |words| words.value().decode("figure"))
    }

    /// The figures with these words, in the order of documents.
    pub fn figure_occurrences(&self, content: u64) -> Result<Vec<FigureKey>, StoreError> {
        let table = self.snapshot.metadata.open_multimap_table(CONTENT_FIGURES)?;
        let mut keys = Vec::new();
        for packed in table.get(content)? {
            keys.push(FigureKey::from_packed(packed?.value()));
        }
        Ok(keys)
    }

    /// Calls `each` with every figure of a document: its key, its row and its text.
    pub(crate) fn for_each_figure(
        &self,
        entry: &DocumentEntry,
        mut each: impl FnMut(FigureKey, &FigureRow, &SectionHead, &str) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if entry.contents.figures.is_empty() {
            return Ok(());
        }
        let sections = self.snapshot.documents().section_heads(entry.id)?;
        for index in 0..entry.figure_count() as u32 {
            let key = FigureKey { document: entry.id, index };
            let row = self.figure_row(key)?.ok_or(StoreError::Decode { what: "figure" })?;
            let (doc_type, number) = (entry.row.doc_type, &entry.row.number);
            let header = build_context_header(doc_type, number, &sections, row.section);
            let text = self.figure_words(key)?.compose_text(&header, row.caption.as_deref());
            let section = sections.get(row.section as usize);
            let section = section.ok_or(StoreError::Decode { what: "figure" })?;
            each(key, &row, section, &text)?;
        }
        Ok(())
    }

    /// The contents of figures nearest to a query, best first.
    pub fn search_figure_vectors(
        &self,
        vector: &[f32],
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<Vec<VectorHit>, StoreError> {
        let (filters, segments) = (&self.snapshot.figure_filters, &self.snapshot.segments);
        let allowed = filters.get_or_compute(filter, segments, || self.matching_contents(filter));
        Ok(segments.search_nearest(vector, &allowed, limit)?.hits)
    }

    /// The contents of the figures of documents that match a filter.
    fn matching_contents(&self, filter: &DocumentFilter) -> Cow<'_, ContentSet> {
        if filter.is_unrestricted() {
            Cow::Borrowed(&self.snapshot.live.figures)
        } else {
            Cow::Owned(self.snapshot.catalog.figure_contents(filter))
        }
    }

    /// The figures that contain words of a query, best first, one of those with the same words; and the highest score
    /// that the query's words can have.
    pub fn search_figures_lexical(
        &self,
        query: &LexicalQuery,
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<(Vec<LexicalHit>, f32), StoreError> {
        let documents: Option<Vec<u32>> = (!filter.is_unrestricted()).then(|| {
            self.snapshot.catalog.matching_documents(filter).map(|entry| entry.id).collect()
        });
        let live = |document, key| has_figure(&self.snapshot.catalog, document, key);
        let scope = LexicalScope { documents: documents.as_deref(), contents: None, live: &live };
        let hits = lexical::search_index(&self.snapshot.searcher.figures, query, &scope, limit)?;
        Ok((hits, lexical::max_score(&self.snapshot.searcher.figures, query)?))
    }

    /// The model whose vectors of pictures are stored, once there are any.
    pub fn picture_model(&self) -> Result<Option<ModelRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(MODELS)?;
        let stored = table.get(PICTURE_MODEL)?;
        stored.map(|value| value.value().decode("model")).transpose()
    }

    /// The contents of figures whose pictures are nearest to a vector, best first.
    pub fn search_picture_vectors(
        &self,
        vector: &[f32],
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<Vec<VectorHit>, StoreError> {
        let (filters, pictures) = (&self.snapshot.picture_filters, &self.snapshot.pictures);
        let allowed = filters.get_or_compute(filter, pictures, || self.matching_contents(filter));
        Ok(pictures.search_nearest(vector, &allowed, limit)?.hits)
    }

    /// The cosine of the picture of a content and a vector; `None` if it has no vector.
    pub fn picture_similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        self.snapshot.pictures.best_similarity(content, vector)
    }

    /// The vector of the picture of a content.
    pub fn picture_vector(&self, content: u64) -> Option<Vec<f32>> {
        self.snapshot.pictures.content_vectors(content).into_iter().next()
    }
}

/// Whether a document has a figure. A replaced one may still be in the word index.
fn has_figure(catalog: &DocumentCatalog, document: u32, packed: u64) -> bool {
    let entry = catalog.get(document);
    let key = FigureKey::from_packed(packed);
    entry.is_some_and(|entry| (key.index as usize) < entry.figure_count())
}
