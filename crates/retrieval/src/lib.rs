//! From a question to hits, best first, in one pipeline for three targets: passages of
//! specifications, passages of TDocs, and figures.
//!
//! 1. Candidates: the target adds hits of its vector and word searches to the pool (`pool.rs`).
//! 2. Features: true cosines, ranks and shares are filled in there ([`RankingFeatures`]).
//! 3. Score: a logistic model (`scoring.rs`), or for figures a weighted sum (`figures.rs`).
//! 4. Rerank: the cross-encoder reads the most promising ones until a deadline (`rerank.rs`).
//! 5. Group: what several versions share becomes one hit (`occurrences.rs`, `tdoc_passages.rs`,
//!    `figure_hits.rs`).
//!
//! Owns ranking. Knows nothing of the wire: operations turn their parameters into a query
//! ([`PassageQuery`], [`TdocQuery`], [`FigureQuery`]) and the hits into records.

#![forbid(unsafe_code)]

mod candidate;
mod confidence;
mod error;
mod exact_phrases;
mod figure_hits;
mod figures;
mod models;
mod occurrences;
mod passages;
mod pool;
mod queries;
mod query_expansion;
mod query_vectors;
mod rerank;
mod scoring;
mod stages;
mod tdoc_identifiers;
mod tdoc_matches;
mod tdoc_passages;
mod tdocs;
mod turn_queue;

pub use candidate::{PassageCandidate, RankingFeatures};
pub use confidence::AnswerConfidence;
pub use error::RetrievalError;
pub use models::{DEFAULT_TEXT_EMBEDDING, ModelSettings, Models, NO_MODEL};
pub use queries::{
    FigureHit, FigureQuery, PassageQuery, RetrievalResult, TdocHit, TdocQuery, TdocRetrievalResult,
};
pub use query_expansion::{QueryExpander, SynonymVocabulary, VOCABULARY_NUMBER, VocabularyError};
pub(crate) use query_vectors::QueryVectors;
pub use scoring::named_features;
pub use tdoc_matches::{TdocMatchKind, TdocSearchPath};

use std::{sync::Arc, time::Duration};

use lexical::QueryExpansion;
use store::{DocumentFilter, Snapshot, StoreError};

use turn_queue::TurnQueue;

/// How this installation searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSettings {
    /// Time the reranker has for one search, from the moment the candidates are found. Those it has not
    /// read by then keep the score of the first stage.
    pub rerank_deadline: Duration,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { rerank_deadline: Duration::from_secs(5) }
    }
}

/// Searches that wait for the reranker, which uses all cores for each, before more are refused.
const RERANK_QUEUE: usize = 7;
/// Seconds after which a refused search may try again.
const RERANK_RETRY_S: u64 = 10;

/// Answers searches: the models, the query expansion and the settings, without the index.
pub struct Retriever {
    /// The neural models, loaded when first needed.
    pub models: Arc<Models>,
    query_expander: QueryExpander,
    settings: SearchSettings,
    rerank_turns: TurnQueue,
}

impl Retriever {
    /// Puts the parts together.
    pub fn new(
        models: Arc<Models>,
        query_expander: QueryExpander,
        settings: SearchSettings,
    ) -> Self {
        let rerank_turns = TurnQueue::new(1, RERANK_QUEUE, RERANK_RETRY_S);
        Self { models, query_expander, settings, rerank_turns }
    }

    /// What the specifications say of the abbreviations in a text, and of the words that one stands for: the
    /// counterparts that hold in all documents.
    pub fn general_expansions(
        &self,
        snapshot: &Snapshot,
        text: &str,
    ) -> Result<Vec<QueryExpansion>, StoreError> {
        let filter = DocumentFilter::default();
        let mut expansions = self.query_expander.expand_query(snapshot, &filter, text)?;
        expansions.retain(|expansion| expansion.documents.is_none());
        Ok(expansions)
    }
}
