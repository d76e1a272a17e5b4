//! The arms of the search one by one, for evaluation.

use std::{collections::HashMap, time::Instant};

use super::{Operation, Service, internal};
use crate::{
    access::Caller,
    evaluation::{Arm, Place, Ranked, Ranker, Ranking},
    model::{SectionNumber, Version},
    store::{DocumentFilter, LexicalQuery, StoreError},
    wire::{Failure, params::SearchText},
};

/// Candidates of the reranker, as many as a search has by default.
const CANDIDATES: u32 = 30;
/// The most that the contract lets a search return, by similarity and reranked.
const MOST: (u32, u32) = (200, 50);
/// Passages looked at in the word index; versions share many.
const WORD_HITS: usize = 600;
/// The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009).
const RRF_K: f64 = 60.0;

/// The search of a service, seen as arms.
pub struct Arms<'a>(pub &'a Service);

impl Ranker for Arms<'_> {
    type Error = Failure;

    fn rank(&self, query: &str, arm: Arm, depth: usize) -> Result<Ranking, Failure> {
        let started = Instant::now();
        let results = match arm {
            Arm::Words => self.words(query).map_err(internal)?,
            Arm::Vectors => self.search(query, depth, false)?,
            Arm::Reranked => self.search(query, depth, true)?,
            Arm::Both => {
                fused([self.words(query).map_err(internal)?, self.search(query, depth, false)?])
            }
        };
        // Fused scores are ranks, and those of words have no scale: neither tells of certainty.
        let sure = matches!(arm, Arm::Vectors | Arm::Reranked);
        let confidence = results.first().map(|best| best.score).filter(|_| sure);
        Ok(Ranking { elapsed: started.elapsed(), results, confidence })
    }
}

impl Arms<'_> {
    fn words(&self, query: &str) -> Result<Vec<Ranked>, StoreError> {
        let snapshot = self.0.store.snapshot();
        let phrases = query.split_whitespace().map(str::to_owned).collect();
        let hits =
            snapshot.words(&LexicalQuery { phrases }, &DocumentFilter::default(), WORD_HITS)?;
        let mut results = Vec::new();
        for (rank, passage) in (1u32..).zip(hits) {
            let Some(row) = snapshot.passage(passage)? else { continue };
            let section = snapshot.section(row.section_key())?;
            let (Some(entry), Some(section)) = (snapshot.catalog().get(row.document), section)
            else {
                continue;
            };
            let document = entry.row.number.clone();
            let place = Place { document, section: SectionNumber::new(&section.number) };
            let (version, score) = (Some(entry.row.version), 1.0 / f64::from(rank));
            results.push(Ranked { place, version, score });
        }
        Ok(results)
    }

    fn search(&self, query: &str, depth: usize, rerank: bool) -> Result<Vec<Ranked>, Failure> {
        let wanted = u32::try_from(depth).unwrap_or(MOST.0).clamp(1, MOST.0);
        let search = SearchText {
            query: query.to_owned(),
            match_count: if rerank { CANDIDATES } else { wanted },
            match_threshold: 0.0,
            rerank,
            rerank_top_k: MOST.1,
            include_section_text: false,
            filter_release: None,
            filter_doc_type: None,
            filter_doc_number: None,
            filter_series: None,
            filter_section_number: None,
            expand_versions: false,
        };
        let reply = search.run(self.0, &Caller::operator())?;
        let ranked = reply.results.into_iter().filter_map(|result| {
            let section = SectionNumber::new(&result.section_number?);
            let place = Place { document: result.doc_number.parse().ok()?, section };
            let version: Option<Version> = result.version.parse().ok();
            let score = result.relevance_score.unwrap_or(result.similarity);
            Some(Ranked { place, version, score })
        });
        Ok(ranked.collect())
    }
}

/// Reciprocal rank fusion of rankings of sections.
fn fused(rankings: [Vec<Ranked>; 2]) -> Vec<Ranked> {
    let mut sums: HashMap<Place, Ranked> = HashMap::new();
    for ranking in rankings {
        for (rank, ranked) in (1u32..).zip(crate::evaluation::collapse(ranking)) {
            let place = ranked.place.clone();
            let sum = sums.entry(place).or_insert(Ranked { score: 0.0, ..ranked });
            sum.score += 1.0 / (RRF_K + f64::from(rank));
        }
    }
    let mut all: Vec<Ranked> = sums.into_values().collect();
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place.cmp(&b.place)));
    all
}
