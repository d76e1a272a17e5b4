//! Runs single arms of the search.

use std::time::Instant;

use anyhow::Result;
use domain::SectionNumber;
use evaluation::{ClauseId, RankedSection, Ranking};
use retrieval::{Arm, PassageCandidate, PassageQuery, Reading, RetrievalError, RetrievalResult};
use specbox::service::Service;
use store::{DocumentFilter, Snapshot, StoreError};

/// Maximum number of passages that the contract lets a search return; usually from ten sections or more.
const MAX_PASSAGES: usize = 200;
/// The default of `match_count`, from which a reranked search returns its best.
const RERANKED_CANDIDATES: usize = 30;
/// Candidates whose features are written for fitting: all from which the first stage chooses those that are reranked.
const FITTED_CANDIDATES: usize = 100;

/// The arms of the search of a service, one at a time.
pub(crate) struct ArmRanker<'a>(pub(crate) &'a Service);

/// A candidate with the features to which the ranking weights are fitted.
#[derive(Debug, Clone)]
pub(crate) struct CandidateFeatures {
    /// The clause that contains it.
    pub(crate) clause: ClauseId,
    /// Names and values of its ranking features.
    pub(crate) features: Vec<(&'static str, f64)>,
}

impl ArmRanker<'_> {
    /// The best passages for a query, at least `depth` of them if there are that many.
    pub(crate) fn rank_sections(&self, query: &str, arm: Arm, depth: usize) -> Result<Ranking> {
        let started = Instant::now();
        let snapshot = self.0.store.snapshot();
        let found = self.retrieve_arm(&snapshot, query, arm, depth, Reading::Completely)?;
        let elapsed = started.elapsed();
        let confidence = match arm {
            Arm::Reranked => found.answer_confidence.confidence,
            Arm::Vectors => found.candidates.first().map(PassageCandidate::similarity),
            // BM25 has no scale, and the first stage alone is not offered.
            Arm::Words | Arm::Both => None,
        };
        let results =
            found.candidates.iter().filter_map(|c| to_ranked_section(&snapshot, c).transpose());
        let results = results.collect::<Result<_, _>>()?;
        Ok(Ranking { elapsed, results, confidence })
    }

    /// The candidates of an arm for a query, in its order: as many as the reranker reads, or for the
    /// other arms up to `MAX_PASSAGES`.
    pub(crate) fn candidate_features(
        &self,
        query: &str,
        arm: Arm,
    ) -> Result<Vec<CandidateFeatures>> {
        let snapshot = self.0.store.snapshot();
        let found = self.retrieve_arm(&snapshot, query, arm, MAX_PASSAGES, Reading::Deeply)?;
        let to_features = |candidate: &PassageCandidate| {
            let ranked = to_ranked_section(&snapshot, candidate)?;
            let mut features = retrieval::named_features(&candidate.features);
            features.extend(found.evidence.named());
            Ok(ranked.map(|ranked| CandidateFeatures { clause: ranked.clause, features }))
        };
        let features = found.candidates.iter().filter_map(|c| to_features(c).transpose());
        Ok(features.collect::<Result<_, StoreError>>()?)
    }

    fn retrieve_arm(
        &self,
        snapshot: &Snapshot,
        query: &str,
        arm: Arm,
        depth: usize,
        reading: Reading,
    ) -> Result<RetrievalResult, RetrievalError> {
        let limit = match (arm, reading) {
            (Arm::Reranked, Reading::Deeply) => FITTED_CANDIDATES,
            (Arm::Reranked, _) => RERANKED_CANDIDATES,
            (Arm::Words | Arm::Vectors | Arm::Both, _) => depth.min(MAX_PASSAGES),
        };
        let question = PassageQuery {
            text: query,
            filter: DocumentFilter::default(),
            section: None,
            threshold: 0.0,
            limit,
            arm,
            reading,
            expand_versions: false,
            collapse_versions: false,
            newest_only: false,
        };
        self.0.retriever.retrieve_passages(snapshot, &question)
    }
}

fn to_ranked_section(
    snapshot: &Snapshot,
    candidate: &PassageCandidate,
) -> Result<Option<RankedSection>, StoreError> {
    let section = snapshot.documents().section_head(candidate.row.section_key())?;
    let entry = snapshot.catalog().get(candidate.row.document);
    let (Some(entry), Some(section)) = (entry, section) else { return Ok(None) };
    let document = entry.row.number.clone();
    let clause = ClauseId { document, section: SectionNumber::new(&section.number) };
    Ok(Some(RankedSection { clause, version: Some(entry.row.version), score: candidate.score }))
}
