//! Searching the texts of meeting documents (TDocs).

use std::borrow::Cow;

use super::TdocReader;
use crate::{DocumentCatalog, DocumentFilter, StoreError, VectorHit, tables::keys::unpack_key};
use domain::UnitType;
use lexical::{ContentSet, LexicalHit, LexicalQuery, LexicalScope};

/// Which documents and kinds of passages are searched.
#[derive(Debug, Clone, Copy)]
pub struct TdocScope<'a> {
    /// Keys of the documents, ascending; all if `None`.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all if `None`.
    pub kinds: Option<&'a [UnitType]>,
}

impl TdocScope<'_> {
    fn is_unrestricted(&self) -> bool {
        self.keys.is_none() && self.kinds.is_none()
    }

    /// Whether a passage of a document is within it.
    pub fn contains_passage(&self, key: u32, kind: UnitType) -> bool {
        self.keys.is_none_or(|keys| keys.binary_search(&key).is_ok())
            && self.kinds.is_none_or(|kinds| kinds.contains(&kind))
    }
}

impl TdocReader<'_> {
    /// The contents of passages of documents nearest to a query, best first.
    pub fn search_tdoc_vectors(
        &self,
        vector: &[f32],
        scope: TdocScope<'_>,
        limit: usize,
    ) -> Result<Vec<VectorHit>, StoreError> {
        let snapshot = self.snapshot();
        let nearest = if scope.is_unrestricted() {
            let all = || Cow::Borrowed(&snapshot.live.tdocs);
            let everything = DocumentFilter::default();
            let rows = snapshot.tdoc_rows.get_or_compute(&everything, &snapshot.segments, all);
            snapshot.segments.search_nearest(vector, &rows, limit)?
        } else {
            let allowed = snapshot.segments.allowed_rows(&scope_contents(&snapshot.catalog, scope));
            snapshot.segments.search_nearest(vector, &allowed, limit)?
        };
        Ok(nearest.hits)
    }

    /// The contents of passages of documents that contain words of a query, best first, and the highest score that
    /// the query's words can have.
    pub fn search_tdocs_lexical(
        &self,
        query: &LexicalQuery,
        scope: TdocScope<'_>,
        limit: usize,
    ) -> Result<(Vec<LexicalHit>, f32), StoreError> {
        let snapshot = self.snapshot();
        let contents = (!scope.is_unrestricted()).then(|| scope_contents(&snapshot.catalog, scope));
        let live = |key, packed| has_tdoc_passage(&snapshot.catalog, key, packed);
        let scope =
            LexicalScope { documents: scope.keys, contents: contents.as_ref(), live: &live };
        let hits = lexical::search_index(&snapshot.searcher.tdocs, query, &scope, limit)?;
        Ok((hits, lexical::max_score(&snapshot.searcher.tdocs, query)?))
    }

    /// In how many contents of documents a word, name or phrase occurs, up to `at_most`.
    pub fn count_tdoc_occurrences(&self, text: &str, at_most: usize) -> Result<usize, StoreError> {
        let snapshot = self.snapshot();
        let live = |key, packed| has_tdoc_passage(&snapshot.catalog, key, packed);
        let scope = LexicalScope { documents: None, contents: None, live: &live };
        Ok(lexical::count_occurrences(&snapshot.searcher.tdocs, text, &scope, at_most)?)
    }

    /// Contents of passages of documents in which a phrase occurs, up to `at_most`. Only the first words of a long
    /// phrase are compared.
    pub fn find_tdoc_phrase(
        &self,
        phrase: &str,
        at_most: usize,
    ) -> Result<Vec<LexicalHit>, StoreError> {
        let snapshot = self.snapshot();
        let live = |key, packed| has_tdoc_passage(&snapshot.catalog, key, packed);
        let scope = LexicalScope { documents: None, contents: None, live: &live };
        Ok(lexical::find_phrase(&snapshot.searcher.tdocs, phrase, &scope, at_most)?)
    }
}

fn scope_contents(catalog: &DocumentCatalog, scope: TdocScope<'_>) -> ContentSet {
    let mut set = ContentSet::default();
    for entry in catalog.tdoc_entries() {
        if scope.keys.is_some_and(|keys| keys.binary_search(&entry.key).is_err()) {
            continue;
        }
        let admitted = entry
            .row
            .passages
            .iter()
            .filter(|(_, kind)| scope.kinds.is_none_or(|kinds| kinds.contains(kind)));
        admitted.for_each(|(content, _)| set.insert(*content));
    }
    set
}

/// Whether a document has a passage. A replaced one may still be in the word index.
fn has_tdoc_passage(catalog: &DocumentCatalog, key: u32, packed: u64) -> bool {
    let (document, passage) = unpack_key(packed);
    let entry = if document == key { catalog.tdoc_by_key(key) } else { None };
    entry.is_some_and(|entry| (passage as usize) < entry.row.passages.len())
}
