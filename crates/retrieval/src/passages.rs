//! Passages of specifications: by meaning, by words, or by both and reranked.

use std::{
    collections::{HashMap, hash_map::Entry},
    time::{Duration, Instant},
};

use super::{
    Arm, QuestionEvidence, RankingFeatures, RetrievalError, Retriever,
    candidate::{PassageCandidate, sort_candidates},
    newest::CurrentPassages,
    occurrences::{ClauseCandidates, PassageOccurrences, find_occurrences},
    pool::CandidatePool,
    queries::{PassageQuery, Reading, RetrievalResult},
    rerank::rerank_until,
    scoring,
    stages::Stage,
};
use document_model::build_context_header;
use domain::SearchShortfall;
use domain::error_chain;
use store::{DocumentRow, SectionHead, Snapshot, StoreError};

/// Minimum number of candidates of which the reranker reads the most promising. Deviations and shares are relative to
/// all candidates, so a few would make the features of each too dependent on the others.
const RERANK_POOL: usize = 100;
/// How many it reads: on documents left out of the fit, nDCG@10 is .570 with six, .568 with nine and .568 with thirty
/// (docs/ranking.md), and each takes time.
const MAX_READ: usize = 6;
/// Stands for a deadline that does not come.
const NO_DEADLINE: Duration = Duration::from_secs(86_400);
/// How many it reads while weights are fitted, so that the fit also sees logits of passages that are not among the
/// best.
const MAX_READ_DEEPLY: usize = 30;

impl Retriever {
    /// Finds the passages that a question asks for. If something is missing, the rest is used, and the result says
    /// so.
    pub fn retrieve_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
    ) -> Result<RetrievalResult, RetrievalError> {
        if snapshot.catalog().is_empty() || question.text.trim().is_empty() {
            return Ok(RetrievalResult::default());
        }
        let (_running, admitted) = (self.admit_search()?, Instant::now());
        let mut found = RetrievalResult::default();
        let depth = match question.arm {
            Arm::Reranked => question.limit.max(RERANK_POOL),
            Arm::Words | Arm::Vectors | Arm::Both => question.limit,
        };
        let (pool, current) = self.gather_passages(snapshot, question, depth, &mut found)?;
        {
            let _stage = Stage::begin("collect");
            found.candidates = match current {
                Some(current) => current_passages(pool, snapshot, question, depth, &found, current),
                None => group_passages(pool, snapshot, question, depth, &found)?,
            };
        }
        if question.arm == Arm::Reranked {
            let _stage = Stage::begin("rerank");
            self.rerank_passages(snapshot, question, admitted, &mut found)?;
        }
        let fitted = found.evidence.fitted_model;
        found.answer_confidence.compute_confidence(&found.candidates, found.scored, fitted);
        found.candidates.truncate(question.limit);
        Ok(found)
    }

    /// Gives the candidates the score of the last stage and orders them by it. Those that were not
    /// read keep the score of the first stage.
    fn rerank_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        admitted: Instant,
        found: &mut RetrievalResult,
    ) -> Result<(), RetrievalError> {
        if found.candidates.is_empty() {
            return Ok(());
        }
        let reranker = match self.models.reranker() {
            Ok(reranker) => reranker,
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "passages are not reranked");
                found.degraded.push(SearchShortfall::Reranker);
                return Ok(());
            }
        };
        let deadline = match question.reading {
            Reading::UntilDeadline => admitted + self.settings.rerank_deadline,
            Reading::Completely | Reading::Deeply => admitted + NO_DEADLINE,
        };
        let Some(_turn) = self.rerank_turns.take_turn(cost_meter::current_owner(), deadline) else {
            found.degraded.push(SearchShortfall::Busy);
            return Ok(());
        };
        let mut sections = HashMap::new();
        let most = match question.reading {
            Reading::UntilDeadline | Reading::Completely => MAX_READ,
            Reading::Deeply => MAX_READ_DEEPLY,
        };
        let most = most.min(found.candidates.len());
        found.scored = rerank_until(
            &*reranker,
            question.text,
            &mut found.candidates[..most],
            deadline,
            |candidate| Ok(read_text_with_header(snapshot, &mut sections, candidate)?),
            |candidate, logit| candidate.features.logit = Some(logit),
        )?;
        // The time ran out before the first batch, so the order of the first stage stays.
        if found.scored == 0 {
            found.degraded.push(SearchShortfall::Busy);
            return Ok(());
        }
        let features = found.candidates.iter().map(|candidate| &candidate.features);
        let read = QuestionEvidence::collect(features, &found.answer_confidence);
        found.evidence.best_logit = read.best_logit;
        for candidate in &mut found.candidates {
            candidate.score = scoring::reranked_score(&candidate.features, &found.evidence);
        }
        sort_candidates(snapshot, &mut found.candidates);
        Ok(())
    }
}

/// The best contents as passages.
fn group_passages(
    pool: CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    depth: usize,
    found: &RetrievalResult,
) -> Result<Vec<PassageCandidate>, StoreError> {
    let mut candidates: Vec<PassageCandidate> = Vec::new();
    let mut clauses = ClauseCandidates::default();
    for scored in pool.into_scored(|pooled| gathered_score(&pooled.features, question, found)) {
        if candidates.len() >= depth {
            break;
        }
        for occurrence in find_occurrences(snapshot, question, scored.content)? {
            let PassageOccurrences { passage, row, also_in } = occurrence;
            let (features, score) = (scored.pooled.features, scored.score);
            let candidate =
                PassageCandidate { passage, row, features, score, also_in, missing_in: None };
            if question.collapse_versions {
                clauses.collapse_candidate(snapshot, candidate, &mut candidates)?;
            } else {
                candidates.push(candidate);
            }
        }
    }
    sort_candidates(snapshot, &mut candidates);
    candidates.truncate(depth);
    Ok(candidates)
}

/// The best contents as passages of the newest versions.
fn current_passages(
    pool: CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    depth: usize,
    found: &RetrievalResult,
    mut current: CurrentPassages,
) -> Vec<PassageCandidate> {
    let mut candidates = Vec::new();
    for scored in pool.into_scored(|pooled| gathered_score(&pooled.features, question, found)) {
        let Some(candidate) = current.to_candidate(snapshot, scored.content) else { continue };
        let (features, score) = (scored.pooled.features, scored.score);
        let candidate = PassageCandidate { features, score, ..candidate };
        current.add_candidate(snapshot, question.collapse_versions, candidate, &mut candidates);
    }
    sort_candidates(snapshot, &mut candidates);
    candidates.truncate(depth);
    candidates
}

/// The score of a candidate before reranking.
fn gathered_score(
    features: &RankingFeatures,
    question: &PassageQuery<'_>,
    found: &RetrievalResult,
) -> f64 {
    match question.arm {
        Arm::Words => features.bm25_score,
        Arm::Vectors if found.degraded.is_empty() => features.similarity(),
        // Similarities and hits by words can be compared only as probabilities.
        Arm::Vectors | Arm::Both | Arm::Reranked => {
            scoring::first_stage_score(features, &found.evidence)
        }
    }
}

/// A passage as it was embedded: context header, then text. The section heads of a document are
/// read once.
fn read_text_with_header(
    snapshot: &Snapshot,
    sections: &mut HashMap<u32, Vec<SectionHead>>,
    candidate: &PassageCandidate,
) -> Result<String, StoreError> {
    let row = &candidate.row;
    let text = row.extract_text(&snapshot.documents().section_text(row.section_key())?)?;
    let Some(entry) = snapshot.catalog().get(row.document) else { return Ok(text) };
    let heads = match sections.entry(row.document) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(new) => new.insert(snapshot.documents().section_heads(row.document)?),
    };
    let DocumentRow { doc_type, number, .. } = &entry.row;
    let header = build_context_header(*doc_type, number, heads, row.section);
    Ok(format!("{header}\n{text}"))
}
