//! The queries and results of each search target.

use super::{AnswerConfidence, Arm, PassageCandidate, QuestionEvidence};
use crate::tdoc_matches::TdocSearchPath;
use domain::SearchShortfall;
use domain::TdocMatch;
use domain::UnitType;
use store::{
    DocumentFilter, FigureKey, FigureRow, PassageCoverage, SearchExplanation, TdocPassageKey,
};

/// A search of the passages of specifications.
#[derive(Debug, Clone)]
pub struct PassageQuery<'a> {
    /// The text of the query.
    pub text: &'a str,
    /// The documents to search.
    pub filter: DocumentFilter,
    /// The number of the only section to search.
    pub section: Option<&'a str>,
    /// Minimum cosine of a passage.
    pub threshold: f64,
    /// Maximum number of candidates to return.
    pub limit: usize,
    /// How they are found and ordered; the whole search is [`Arm::Reranked`].
    pub arm: Arm,
    /// How much the reranker reads.
    pub reading: Reading,
    /// Whether a passage that several versions share is a candidate for each of them.
    pub expand_versions: bool,
    /// Whether each clause is represented by one passage.
    pub collapse_versions: bool,
    /// Whether each clause is represented by the newest version that the filter allows; `expand_versions` has no effect then.
    pub newest_only: bool,
}

/// How much of its candidates the reranker reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The most promising ones, until the deadline.
    UntilDeadline,
    /// The same, however long it takes: for evaluation.
    Completely,
    /// More of them, however long it takes: for fitting.
    Deeply,
}

/// The result of a search of passages.
#[derive(Debug, Default)]
pub struct RetrievalResult {
    /// Candidates, best first.
    pub candidates: Vec<PassageCandidate>,
    /// How many of the candidates the reranker read.
    pub scored: usize,
    /// What was left out.
    pub degraded: Vec<SearchShortfall>,
    /// How many passages could be found by their vectors, if not all.
    pub coverage: Option<PassageCoverage>,
    /// How likely the answer is among them.
    pub answer_confidence: AnswerConfidence,
    /// What is known of the question as a whole.
    pub evidence: QuestionEvidence,
    /// How each vector file was searched.
    pub plans: Vec<SearchExplanation>,
}

/// A search of figures.
#[derive(Debug, Clone)]
pub struct FigureQuery<'a> {
    /// The text of the query.
    pub text: &'a str,
    /// The documents to search.
    pub filter: DocumentFilter,
    /// Minimum similarity of a figure.
    pub threshold: f64,
    /// Maximum number of figures to return.
    pub limit: usize,
    /// Whether each figure is represented by the newest version that the filter allows, with its own similarity.
    pub newest_only: bool,
}

/// A figure that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureHit {
    /// The figure in the newest version that shows it.
    pub figure_key: FigureKey,
    /// Its row.
    pub row: FigureRow,
    /// Relevance, 0 to 1.
    pub similarity: f64,
    /// The other versions of the document that show it, the newest first.
    pub also_in: Vec<FigureKey>,
    /// The first later version, if it has no such figure; known only of searches for the newest versions.
    pub missing_in: Option<u32>,
}

/// A search of the texts of meeting documents.
#[derive(Debug, Clone)]
pub struct TdocQuery<'a> {
    /// The text of the query.
    pub text: &'a str,
    /// Keys of the documents to search, ascending; all if `None`.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all if `None`.
    pub kinds: Option<&'a [UnitType]>,
    /// Maximum number of passages to return.
    pub limit: usize,
    /// Maximum number of passages of one document.
    pub max_per_tdoc: usize,
    /// Whether they are reranked.
    pub rerank: bool,
    /// Keys of the documents of companies that the query names, ascending: searched separately, and preferred.
    pub preferred: &'a [u32],
}

/// The result of a search of meeting documents.
#[derive(Debug, Default)]
pub struct TdocRetrievalResult {
    /// Passages, the best first.
    pub passages: Vec<TdocHit>,
    /// How many of them the reranker read.
    pub scored: usize,
    /// The search paths that failed.
    pub degraded: Vec<TdocSearchPath>,
    /// Identifiers that are in no document.
    pub unknown: Vec<String>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct TdocHit {
    /// The passage in the newest document that has it.
    pub passage_key: TdocPassageKey,
    /// Relevance, 0 to 1.
    pub score: f64,
    /// How it matched the query.
    pub matched_by: Vec<TdocMatch>,
    /// Identifiers of the query that occur in it.
    pub identifiers: Vec<String>,
    /// Other documents that have it, the newest first.
    pub also_in: Vec<TdocPassageKey>,
}
