//! Passages of specifications: by meaning, by words, or by both and reranked.

use std::collections::{HashMap, hash_map::Entry};

use super::{
    AnswerConfidence, RankingFeatures, RetrievalError, Retriever,
    candidate::{PassageCandidate, sort_candidates},
    exact_phrases::find_exact_phrases,
    occurrences::{ClauseCandidates, PassageOccurrences, find_occurrences},
    pool::{CandidatePool, MissingVectors},
    queries::{PassageQuery, RetrievalResult},
    query_vectors::QueryVectors,
    rerank::rerank_until,
    scoring,
    stages::Stage,
};
use evaluation::Arm;
use lexical::LexicalQuery;
use store::{
    DocumentRow, SearchPlan, SectionHead, Snapshot, StoreError, VectorQuery, build_context_header,
};

/// Minimum number of word hits that are noted as features; fewer of them may become candidates.
const MIN_WORD_HITS: usize = 200;
/// An identifier in more contents than this does not tell passages apart.
const MAX_RARE_OCCURRENCES: usize = 200;

impl Retriever {
    /// Finds the passages that a question asks for.
    pub fn retrieve_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
    ) -> Result<RetrievalResult, RetrievalError> {
        if snapshot.catalog().is_empty() {
            return Ok(RetrievalResult::default());
        }
        // The reranker takes all cores: its turn comes first, so that a search that finds the queue full
        // is refused at once.
        let _turn = match question.arm {
            Arm::Reranked => Some(self.rerank_turns.take_turn()?),
            Arm::Words | Arm::Vectors | Arm::Both => None,
        };
        let mut found = RetrievalResult::default();
        let pool = self.gather_passages(snapshot, question, &mut found)?;
        {
            let _stage = Stage::begin("collect");
            found.candidates = group_passages(pool, snapshot, question)?;
        }
        if question.arm == Arm::Reranked {
            let _stage = Stage::begin("rerank");
            self.rerank_passages(snapshot, question, &mut found)?;
        }
        found.answer_confidence.compute_confidence(&found.candidates, found.scored);
        Ok(found)
    }

    /// The contents that may answer a question, with their features.
    fn gather_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        found: &mut RetrievalResult,
    ) -> Result<CandidatePool<()>, RetrievalError> {
        let mut pool = CandidatePool::default();
        let mut vectors = None;
        if question.arm != Arm::Words {
            let embedded = {
                let _stage = Stage::begin("embed");
                // Where only similarity counts, the contract has the question embedded as it was put.
                let with_field_terms = matches!(question.arm, Arm::Both | Arm::Reranked);
                self.embed_question(snapshot, question.text, with_field_terms)?
            };
            let _stage = Stage::begin("vectors");
            found.plans = add_nearest(&mut pool, snapshot, question, &embedded)?;
            vectors = Some(embedded);
        }
        let identifiers = find_exact_phrases(question.text);
        if question.arm != Arm::Vectors {
            let _stage = Stage::begin("words");
            self.add_passages_by_words(&mut pool, snapshot, question, &identifiers)?;
        }
        found.answer_confidence =
            AnswerConfidence::from_question(snapshot, question.text, &identifiers)?;
        if let Some(vectors) = vectors {
            pool.fill_cosines(snapshot, &vectors, MissingVectors::Dropped);
            pool.retain(|features| features.cosine.max(0.0) >= question.threshold);
        }
        pool.fill_word_shares(None);
        Ok(pool)
    }

    /// Adds the best hits by words; those beyond the limit only add features to candidates found by
    /// meaning.
    fn add_passages_by_words(
        &self,
        pool: &mut CandidatePool<()>,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        identifiers: &[String],
    ) -> Result<(), StoreError> {
        let query = LexicalQuery {
            text: question.text.to_owned(),
            phrases: identifiers.to_vec(),
            expansions: self.query_expander.expand_query(
                snapshot,
                &question.filter,
                question.text,
            )?,
        };
        let limit = question.limit.max(MIN_WORD_HITS);
        let hits = snapshot.contents().search_lexical(
            &query,
            &question.filter,
            question.section,
            limit,
        )?;
        pool.add_word_hits(hits, question.limit, |()| {});
        let mut is_exact = false;
        for identifier in identifiers {
            is_exact |= (1..=MAX_RARE_OCCURRENCES).contains(
                &snapshot.contents().count_occurrences(identifier, MAX_RARE_OCCURRENCES + 1)?,
            );
        }
        pool.for_each(|_, candidate| candidate.features.question_is_exact = is_exact);
        Ok(())
    }

    /// Gives the candidates the score of the last stage and orders them by it. Those that were not
    /// read before the deadline keep the score of the first stage.
    fn rerank_passages(
        &self,
        snapshot: &Snapshot,
        question: &PassageQuery<'_>,
        found: &mut RetrievalResult,
    ) -> Result<(), RetrievalError> {
        if found.candidates.is_empty() {
            return Ok(());
        }
        let reranker = self.models.reranker()?;
        let mut sections = HashMap::new();
        found.scored = rerank_until(
            &*reranker,
            question.text,
            &mut found.candidates,
            self.settings.rerank_deadline,
            |candidate| Ok(read_text_with_header(snapshot, &mut sections, candidate)?),
            |candidate, logit| candidate.features.logit = Some(logit),
        )?;
        if found.scored > 0 {
            for candidate in &mut found.candidates {
                candidate.score = scoring::reranked_score(&candidate.features);
            }
            sort_candidates(snapshot, &mut found.candidates);
        }
        Ok(())
    }
}

/// Adds the nearest contents; returns how each vector file was searched.
fn add_nearest(
    pool: &mut CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
    vectors: &QueryVectors,
) -> Result<Vec<SearchPlan>, StoreError> {
    let (filter, section) = (&question.filter, question.section);
    let query = VectorQuery { vector: &vectors.own, filter, section, limit: question.limit };
    let nearest = snapshot.contents().search_vectors(query)?;
    pool.add_vector_hits(nearest.hits, |()| {});
    if let Some(field) = &vectors.field {
        let hits = snapshot.contents().search_vectors(VectorQuery { vector: field, ..query })?.hits;
        pool.add_contents(hits.into_iter().map(|hit| hit.content));
    }
    Ok(nearest.plans)
}

/// The best contents as passages.
fn group_passages(
    pool: CandidatePool<()>,
    snapshot: &Snapshot,
    question: &PassageQuery<'_>,
) -> Result<Vec<PassageCandidate>, StoreError> {
    let score = match question.arm {
        Arm::Words => |features: &RankingFeatures| features.bm25_score,
        Arm::Vectors => |features: &RankingFeatures| features.cosine,
        Arm::Both | Arm::Reranked => scoring::first_stage_score,
    };
    let mut candidates: Vec<PassageCandidate> = Vec::new();
    let mut clauses = ClauseCandidates::default();
    for scored in pool.into_scored(|pooled| score(&pooled.features)) {
        if candidates.len() >= question.limit {
            break;
        }
        for occurrence in find_occurrences(snapshot, question, scored.content)? {
            let PassageOccurrences { passage, row, also_in } = occurrence;
            let (features, score) = (scored.pooled.features, scored.score);
            let candidate = PassageCandidate { passage, row, features, score, also_in };
            if question.collapse_versions {
                clauses.collapse_candidate(snapshot, candidate, &mut candidates)?;
            } else {
                candidates.push(candidate);
            }
        }
    }
    sort_candidates(snapshot, &mut candidates);
    candidates.truncate(question.limit);
    Ok(candidates)
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
