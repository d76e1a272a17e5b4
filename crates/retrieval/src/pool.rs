//! Contents that may answer a question, each with its features: the one pool behind searches of
//! passages, of TDocs and of figures.
//!
//! A target adds the hits of its vector and word searches; features that depend on all candidates (true cosines,
//! ranks, shares) are filled in here, and a score orders them. `E` contains what only one target knows of a content.

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

/// Below this a standard deviation is noise: dividing by it would turn rounding errors into large deviations.
const MIN_DEVIATION: f64 = 1e-6;

/// Mean and standard deviation of some values.
struct Spread {
    mean: f64,
    deviation: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Self { mean, deviation: variance.sqrt() }
    }

    fn deviation(&self, value: f64) -> f64 {
        if self.deviation < MIN_DEVIATION { 0.0 } else { (value - self.mean) / self.deviation }
    }
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
            candidate.features.has_vector = true;
            note(&mut candidate.extra);
        }
    }

    /// Adds contents that were found, whatever their score.
    pub(crate) fn add_contents(&mut self, contents: impl IntoIterator<Item = u64>) {
        contents.into_iter().for_each(|content| {
            self.candidate_mut(content);
        });
    }

    /// Notes score and rank of hits by words, best first. The first `candidate_limit` become candidates; the others
    /// are noted only if they are candidates already.
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

    /// The ids of all contents, ascending.
    pub(crate) fn content_ids(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.contents.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    /// Removes a content.
    pub(crate) fn remove(&mut self, content: u64) {
        self.contents.remove(&content);
    }

    /// Counts the ranks by words again, after contents were removed.
    pub(crate) fn renumber_word_ranks(&mut self) {
        let ranks = self.contents.values_mut().map(|pooled| &mut pooled.features.words_rank);
        let mut ranks: Vec<&mut usize> = ranks.flatten().collect();
        ranks.sort_unstable();
        for (rank, own) in (1..).zip(ranks) {
            *own = rank;
        }
    }

    /// Calls a function with every candidate.
    pub(crate) fn for_each(&mut self, mut act: impl FnMut(u64, &mut PooledContent<E>)) {
        self.contents.iter_mut().for_each(|(content, candidate)| act(*content, candidate));
    }

    /// Keeps the candidates whose features satisfy a condition.
    pub(crate) fn retain(&mut self, passes: impl Fn(&RankingFeatures) -> bool) {
        self.contents.retain(|_, candidate| passes(&candidate.features));
    }

    /// Gives each candidate its true cosines, and its rank by the first of them, if it has vectors.
    pub(crate) fn fill_cosines(&mut self, snapshot: &Snapshot, query: &QueryVectors) {
        for (content, candidate) in &mut self.contents {
            let features = &mut candidate.features;
            if !features.has_vector
                && let Some(cosine) = snapshot.contents().content_similarity(*content, &query.own)
            {
                (features.cosine, features.has_vector) = (f64::from(cosine), true);
            }
            let field = query.field.as_ref();
            let field =
                field.and_then(|field| snapshot.contents().content_similarity(*content, field));
            features.field_cosine = field.map_or(features.cosine, f64::from);
        }
        let mut order: Vec<(&u64, &mut PooledContent<E>)> =
            self.contents.iter_mut().filter(|(_, pooled)| pooled.features.has_vector).collect();
        order.sort_by(|(a_id, a), (b_id, b)| {
            b.features.cosine.total_cmp(&a.features.cosine).then(a_id.cmp(b_id))
        });
        for (rank, (_, candidate)) in (1..).zip(order) {
            candidate.features.vector_rank = Some(rank);
        }
    }

    /// Gives each candidate with vectors its deviations from the mean of all; after the cosines.
    pub(crate) fn fill_deviations(&mut self) {
        let cosine = |features: &RankingFeatures| features.cosine.max(features.field_cosine);
        let embedded = || self.contents.values().map(|pooled| &pooled.features);
        let embedded = || embedded().filter(|features| features.has_vector);
        let cosines = Spread::of(embedded().map(cosine));
        let headings = Spread::of(embedded().map(|features| features.heading_cosine));
        for candidate in self.contents.values_mut().filter(|pooled| pooled.features.has_vector) {
            let features = &mut candidate.features;
            features.cosine_deviation = cosines.deviation(cosine(features));
            features.heading_deviation = headings.deviation(features.heading_cosine);
        }
    }

    /// The features of all candidates.
    pub(crate) fn features(&self) -> impl Iterator<Item = &RankingFeatures> + Clone {
        self.contents.values().map(|pooled| &pooled.features)
    }

    /// Sets each candidate's BM25 score as a share of the best one, and of `bound`, the highest score that the words of
    /// the question can have.
    pub(crate) fn fill_word_coverage(&mut self, bound: f64) {
        self.fill_word_shares(None);
        // No word of the question is in the index, and a share of 0 is not a number.
        if bound <= 0.0 {
            return;
        }
        for candidate in self.contents.values_mut() {
            candidate.features.words_coverage = candidate.features.bm25_score / bound;
        }
    }

    /// Sets each candidate's BM25 score as a share of `bound`, or of the best one.
    pub(crate) fn fill_word_shares(&mut self, bound: Option<f64>) {
        let scores = self.contents.values().map(|candidate| candidate.features.bm25_score);
        let maximum = bound.unwrap_or_else(|| scores.fold(0.0, f64::max));
        if maximum <= 0.0 {
            return;
        }
        for candidate in self.contents.values_mut() {
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
