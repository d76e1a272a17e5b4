//! Other wordings of a query: abbreviations and what they stand for, everyday words and the
//! field's.
//!
//! Owns the vocabulary and the table of short forms. Promises a bounded number of wordings, each
//! weighted below the query's own words, and that a meaning which few documents give to a short
//! form stays within those documents. Knows nothing of how the wordings are searched.

mod parts;
mod short_forms;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use vocabulary::{Vocabulary, VocabularyError};

use std::sync::{Arc, Mutex, PoisonError};

use lexical::Expansion;
use parts::QueryParts;
use short_forms::ShortForms;
use store::{DocumentFilter, Snapshot, StoreError};

/// Wordings of one query at most; more cost time and drown its own words.
const MAX_EXPANSIONS: usize = 24;

/// Finds other wordings of queries.
pub struct Wording {
    vocabulary: Vocabulary,
    /// The short forms of the documents and the batch they were read at.
    short_forms: Mutex<Option<(u64, Arc<ShortForms>)>>,
}

/// The wordings of one piece of a query, best first.
type Wordings = Vec<Expansion>;

impl Wording {
    /// Starts with a vocabulary; short forms are read from the documents when first needed.
    pub fn new(vocabulary: Vocabulary) -> Self {
        Self { vocabulary, short_forms: Mutex::default() }
    }

    /// Other wordings of a query for the documents that pass, none of which it has already.
    pub fn expansions(
        &self,
        snapshot: &Snapshot,
        filter: &DocumentFilter,
        query: &str,
    ) -> Result<Vec<Expansion>, StoreError> {
        let parts = QueryParts::of(query);
        let mut groups = self.short_forms(snapshot)?.wordings(&parts, snapshot, filter);
        groups.extend(self.vocabulary.wordings(&parts));
        Ok(in_turn(groups, &parts))
    }

    /// The query with the field's word after each everyday one, `a phone (UE) switches off`; none
    /// where no everyday word of the vocabulary is in it.
    pub fn field_wording(&self, query: &str) -> Option<String> {
        self.vocabulary.field_wording(&QueryParts::of(query))
    }

    /// The short forms of a snapshot, read once for each state of the documents.
    fn short_forms(&self, snapshot: &Snapshot) -> Result<Arc<ShortForms>, StoreError> {
        let mut kept = self.short_forms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = kept.as_ref().filter(|(batch, _)| *batch == snapshot.batch()) {
            return Ok(table.clone());
        }
        let table = Arc::new(ShortForms::read(snapshot)?);
        *kept = Some((snapshot.batch(), table.clone()));
        Ok(table)
    }
}

/// The best wording of each piece, then the second of each, and so on up to the most allowed.
fn in_turn(groups: Vec<Wordings>, parts: &QueryParts<'_>) -> Vec<Expansion> {
    let longest = groups.iter().map(Vec::len).max().unwrap_or(0);
    let mut chosen: Vec<Expansion> = Vec::new();
    for rank in 0..longest {
        for wording in groups.iter().filter_map(|group| group.get(rank)) {
            let known = |other: &Expansion| {
                other.text.eq_ignore_ascii_case(&wording.text)
                    && other.documents == wording.documents
            };
            if chosen.len() < MAX_EXPANSIONS
                && !parts.hold(&wording.text)
                && !chosen.iter().any(known)
            {
                chosen.push(wording.clone());
            }
        }
    }
    chosen
}
