//! Query expansion: abbreviations with their full forms, and everyday words with the field's terms.
//!
//! Owns the vocabulary and the table of abbreviations. Promises a bounded number of expansions, each
//! weighted at most as high as the query's own words, and that a meaning which few documents give to
//! an abbreviation stays within those documents. Knows nothing of how the expansions are searched.

mod abbreviations;
mod query_words;
mod synonyms;
#[cfg(test)]
mod tests;

pub use abbreviations::VOCABULARY_NUMBER;
pub use synonyms::{SynonymVocabulary, VocabularyError};

use std::sync::{Arc, Mutex, PoisonError};

use abbreviations::AbbreviationTable;
use lexical::QueryExpansion;
use query_words::QueryWords;
use store::{DocumentFilter, Snapshot, StoreError};

/// Maximum number of expansions of one query; more cost time and drown its own words.
const MAX_EXPANSIONS: usize = 24;

/// Expands queries.
pub struct QueryExpander {
    synonyms: SynonymVocabulary,
    /// The abbreviations of the documents, and the number of the batch they were read at.
    abbreviations: Mutex<Option<(u64, Arc<AbbreviationTable>)>>,
}

/// The expansions of one phrase of a query, best first.
type ExpansionGroup = Vec<QueryExpansion>;

impl QueryExpander {
    /// Starts with a vocabulary; abbreviations are read from the documents on first use.
    pub fn new(vocabulary: SynonymVocabulary) -> Self {
        Self { synonyms: vocabulary, abbreviations: Mutex::default() }
    }

    /// The expansions of a query for matching documents, without those whose words it already has.
    pub fn expand_query(
        &self,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
        query: &str,
    ) -> Result<Vec<QueryExpansion>, StoreError> {
        let parts = QueryWords::from_query(query);
        let mut groups =
            self.load_abbreviations(snapshot)?.expand_abbreviations(&parts, snapshot, filter);
        groups.extend(self.synonyms.expand_synonyms(&parts));
        Ok(interleave_groups(groups, &parts))
    }

    /// The query with the field's term after each everyday word, `a phone (UE) switches off`; `None` if it has no
    /// everyday word of the vocabulary.
    pub fn append_field_terms(&self, query: &str) -> Option<String> {
        self.synonyms.append_field_terms(&QueryWords::from_query(query))
    }

    /// The abbreviations of a snapshot, read once for each batch of changes to the documents.
    fn load_abbreviations(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Arc<AbbreviationTable>, StoreError> {
        let mut cached = self.abbreviations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) =
            cached.as_ref().filter(|(batch, _)| *batch == snapshot.batch_number())
        {
            return Ok(table.clone());
        }
        let read = || AbbreviationTable::from_snapshot(snapshot);
        let table = Arc::new(cost_meter::run_shared(read)?);
        *cached = Some((snapshot.batch_number(), table.clone()));
        Ok(table)
    }
}

/// The best expansion of each phrase, then the second of each, and so on up to [`MAX_EXPANSIONS`].
fn interleave_groups(groups: Vec<ExpansionGroup>, parts: &QueryWords<'_>) -> Vec<QueryExpansion> {
    let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
    let mut chosen: Vec<QueryExpansion> = Vec::new();
    for rank in 0..longest {
        for expansion in groups.iter().filter_map(|group| group.get(rank)) {
            let known = |other: &QueryExpansion| {
                other.text.eq_ignore_ascii_case(&expansion.text)
                    && other.documents == expansion.documents
            };
            if chosen.len() < MAX_EXPANSIONS
                && !parts.contains_text(&expansion.text)
                && !chosen.iter().any(known)
            {
                chosen.push(expansion.clone());
            }
        }
    }
    chosen
}
