//! From a question to hits, best first, in one pipeline for three targets: passages of
//! specifications, passages of TDocs, and figures.
//!
//! 1. Candidates: the target adds hits of its vector and word searches to the pool (`pool.rs`).
//!    With `newest_only`, those of older versions are replaced by newer ones (`newest`).
//! 2. Features: true cosines, ranks and shares are filled in there ([`RankingFeatures`]).
//! 3. Score: a logistic model (`scoring.rs`), or for figures a weighted sum (`figures.rs`).
//! 4. Rerank: the cross-encoder reads the most promising ones until a deadline (`rerank.rs`).
//! 5. Group: what several versions share becomes one hit (`occurrences.rs`, `tdoc_passages.rs`,
//!    `figure_hits.rs`).
//!
//! Owns ranking. Knows nothing of the wire: operations turn their parameters into a query
//! ([`PassageQuery`], [`TdocQuery`], [`FigureQuery`]) and the hits into records.

#![forbid(unsafe_code)]

mod arm;
mod candidate;
mod confidence;
mod error;
mod evidence;
mod exact_phrases;
mod figure_hits;
mod figures;
mod models;
mod newest;
mod occurrences;
mod passage_pool;
mod passages;
mod pool;
mod queries;
mod query_expansion;
mod query_vectors;
mod rerank;
mod scoring;
mod search_activity;
mod stages;
mod tdoc_identifiers;
mod tdoc_matches;
mod tdoc_passages;
mod tdocs;
mod turn_queue;
mod weights;

pub use arm::Arm;
pub use candidate::{PassageCandidate, RankingFeatures};
pub use confidence::AnswerConfidence;
pub use error::RetrievalError;
pub use evidence::QuestionEvidence;
pub use models::{DEFAULT_TEXT_EMBEDDING, ModelSettings, Models, NO_MODEL};
pub use newest::TextAges;
pub use queries::{
    FigureHit, FigureQuery, PassageQuery, Reading, RetrievalResult, TdocHit, TdocQuery,
    TdocRetrievalResult,
};
pub use query_expansion::{QueryExpander, SynonymVocabulary, VOCABULARY_NUMBER, VocabularyError};
pub(crate) use query_vectors::QueryVectors;
pub use scoring::named_features;
pub use search_activity::{RunningSearch, SearchActivity};
pub use tdoc_matches::TdocSearchPath;
pub use weights::FittedModel;

use std::{sync::Arc, time::Duration};

use lexical::QueryExpansion;
use store::{DocumentFilter, Snapshot, StoreError};

use newest::HeadingMatches;
use turn_queue::TurnQueue;

/// How this installation searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSettings {
    /// Time for the whole of a search, from its admission. What the reranker has not read by then keeps the score of the
    /// first stage.
    pub rerank_deadline: Duration,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { rerank_deadline: Duration::from_secs(5) }
    }
}

/// Searches that run at once; more are rejected. Above the 64 that the HTTP server runs, which has its own queue:
/// this bounds what all callers together can start.
const MAX_SEARCHES: usize = 96;
/// Seconds after which a rejected search may be repeated.
const RETRY_S: u64 = 2;

/// Answers searches: the models, the query expansion and the settings, without the index.
pub struct Retriever {
    /// The neural models, loaded when first needed.
    pub models: Arc<Models>,
    /// The searches that run.
    pub activity: Arc<SearchActivity>,
    query_expander: QueryExpander,
    settings: SearchSettings,
    rerank_turns: TurnQueue,
    heading_matches: HeadingMatches,
}

impl Retriever {
    /// Puts the parts together.
    pub fn new(
        models: Arc<Models>,
        query_expander: QueryExpander,
        settings: SearchSettings,
    ) -> Self {
        let (activity, rerank_turns) = (Arc::default(), TurnQueue::default());
        let heading_matches = HeadingMatches::default();
        Self { models, activity, query_expander, settings, rerank_turns, heading_matches }
    }

    /// Says of passages since when they have their text, as far as a filter allows older versions.
    pub fn text_ages<'a>(
        &'a self,
        snapshot: &'a Snapshot,
        filter: &'a DocumentFilter,
    ) -> TextAges<'a> {
        TextAges::new(snapshot, filter, &self.heading_matches)
    }

    /// Admits a search, unless too many run.
    fn admit_search(&self) -> Result<RunningSearch<'_>, RetrievalError> {
        let overloaded = RetrievalError::Overloaded { retry_after_s: RETRY_S };
        self.activity.begin_search(MAX_SEARCHES).ok_or(overloaded)
    }

    /// What the specifications say of the abbreviations in a text, and of words that have an abbreviation: the
    /// counterparts that apply in all documents.
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
