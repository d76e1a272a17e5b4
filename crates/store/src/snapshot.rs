//! What a reader holds: one state of all three stores, never changed under it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use redb::ReadTransaction;

use super::{
    Catalog, DocumentFilter, FigurePlace, ModelRow, PassageRow, SectionHead, SourceRow, StoreError,
    TextRange, codec,
    tables::{
        CONTENT_IDS, CONTENT_PASSAGES, MODELS, PASSAGES, SECTION_HEADS, SECTION_NUMBERS,
        SECTION_TEXTS, SOURCES, TEXT_MODEL, content_key, place_key, place_of, places_of,
    },
    vectors::{AllowedRows, Nearest, Segments},
    words::WordsSearcher,
};
use lexical::ContentSet;
use lexical::{LexicalQuery, Scope, WordHit};

/// An immutable view of the store.
pub struct Snapshot {
    pub(super) metadata: ReadTransaction,
    pub(super) searcher: WordsSearcher,
    /// Vectors of texts.
    pub(super) segments: Segments,
    /// Vectors of pictures.
    pub(super) pictures: Segments,
    pub(super) catalog: Arc<Catalog>,
    pub(super) live: Live,
    /// Last committed batch.
    pub(super) batch: u64,
    pub(super) filters: FilterCache,
    /// The same for figures.
    pub(super) figure_filters: FilterCache,
    /// The same for the pictures of figures.
    pub(super) picture_filters: FilterCache,
    /// The rows of all documents of meetings.
    pub(super) tdoc_rows: OnceLock<Vec<AllowedRows>>,
}

/// Contents that some document carries.
pub(super) struct Live {
    pub(super) all: ContentSet,
    /// Those of passages.
    pub(super) passages: ContentSet,
    /// Those of figures.
    pub(super) figures: ContentSet,
    /// Those of documents of meetings.
    pub(super) tdocs: ContentSet,
}

/// Filters that were asked for lately, with the rows they allow in each vector file: agents ask
/// many questions of one release.
#[derive(Default)]
pub(super) struct FilterCache(Mutex<Vec<(DocumentFilter, Arc<Vec<AllowedRows>>)>>);

/// Filters that are remembered; each may take a bit for every row.
const FILTERS: usize = 16;

impl FilterCache {
    /// What is remembered of a filter, or is found out now and remembered.
    pub(super) fn get_or(
        &self,
        filter: &DocumentFilter,
        find: impl FnOnce() -> Vec<AllowedRows>,
    ) -> Arc<Vec<AllowedRows>> {
        let known = |list: &mut Vec<(DocumentFilter, Arc<Vec<AllowedRows>>)>| {
            let at = list.iter().position(|(known, _)| known == filter)?;
            // The one asked for last stands last.
            let entry = list.remove(at);
            list.push(entry);
            list.last().map(|(_, rows)| rows.clone())
        };
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = known(&mut lock()) {
            return rows;
        }
        // Not under the lock: others need not wait for it.
        let rows = Arc::new(find());
        let mut list = lock();
        if list.len() >= FILTERS {
            list.remove(0);
        }
        list.push((filter.clone(), rows.clone()));
        rows
    }
}

/// A question to the vectors.
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

/// A content near a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContentHit {
    /// Content id.
    pub content: u64,
    /// Cosine of its best window.
    pub similarity: f32,
}

/// Where a section lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SectionKey {
    /// Document id.
    pub document: u32,
    /// Place of the section in the document.
    pub ordinal: u32,
}

impl SectionKey {
    fn packed(self) -> u64 {
        place_key(self.document, self.ordinal)
    }

    fn unpacked(key: u64) -> Self {
        let (document, ordinal) = place_of(key);
        Self { document, ordinal }
    }
}

impl Snapshot {
    /// The documents.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Number of distinct contents that the documents carry, in passages and figures.
    pub fn contents(&self) -> u64 {
        self.live.all.len() as u64
    }

    /// Number of the last committed batch; changes with every change of the documents.
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// The model whose vectors are stored, once there are any.
    pub fn model(&self) -> Result<Option<ModelRow>, StoreError> {
        let table = self.metadata.open_table(MODELS)?;
        table.get(TEXT_MODEL)?.map(|value| codec::decode(value.value(), "model")).transpose()
    }

    /// What is known of a source file set.
    pub fn source(&self, hash: &[u8; 32]) -> Result<Option<SourceRow>, StoreError> {
        let table = self.metadata.open_table(SOURCES)?;
        table.get(hash)?.map(|value| codec::decode(value.value(), "source")).transpose()
    }

    /// The sections of a document in the order of its text.
    pub fn sections(&self, document: u32) -> Result<Vec<SectionHead>, StoreError> {
        let table = self.metadata.open_table(SECTION_HEADS)?;
        let keys = places_of(document);
        let mut heads = Vec::new();
        for entry in table.range(keys)? {
            heads.push(codec::decode(entry?.1.value(), "section")?);
        }
        Ok(heads)
    }

    /// A section without its text.
    pub fn section(&self, key: SectionKey) -> Result<Option<SectionHead>, StoreError> {
        let table = self.metadata.open_table(SECTION_HEADS)?;
        table.get(key.packed())?.map(|value| codec::decode(value.value(), "section")).transpose()
    }

    /// The text of a section; empty where there is none.
    pub fn section_text(&self, key: SectionKey) -> Result<String, StoreError> {
        let table = self.metadata.open_table(SECTION_TEXTS)?;
        let value = table.get(key.packed())?;
        value.map_or(Ok(String::new()), |value| codec::decompress(value.value()))
    }

    /// Sections with a number, or with it and below it, in documents that pass; in the order of
    /// documents, then of the text.
    pub fn sections_numbered(
        &self,
        number: &str,
        below: bool,
        filter: &DocumentFilter,
    ) -> Result<Vec<SectionKey>, StoreError> {
        let table = self.metadata.open_table(SECTION_NUMBERS)?;
        let mut found = Vec::new();
        let mut take = |from: &str, to: (&str, u64)| -> Result<(), StoreError> {
            for entry in table.range((from, 0)..=to)? {
                let key = SectionKey::unpacked(entry?.0.value().1);
                let document = self.catalog.get(key.document);
                if document.is_some_and(|entry| filter.admits(&entry.row)) {
                    found.push(key);
                }
            }
            Ok(())
        };
        take(number, (number, u64::MAX))?;
        if below {
            // '/' follows '.' in ASCII, so the range holds what begins with the number and a point.
            take(&format!("{number}."), (&format!("{number}/"), 0))?;
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// For each hash, whether its content has vectors.
    pub fn have_vectors(&self, hashes: &[[u8; 32]]) -> Result<Vec<bool>, StoreError> {
        let table = self.metadata.open_table(CONTENT_IDS)?;
        let mut have = Vec::with_capacity(hashes.len());
        for hash in hashes {
            let id = table.get(content_key(hash))?.map(|value| value.value());
            have.push(id.is_some_and(|id| self.segments.contains(id)));
        }
        Ok(have)
    }

    /// The contents nearest to a query, best first, and how they were found.
    pub fn nearest(&self, query: VectorQuery<'_>) -> Result<Nearest, StoreError> {
        let allowed = match query.section {
            Some(number) => {
                let keys = self.sections_numbered(number, false, query.filter)?;
                let pairs: Vec<(u32, u32)> =
                    keys.iter().map(|key| (key.document, key.ordinal)).collect();
                Arc::new(self.segments.allowed(&self.catalog.contents_of_sections(&pairs)))
            }
            None => self.filters.get_or(query.filter, || match query.filter.is_open() {
                true => self.segments.allowed(&self.live.passages),
                false => self.segments.allowed(&self.catalog.contents(query.filter)),
            }),
        };
        self.segments.nearest(query.vector, &allowed, query.limit)
    }

    /// The contents of figures nearest to a query, best first.
    pub fn nearest_figures(
        &self,
        vector: &[f32],
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<Vec<ContentHit>, StoreError> {
        let allowed = self.figure_filters.get_or(filter, || match filter.is_open() {
            true => self.segments.allowed(&self.live.figures),
            false => self.segments.allowed(&self.catalog.contents_of_figures(filter)),
        });
        Ok(self.segments.nearest(vector, &allowed, limit)?.hits)
    }

    /// The figures whose words a query has, best first; of those with the same words one. Also the
    /// most that the query's own words can count.
    pub fn words_of_figures(
        &self,
        query: &LexicalQuery,
        filter: &DocumentFilter,
        limit: usize,
    ) -> Result<(Vec<WordHit>, f32), StoreError> {
        let documents: Option<Vec<u32>> = (!filter.is_open())
            .then(|| self.catalog.matching(filter).map(|entry| entry.id).collect());
        let live = |document, key| self.shows(document, FigurePlace::of_key(key));
        let scope = Scope { documents: documents.as_deref(), contents: None, live: &live };
        let hits = lexical::search(&self.searcher.figures, query, &scope, limit)?;
        Ok((hits, lexical::most(&self.searcher.figures, query)?))
    }

    /// Whether a document has a figure. A replaced one may still be in the word index.
    fn shows(&self, document: u32, place: FigurePlace) -> bool {
        let entry = self.catalog.get(document);
        entry.is_some_and(|entry| (place.index as usize) < entry.figures.len())
    }

    /// The cosine of one content and a query's vector; none where it has no vector.
    pub fn similarity(&self, content: u64, vector: &[f32]) -> Option<f32> {
        self.segments.similarity(content, vector)
    }

    /// The vectors of one content, one for each of its windows; none where it has no vector.
    pub fn vectors(&self, content: u64) -> Vec<Vec<f32>> {
        self.segments.vectors(content)
    }

    /// Contents that hold words of a query, best first, each once; ties by the lower passage id.
    pub fn words(
        &self,
        query: &LexicalQuery,
        filter: &DocumentFilter,
        section: Option<&str>,
        limit: usize,
    ) -> Result<Vec<WordHit>, StoreError> {
        let (documents, contents) = match section {
            Some(number) => {
                let keys = self.sections_numbered(number, false, filter)?;
                let pairs: Vec<(u32, u32)> =
                    keys.iter().map(|key| (key.document, key.ordinal)).collect();
                let documents: Vec<u32> = pairs.iter().map(|(document, _)| *document).collect();
                (Some(documents), Some(self.catalog.contents_of_sections(&pairs)))
            }
            None if filter.is_open() => (None, None),
            None => (Some(self.catalog.matching(filter).map(|entry| entry.id).collect()), None),
        };
        let live = |document, passage| self.carries(document, passage);
        let scope =
            Scope { documents: documents.as_deref(), contents: contents.as_ref(), live: &live };
        Ok(lexical::search(&self.searcher.passages, query, &scope, limit)?)
    }

    /// In how many contents a word, name or phrase occurs, whole or in another spelling; 0 when it
    /// occurs nowhere. Counted to `at_most`: a common word stands in thousands.
    pub fn occurrences(&self, text: &str, at_most: usize) -> Result<usize, StoreError> {
        let live = |document, passage| self.carries(document, passage);
        let scope = Scope { documents: None, contents: None, live: &live };
        Ok(lexical::occurrences(&self.searcher.passages, text, &scope, at_most)?)
    }

    /// Whether a document has a passage. A replaced passage may still be in the word index.
    fn carries(&self, document: u32, passage: u64) -> bool {
        self.catalog.get(document).is_some_and(|entry| {
            let first = entry.row.first_passage;
            (first..first + u64::from(entry.row.passage_count)).contains(&passage)
        })
    }

    /// The passages that carry a content, with their ids.
    pub fn carriers(&self, content: u64) -> Result<Vec<(u64, PassageRow)>, StoreError> {
        let table = self.metadata.open_multimap_table(CONTENT_PASSAGES)?;
        let mut passages = Vec::new();
        for id in table.get(content)? {
            let id = id?.value();
            if let Some(row) = self.passage(id)? {
                passages.push((id, row));
            }
        }
        Ok(passages)
    }

    /// A passage by its id.
    pub fn passage(&self, id: u64) -> Result<Option<PassageRow>, StoreError> {
        let table = self.metadata.open_table(PASSAGES)?;
        table.get(id)?.map(|value| codec::decode(value.value(), "passage")).transpose()
    }
}

impl PassageRow {
    /// Where the passage's section lies.
    pub fn section_key(&self) -> SectionKey {
        SectionKey { document: self.document, ordinal: self.section }
    }

    /// The passage's text, cut from the text of its section.
    pub fn text(&self, section_text: &str) -> Result<String, StoreError> {
        let slice = |range: TextRange| {
            section_text
                .get(range.start as usize..range.end as usize)
                .ok_or(StoreError::Decode { what: "passage range" })
        };
        let (head, body) = (slice(self.head)?, slice(self.body)?);
        Ok(if head.is_empty() { body.to_owned() } else { format!("{head}\n{body}") })
    }
}
