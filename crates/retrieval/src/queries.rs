//! What is asked of each target, and what comes back.

use super::{AnswerConfidence, PassageCandidate};
use crate::tdoc_ways::{TdocMatchWay, TdocSearchPath};
use evaluation::Arm;
use store::{DocumentFilter, FigureKey, FigureRow, PassageKind, SearchPlan, TdocPassageKey};

/// What is asked of the passages of specifications.
#[derive(Debug, Clone)]
pub struct PassageQuery<'a> {
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
pub struct RetrievalResult {
    /// Candidates, best first.
    pub candidates: Vec<PassageCandidate>,
    /// How many of them the reranker read before its deadline.
    pub scored: usize,
    /// What speaks for and against the answer being among them.
    pub answer_confidence: AnswerConfidence,
    /// How each vector file was searched.
    pub plans: Vec<SearchPlan>,
}

/// What is asked of the figures.
#[derive(Debug, Clone)]
pub struct FigureQuery<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Documents to look in.
    pub filter: DocumentFilter,
    /// The least similarity.
    pub threshold: f64,
    /// How many figures to return.
    pub limit: usize,
}

/// A figure that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureHit {
    /// Where it stands: in the newest version that shows it.
    pub figure_key: FigureKey,
    /// What is known of it.
    pub row: FigureRow,
    /// How well it fits, 0 to 1.
    pub similarity: f64,
    /// The other versions of the document that show it, the newest first.
    pub also_in: Vec<FigureKey>,
}

/// What is asked of the texts of meeting documents.
#[derive(Debug, Clone)]
pub struct TdocQuery<'a> {
    /// The words of the question.
    pub text: &'a str,
    /// Keys of the documents to look in, ascending; all when none.
    pub keys: Option<&'a [u32]>,
    /// Kinds of passages; all when none.
    pub kinds: Option<&'a [PassageKind]>,
    /// How many passages to return.
    pub limit: usize,
    /// How many of one document.
    pub max_per_tdoc: usize,
    /// Whether they are reranked.
    pub rerank: bool,
    /// Keys of the documents of companies that the question names, ascending: looked into by themselves, and
    /// preferred.
    pub preferred: &'a [u32],
}

/// What was found.
#[derive(Debug, Default)]
pub struct TdocRetrievalResult {
    /// Passages, the best first.
    pub passages: Vec<TdocHit>,
    /// Whether the reranker read them.
    pub reranked: bool,
    /// Ways that failed: by meaning, or by words.
    pub degraded: Vec<TdocSearchPath>,
    /// Identifiers that are in no document.
    pub unknown: Vec<String>,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct TdocHit {
    /// Where it stands: in the newest document that has it.
    pub passage_key: TdocPassageKey,
    /// How well it fits, 0 to 1.
    pub score: f64,
    /// The ways by which it was found.
    pub matched_by: Vec<TdocMatchWay>,
    /// Identifiers of the question that stand in it.
    pub identifiers: Vec<String>,
    /// Other documents that have it, the newest first.
    pub also_in: Vec<TdocPassageKey>,
}
