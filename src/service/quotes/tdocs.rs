//! Quotes in meeting documents whose text was read.

use std::collections::HashSet;

use lexical::LexicalQuery;
use quotation::{Quotation, TokenizedText};
use register::Column;

use super::{
    block_text::{BlockText, QuoteMatch},
    candidates::find_candidates,
    scope::QuoteScope,
};
use crate::service::internal_failure;
use contributions::TdocCatalog;
use domain::TdocId;
use store::{Snapshot, StoreError, TdocScope};
use wire::{Failure, records::QuoteOccurrence, values::QuoteSource};

/// Documents that are compared word for word. If more may have the quote, the reply says that not all were compared.
const MAX_TDOCS: usize = 60;
/// Contents, best by their words, that are searched for something similar.
const MAX_SIMILAR_CONTENTS: usize = 24;
/// Documents that are searched for something similar: of each, the whole text is read.
const MAX_SIMILAR_TDOCS: usize = 16;

/// What the comparison of documents needs.
pub(super) struct TdocQuotes<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) catalog: &'a TdocCatalog,
    pub(super) quotation: &'a Quotation,
}

impl TdocQuotes<'_> {
    /// The documents in which the quote occurs word for word, and whether every one that may have it was compared.
    pub(super) fn find_exact(
        &self,
        scope: &QuoteScope,
    ) -> Result<(Vec<QuoteOccurrence>, bool), Failure> {
        let compare = |text: &TokenizedText| QuoteMatch::find_exact(self.quotation, text);
        let (keys, is_complete) = match scope {
            QuoteScope::Tdoc(id) => (self.key_of(id), true),
            QuoteScope::Everything => {
                let tdocs = self.snapshot.tdocs();
                let find_phrase = |phrase: &str, at_most| tdocs.find_tdoc_phrase(phrase, at_most);
                let candidates =
                    find_candidates(self.quotation, find_phrase).map_err(internal_failure)?;
                let keys =
                    self.list_keys(&candidates.contents, MAX_TDOCS).map_err(internal_failure)?;
                let is_complete = candidates.is_complete && keys.len() < MAX_TDOCS;
                (keys, is_complete)
            }
            QuoteScope::Specification(_) | QuoteScope::Meeting(_) | QuoteScope::NotesFile(_) => {
                (Vec::new(), true)
            }
        };
        Ok((self.compare_tdocs(&keys, &compare)?, is_complete))
    }

    /// The documents that resemble the quote. Those that have it word for word are among them if every phrase of it
    /// extends over the end of a passage.
    pub(super) fn find_similar(&self, scope: &QuoteScope) -> Result<Vec<QuoteOccurrence>, Failure> {
        let compare = |text: &TokenizedText| QuoteMatch::find_best(self.quotation, text);
        let keys = match scope {
            QuoteScope::Tdoc(id) => self.key_of(id),
            QuoteScope::Everything => {
                let text = self.quotation.text().to_owned();
                let query = LexicalQuery { text, ..LexicalQuery::default() };
                let all = TdocScope { keys: None, kinds: None };
                let tdocs = self.snapshot.tdocs();
                let (hits, _) = tdocs
                    .search_tdocs_lexical(&query, all, MAX_SIMILAR_CONTENTS)
                    .map_err(internal_failure)?;
                let contents: Vec<u64> = hits.iter().map(|hit| hit.content).collect();
                self.list_keys(&contents, MAX_SIMILAR_TDOCS).map_err(internal_failure)?
            }
            QuoteScope::Specification(_) | QuoteScope::Meeting(_) | QuoteScope::NotesFile(_) => {
                Vec::new()
            }
        };
        self.compare_tdocs(&keys, &compare)
    }

    fn key_of(&self, id: &TdocId) -> Vec<u32> {
        self.snapshot.catalog().tdoc_by_id(id).map(|entry| entry.key).into_iter().collect()
    }

    /// The documents that carry contents, each once, in the order of the contents.
    fn list_keys(&self, contents: &[u64], at_most: usize) -> Result<Vec<u32>, StoreError> {
        let mut seen = HashSet::new();
        let mut keys = Vec::new();
        for content in contents {
            for occurrence in self.snapshot.tdocs().tdoc_occurrences(*content)? {
                if seen.insert(occurrence.key) {
                    keys.push(occurrence.key);
                }
                if keys.len() >= at_most {
                    return Ok(keys);
                }
            }
        }
        Ok(keys)
    }

    fn compare_tdocs(
        &self,
        keys: &[u32],
        compare: &dyn Fn(&TokenizedText) -> Option<QuoteMatch>,
    ) -> Result<Vec<QuoteOccurrence>, Failure> {
        let mut occurrences = Vec::new();
        for key in keys {
            let Some(entry) = self.snapshot.catalog().tdoc_by_key(*key) else { continue };
            let text = self.snapshot.tdocs().tdoc_text(*key).map_err(internal_failure)?;
            let text = BlockText::from_blocks(text.blocks);
            let Some(found) = compare(text.text()) else { continue };
            occurrences.extend(self.to_occurrence(&entry.row.id, &text, found)?);
        }
        occurrences.sort_by(|a, b| {
            // Newest first.
            let year_and_number = |occurrence: &QuoteOccurrence| {
                let id: Option<TdocId> = occurrence.tdoc_id.as_ref().and_then(|id| id.parse().ok());
                id.map(|id| (id.year(), id.number()))
            };
            b.similarity
                .total_cmp(&a.similarity)
                .then_with(|| year_and_number(b).cmp(&year_and_number(a)))
        });
        Ok(occurrences)
    }

    fn to_occurrence(
        &self,
        id: &TdocId,
        text: &BlockText,
        found: QuoteMatch,
    ) -> Result<Option<QuoteOccurrence>, Failure> {
        let Some((first, last)) = text.blocks_of(&found.range) else { return Ok(None) };
        let row = self.snapshot.tdocs().tdoc_row(id).map_err(internal_failure)?;
        let title = row.as_ref().and_then(|row| row.entry.column_text(Column::Title));
        let entry = self.catalog.get(id);
        let meeting = entry.map(|entry| self.catalog.meeting_of(entry));
        let url = row.as_ref().and_then(|row| row.entry.url.as_deref());
        Ok(Some(QuoteOccurrence {
            found_in: QuoteSource::Tdoc,
            doc_number: None,
            version: None,
            release: None,
            section_number: None,
            section_title: None,
            tdoc_id: Some(id.to_string()),
            meeting_id: meeting.map(|meeting| meeting.id.to_string()),
            source_kind: None,
            title: title.map(str::to_owned),
            official_url: entry.map(|entry| self.catalog.official_url(entry, url)),
            anchor: Some(first.anchor.clone()),
            last_anchor: Some(last.anchor.clone()),
            page: first.page,
            text: found.text.clone(),
            similarity: found.similarity,
            wildcards: text.anchor_wildcards(&found),
            differences: found.differences,
            also_in: Vec::new(),
        }))
    }
}
