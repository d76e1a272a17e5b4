//! Searching what documents say: distinct contents by their vectors and by their words.

use std::borrow::Cow;

use crate::{
    DocumentCatalog, DocumentFilter, ModelRow, PassageRow, SectionKey, Snapshot, StoreError,
    VectorHit, VectorHits,
    tables::{
        definitions::{CONTENT_IDS, CONTENT_PASSAGES, HEADING_SECTIONS, MODELS, TEXT_MODEL},
        keys::content_key,
    },
};
use lexical::{LexicalHit, LexicalQuery, LexicalScope};

/// A query to the vectors of passages.
#[derive(Debug, Clone, Copy)]
pub struct VectorQuery<'a> {
    /// The query's vector, of the model's dimension.
    pub vector: &'a [f32],
    /// Documents to look in.
    pub filter: &'a DocumentFilter,
    /// Exact section number to look in.
    pub section: Option<&'a str>,
    /// How many contents to return.
    pub limit: usize,
}

/// Contents of the passages of a snapshot: their vectors, searches and occurrences.
#[derive(Clone, Copy)]
pub struct ContentReader<'a> {
    snapshot: &'a Snapshot,
}

impl Snapshot {
    /// Contents of passages.
    pub fn contents(&self) -> ContentReader<'_> {
        ContentReader { snapshot: self }
    }
}

impl ContentReader<'_> {
    /// The model whose vectors are stored, once there are any.
    pub fn text_model(&self) -> Result<Option<ModelRow>, StoreError> {
        let table = self.snapshot.metadata.open_table(MODELS)?;
        table.get(TEXT_MODEL)?.map(|value| value.value().decode("model")).transpose()
    }

    /// For each hash, whether its content has vectors.
    pub fn have_vectors(&self, hashes: &[[u8; 32]]) -> Result<Vec<bool>, StoreError> {
        let table = self.snapshot.metadata.open_table(CONTENT_IDS)?;
        let mut have_vectors = Vec::with_capacity(hashes.len());
        for hash in hashes {
            let id = table.get(content_key(hash))?.map(|value| value.value());
            have_vectors.push(id.is_some_and(|id| self.snapshot.segments.contains(id)));
        }
        Ok(have_vectors)
    }

    /// The contents nearest to a query, best first, and how they were found.
    pub fn search_vectors(&self, query: VectorQuery<'_>) -> Result<VectorHits, StoreError> {
        let allowed = match query.section {
            Some(number) => {
                let keys = self.snapshot.documents().find_sections(number, false, query.filter)?;
                let pairs: Vec<(u32, u32)> =
                    keys.iter().map(|key| (key.document, key.ordinal)).collect();
                let contents = self.snapshot.catalog.section_contents(&pairs);
                self.snapshot.segments.allowed_rows(&contents)
            }
            None => {
                let contents = || {
                    if query.filter.is_unrestricted() {
                        Cow::Borrowed(&self.snapshot.live.passages)
                    } else {
                        Cow::Owned(self.snapshot.catalog.passage_contents(query.filter))
                    }
                };
                let (filters, segments) = (&self.snapshot.filters, &self.snapshot.segments);
                filters.get_or_compute(query.filter, segments, contents)
            }
        };
        self.snapshot.segments.search_nearest(query.vector, &allowed, query.limit)
    }

    /// The contents of headings nearest to a query, best first.
    pub fn search_headings(
        &self,
        vector: &[f32],
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<Vec<VectorHit>, StoreError> {
        let snapshot = self.snapshot;
        let contents = || {
            if filter.is_unrestricted() {
                Cow::Borrowed(&snapshot.live.headings)
            } else {
                Cow::Owned(snapshot.catalog.heading_contents(filter))
            }
        };
        let allowed = snapshot.heading_filters.get_or_compute(filter, &snapshot.segments, contents);
        Ok(snapshot.segments.search_nearest(vector, &allowed, limit)?.hits)
    }

    /// The sections whose heading path has a content.
    pub fn heading_sections(&self, content: u64) -> Result<Vec<SectionKey>, StoreError> {
        let table = self.snapshot.metadata.open_multimap_table(HEADING_SECTIONS)?;
        let mut sections = Vec::new();
        for packed in table.get(content)? {
            sections.push(SectionKey::from_packed(packed?.value()));
        }
        Ok(sections)
    }

    /// The cosine of one content and a query's vector; `None` if it has no vector.
    pub fn content_similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        self.snapshot.segments.best_similarity(content, vector)
    }

    /// The vectors of one content, one for each of its windows; empty if it has none.
    pub fn content_vectors(&self, content: u64) -> Vec<Vec<f32>> {
        self.snapshot.segments.content_vectors(content)
    }

    /// Contents that contain words of a query, best first, each once; ties by the lower passage id.
    pub fn search_lexical(
        &self,
        query: &LexicalQuery,
        filter: &DocumentFilter,
        section: Option<&str>,
        limit: usize,
    ) -> Result<Vec<LexicalHit>, StoreError> {
        let (documents, contents) = match section {
            Some(number) => {
                let keys = self.snapshot.documents().find_sections(number, false, filter)?;
                let pairs: Vec<(u32, u32)> =
                    keys.iter().map(|key| (key.document, key.ordinal)).collect();
                let documents: Vec<u32> = pairs.iter().map(|(document, _)| *document).collect();
                (Some(documents), Some(self.snapshot.catalog.section_contents(&pairs)))
            }
            None if filter.is_unrestricted() => (None, None),
            None => (
                Some(
                    self.snapshot
                        .catalog
                        .matching_documents(filter)
                        .map(|entry| entry.id)
                        .collect(),
                ),
                None,
            ),
        };
        let live = |document, passage| has_passage(&self.snapshot.catalog, document, passage);
        let scope = LexicalScope {
            documents: documents.as_deref(),
            contents: contents.as_ref(),
            live: &live,
        };
        Ok(lexical::search_index(&self.snapshot.searcher.passages, query, &scope, limit)?)
    }

    /// The highest score that a content can have for the words of a query.
    pub fn max_lexical_score(&self, query: &LexicalQuery) -> Result<f32, StoreError> {
        Ok(lexical::max_score(&self.snapshot.searcher.passages, query)?)
    }

    /// In how many contents a word, name or phrase occurs, whole or in another spelling; counts up to `at_most`,
    /// because a common word occurs in thousands: counting to ten thousand took half of the time of a search by
    /// words.
    pub fn count_occurrences(&self, text: &str, at_most: usize) -> Result<usize, StoreError> {
        let live = |document, passage| has_passage(&self.snapshot.catalog, document, passage);
        let scope = LexicalScope { documents: None, contents: None, live: &live };
        Ok(lexical::count_occurrences(&self.snapshot.searcher.passages, text, &scope, at_most)?)
    }

    /// Contents of matching documents in which a phrase occurs, up to `at_most`, with one passage of each. Only the
    /// first words of a long phrase are compared.
    pub fn find_phrase(
        &self,
        phrase: &str,
        filter: &DocumentFilter,
        at_most: usize,
    ) -> Result<Vec<LexicalHit>, StoreError> {
        let matching = self.snapshot.catalog.matching_documents(filter);
        let documents: Option<Vec<u32>> =
            (!filter.is_unrestricted()).then(|| matching.map(|entry| entry.id).collect());
        let live = |document, passage| has_passage(&self.snapshot.catalog, document, passage);
        let scope = LexicalScope { documents: documents.as_deref(), contents: None, live: &live };
        Ok(lexical::find_phrase(&self.snapshot.searcher.passages, phrase, &scope, at_most)?)
    }

    /// The passages that carry a content, with their ids.
    pub fn content_occurrences(&self, content: u64) -> Result<Vec<(u64, PassageRow)>, StoreError> {
        let table = self.snapshot.metadata.open_multimap_table(CONTENT_PASSAGES)?;
        let mut passages = Vec::new();
        for id in table.get(content)? {
            let id = id?.value();
            if let Some(row) = self.snapshot.documents().passage_row(id)? {
                passages.push((id, row));
            }
        }
        Ok(passages)
    }
}

/// Whether a document has a passage. A replaced passage may still be in the word index.
fn has_passage(catalog: &DocumentCatalog, document: u32, passage: u64) -> bool {
    catalog.get(document).is_some_and(|entry| {
        let first = entry.row.first_passage;
        (first..first + u64::from(entry.row.passage_count)).contains(&passage)
    })
}
