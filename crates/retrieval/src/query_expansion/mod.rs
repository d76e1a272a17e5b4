//! Other wordings of a query: abbreviations and what they stand for, everyday words and the
//! field's.
//!
//! Owns the vocabulary and the table of short forms. Promises a bounded number of wordings, each
//! weighted below the query's own words, and that a meaning which few documents give to a short
//! form stays within those documents. Knows nothing of how the wordings are searched.

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

/// Wordings of one query at most; more cost time and drown its own words.
const MAX_EXPANSIONS: usize = 24;

/// Finds other wordings of queries.
pub struct QueryExpander {
    synonyms: SynonymVocabulary,
    /// The short forms of the documents and the batch they were read at.
    abbreviations: Mutex<Option<(u64, Arc<AbbreviationTable>)>>,
}

/// The wordings of one piece of a query, best first.
type ExpansionGroup = Vec<QueryExpansion>;

impl QueryExpander {
    /// Starts with a vocabulary; short forms are read from the documents when first needed.
    pub fn new(vocabulary: SynonymVocabulary) -> Self {
        Self { synonyms: vocabulary, abbreviations: Mutex::default() }
    }

    /// Other wordings of a query for the documents that pass, none of which it has already.
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

    /// The query with the field's word after each everyday one, `a phone (UE) switches off`; none
    /// where no everyday word of the vocabulary is in it.
    pub fn append_field_terms(&self, query: &str) -> Option<String> {
        self.synonyms.append_field_terms(&QueryWords::from_query(query))
    }

    /// The short forms of a snapshot, read once for each state of the documents.
    fn load_abbreviations(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Arc<AbbreviationTable>, StoreError> {
        let mut kept = self.abbreviations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) =
            kept.as_ref().filter(|(batch, _)| *batch == snapshot.batch_number())
        {
            return Ok(table.clone());
        }
        let table = Arc::new(AbbreviationTable::from_snapshot(snapshot)?);
        *kept = Some((snapshot.batch_number(), table.clone()));
        Ok(table)
    }
}

/// The best wording of each piece, then the second of each, and so on up to the most allowed.
fn interleave_groups(groups: Vec<ExpansionGroup>, parts: &QueryWords<'_>) -> Vec<QueryExpansion> {
    let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
    let mut chosen: Vec<QueryExpansion> = Vec::new();
    for rank in 0..longest {
        for wording in groups.iter().filter_map(|group| group.get(rank)) {
            let known = |other: &QueryExpansion| {
                other.text.eq_ignore_ascii_case(&wording.text)
                    && other.documents == wording.documents
            };
            if chosen.len() < MAX_EXPANSIONS
                && !parts.contains_text(&wording.text)
                && !chosen.iter().any(known)
            {
                chosen.push(wording.clone());
            }
        }
    }
    chosen
}
