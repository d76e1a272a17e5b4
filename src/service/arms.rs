//! The arms of the search one by one, for evaluation.

use std::time::Instant;

use super::{
    Candidate, Found, Service, internal,
    retrieval::{self, Question},
};
use domain::SectionNumber;
use evaluation::{Arm, Place, Ranked, Ranker, Ranking};
use store::{DocumentFilter, Snapshot, StoreError};
use wire::Failure;

/// Candidates of the reranker, as many as a search has by default.
const CANDIDATES: usize = 30;
/// Passages that hold ten distinct sections as a rule; the most the contract lets a search return.
const PASSAGES: usize = 200;

/// The search of a service, seen as arms.
pub struct Arms<'a>(pub &'a Service);

/// A candidate with what the weights of the ranking are fitted to.
#[derive(Debug, Clone)]
pub struct WeighedCandidate {
    /// Where it stands.
    pub place: Place,
    /// Names and values of what the ranking sees.
    pub features: Vec<(&'static str, f64)>,
}

impl Ranker for Arms<'_> {
    type Error = Failure;

    fn rank(&self, query: &str, arm: Arm, depth: usize) -> Result<Ranking, Failure> {
        let started = Instant::now();
        let snapshot = self.0.store.snapshot();
        let found = self.find(&snapshot, query, arm, depth)?;
        let elapsed = started.elapsed();
        let confidence = match arm {
            Arm::Reranked => found.certainty.confidence,
            Arm::Vectors => found.candidates.first().map(Candidate::similarity),
            // BM25 has no scale, and the first stage alone is not offered.
            Arm::Words | Arm::Both => None,
        };
        let results = found.candidates.iter().filter_map(|c| ranked(&snapshot, c).transpose());
        let results = results.collect::<Result<_, _>>().map_err(internal)?;
        Ok(Ranking { elapsed, results, confidence })
    }
}

impl Arms<'_> {
    /// The candidates of an arm for a query, in its order: those that the reranker has read, or
    /// many of the others.
    pub fn candidates(&self, query: &str, arm: Arm) -> Result<Vec<WeighedCandidate>, Failure> {
        let snapshot = self.0.store.snapshot();
        let found = self.find(&snapshot, query, arm, PASSAGES)?;
        let weigh = |candidate: &Candidate| {
            let ranked = ranked(&snapshot, candidate)?;
            let features = retrieval::features(&candidate.evidence);
            Ok(ranked.map(|ranked| WeighedCandidate { place: ranked.place, features }))
        };
        let weighed = found.candidates.iter().filter_map(|c| weigh(c).transpose());
        weighed.collect::<Result<_, StoreError>>().map_err(internal)
    }

    fn find(
        &self,
        snapshot: &Snapshot,
        query: &str,
        arm: Arm,
        depth: usize,
    ) -> Result<Found, Failure> {
        let limit = if arm == Arm::Reranked { CANDIDATES } else { depth.min(PASSAGES) };
        let question = Question {
            text: query,
            filter: DocumentFilter::default(),
            section: None,
            threshold: 0.0,
            limit,
            arm,
            expand_versions: false,
            collapse_versions: false,
        };
        self.0.retrieve(snapshot, &question)
    }
}

fn ranked(snapshot: &Snapshot, candidate: &Candidate) -> Result<Option<Ranked>, StoreError> {
    let section = snapshot.section(candidate.row.section_key())?;
    let entry = snapshot.catalog().get(candidate.row.document);
    let (Some(entry), Some(section)) = (entry, section) else { return Ok(None) };
    let document = entry.row.number.clone();
    let place = Place { document, section: SectionNumber::new(&section.number) };
    Ok(Some(Ranked { place, version: Some(entry.row.version), score: candidate.score }))
}
