//! Contents that may answer a question, each with its features: the one pool behind searches of
//! passages, of TDocs and of figures.
//!
//! A target adds the hits of its vector and word searches; features that depend on all candidates
//! (true cosines, ranks, shares) are filled in here, and a score orders them. `E` holds what only
//! one target knows of a content.

use std::collections::HashMap;

use lexical::LexicalHit;
use store::{Snapshot, VectorHit};

use super::{QueryVectors, RankingFeatures};

/// A content with its features.
#[derive(Debug, Clone, Default)]
pub(crate) struct PooledContent<E> {
    pub(crate) features: RankingFeatures,
    pub(crate) extra: E,
}

/// A content with the score that orders it.
#[derive(Debug)]
pub(crate) struct ScoredContent<E> {
    pub(crate) content: u64,
    pub(crate) score: f64,
    pub(crate) pooled: PooledContent<E>,
}

/// How to treat a content without vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MissingVectors {
    /// It is no candidate.
    Dropped,
    /// Its cosine is 0.
    Zero,
}

/// The contents by id.
#[derive(Debug, Default)]
pub(crate) struct CandidatePool<E> {
    contents: HashMap<u64, PooledContent<E>>,
}

impl<E: Default> CandidatePool<E> {
    /// The features of a content, which is a candidate from now on.
    pub(crate) fn candidate_mut(&mut self, content: u64) -> &mut PooledContent<E> {
        self.contents.entry(content).or_default()
    }

    /// Adds contents that were found by their vectors, with their cosines.
    pub(crate) fn add_vector_hits(
        &mut self,
        hits: impl IntoIterator<Item = VectorHit>,
        mut note: impl FnMut(&mut E),
    ) {
        for hit in hits {
            let candidate = self.candidate_mut(hit.content);
            candidate.features.cosine = f64::from(hit.similarity);
            note(&mut candidate.extra);
        }
    }

    /// Adds contents that were found, whatever their score.
    pub(crate) fn add_contents(&mut self, contents: impl IntoIterator<Item = u64>) {
        contents.into_iter().for_each(|content| {
            self.candidate_mut(content);
        });
    }

    /// Notes score and rank of hits by words, best first. The first `candidate_limit` become
    /// candidates; the others are noted only where they are candidates already.
    pub(crate) fn add_word_hits(
        &mut self,
        hits: impl IntoIterator<Item = LexicalHit>,
        candidate_limit: usize,
        mut note: impl FnMut(&mut E),
    ) {
        for (rank, hit) in (1..).zip(hits) {
            if rank <= candidate_limit || self.contents.contains_key(&hit.content) {
                let candidate = self.candidate_mut(hit.content);
                candidate.features.bm25_score = f64::from(hit.score);
                candidate.features.words_rank = Some(rank);
                note(&mut candidate.extra);
            }
        }
    }

    /// Calls a function with every candidate.
    pub(crate) fn for_each(&mut self, mut act: impl FnMut(u64, &mut PooledContent<E>)) {
        self.contents.iter_mut().for_each(|(content, candidate)| act(*content, candidate));
    }

    /// Keeps the candidates whose features pass.
    pub(crate) fn retain(&mut self, passes: impl Fn(&RankingFeatures) -> bool) {
        self.contents.retain(|_, candidate| passes(&candidate.features));
    }

    /// Gives each candidate its true cosines, and its rank by the first of them.
    pub(crate) fn fill_cosines(
        &mut self,
        snapshot: &Snapshot,
        query: &QueryVectors,
        missing: MissingVectors,
    ) {
        self.contents.retain(|content, candidate| {
            let features = &mut candidate.features;
            // 0 where it was not looked up yet; a cosine that is 0 comes out the same again.
            if features.cosine == 0.0 {
                match snapshot.contents().content_similarity(*content, &query.own) {
                    Some(cosine) => features.cosine = f64::from(cosine),
                    None if missing == MissingVectors::Dropped => return false,
                    None => {}
                }
            }
            let field = query.field.as_ref();
            let field =
                field.and_then(|field| snapshot.contents().content_similarity(*content, field));
            features.field_cosine = field.map_or(features.cosine, f64::from);
            true
        });
        let mut order: Vec<(&u64, &mut PooledContent<E>)> = self.contents.iter_mut().collect();
        order.sort_by(|(a_id, a), (b_id, b)| {
            b.features.cosine.total_cmp(&a.features.cosine).then(a_id.cmp(b_id))
        });
        for (rank, (_, candidate)) in (1..).zip(order) {
            candidate.features.vector_rank = Some(rank);
        }
    }

    /// Sets each candidate's BM25 score as a share of `bound`, or of the best one.
    pub(crate) fn fill_word_shares(&mut self, bound: Option<f64>) {
        let scores = self.contents.values().map(|candidate| candidate.features.bm25_score);
        let maximum = bound.unwrap_or_else(|| scores.fold(0.0, f64::max));
        for candidate in self.contents.values_mut().filter(|_| maximum > 0.0) {
            candidate.features.words_share = candidate.features.bm25_score / maximum;
        }
    }

    /// The candidates by their score, best first; equal ones by content id.
    pub(crate) fn into_scored(
        self,
        score: impl Fn(&PooledContent<E>) -> f64,
    ) -> Vec<ScoredContent<E>> {
        let mut scored: Vec<_> = self
            .contents
            .into_iter()
            .map(|(content, pooled)| ScoredContent { content, score: score(&pooled), pooled })
            .collect();
        scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.content.cmp(&b.content)));
        scored
    }
}
