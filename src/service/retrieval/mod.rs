//! From a question to passages, best first: candidates by meaning and by words, their evidence
//! weighed, the most promising read by the reranker, and one calibrated score for each.
//!
//! Owns ranking. Knows nothing of the wire: operations turn their parameters into a [`Question`]
//! and the [`Found`] into records.

mod blend;
mod candidate;
mod confidence;
mod figures;
mod gather;
mod rerank;
mod stages;
mod tdoc_identifiers;
mod tdoc_passages;
mod tdocs;

pub(super) use blend::features;
pub use candidate::{Candidate, Evidence};
pub use confidence::Certainty;
pub(super) use figures::{FigureQuestion, FoundFigure};
pub(super) use tdocs::{FoundTdoc, TdocQuestion};

use std::time::{Duration, Instant};

use stages::Stage;

use super::{Service, internal};
use evaluation::Arm;
use store::{DocumentFilter, SearchPlan, Snapshot};
use wire::Failure;

/// How this installation searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSettings {
    /// Time the reranker has for one search, from the moment the candidates are found; what it
    /// has not read by then is ordered without it.
    pub rerank_deadline: Duration,
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self { rerank_deadline: Duration::from_secs(5) }
    }
}

/// What is asked of the index.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Documents to look in.
    pub filter: DocumentFilter,
    /// Exact section number to look in.
    pub section: Option<&'a str>,
    /// The least cosine of a passage.
    pub threshold: f64,
    /// How many candidates to weigh.
    pub limit: usize,
    /// How they are found and ordered; the whole search is [`Arm::Reranked`].
    pub arm: Arm,
    /// Whether a passage that several versions share is a candidate for each of them.
    pub expand_versions: bool,
    /// Whether each clause is represented by one passage.
    pub collapse_versions: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Candidates, best first.
    pub candidates: Vec<Candidate>,
    /// How many of them the reranker read before its deadline.
    pub scored: usize,
    /// What speaks for and against the answer being among them.
    pub certainty: Certainty,
    /// How each vector file was searched.
    pub plans: Vec<SearchPlan>,
}

impl Service {
    /// Finds the passages that a question asks for.
    pub fn retrieve(&self, snapshot: &Snapshot, question: &Question<'_>) -> Result<Found, Failure> {
        if snapshot.catalog().is_empty() {
            return Ok(Found::default());
        }
        // The reranker takes all cores: its turn is taken before anything is done, so that a search
        // that finds too many before it is refused at once.
        let _turn = match question.arm {
            Arm::Reranked => Some(self.reranking.take()?),
            Arm::Words | Arm::Vectors | Arm::Both => None,
        };
        let pool = gather::gather(self, snapshot, question)?;
        let mut found = {
            let _stage = Stage::begin("collect");
            pool.found(snapshot, question).map_err(internal)?
        };
        if question.arm == Arm::Reranked {
            let _stage = Stage::begin("rerank");
            let deadline = Instant::now() + self.settings.search.rerank_deadline;
            rerank::rerank(self, snapshot, question, &mut found, deadline)?;
        }
        found.certainty.weigh(&found.candidates, found.scored);
        Ok(found)
    }
}
