//! What is shown while a search is typed: the passages that have its words, and how many there are of each kind.
//!
//! No model is asked, and nothing is charged: like suggestions it is help for typing, and shows beginnings of passages.

use std::{collections::BTreeMap, time::Instant};

use super::{
    Service, internal_failure,
    refusals::retrieval_failure,
    search_text::{document_filter, group_candidates, to_text_results},
};
use retrieval::{Arm, PassageCandidate, PassageQuery, Reading, RetrievalResult};
use store::Snapshot;
use wire::{
    Failure,
    params::SearchText,
    records::TextResult,
    values::{ResultGrouping, VersionScope},
};

/// Passages that are counted, as the page says. Every keystroke waits for them: 3.7 ms at the median
/// (docs/benchmarks.md).
const MAX_COUNTED: usize = 100;

/// The passages that have the words of a search.
#[derive(Debug, Default)]
pub struct TextPreview {
    /// The best ones, one for each clause.
    pub results: Vec<TextResult>,
    /// What all that were found are counted by.
    pub counts: PassageCounts,
    /// Words of the query that occur in no document.
    pub unknown_terms: Vec<String>,
    /// Elapsed time in milliseconds.
    pub elapsed_ms: f64,
}

/// Passages with the words of a search, by what they can be filtered by. A passage that several versions share counts
/// once for each release that has it.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PassageCounts {
    /// How many passages were counted.
    pub passages: usize,
    /// Whether there are more, which were not counted.
    pub is_cut: bool,
    /// By release.
    pub releases: BTreeMap<String, usize>,
    /// By document type.
    pub doc_types: BTreeMap<String, usize>,
    /// By series.
    pub series: BTreeMap<String, usize>,
    /// By document.
    pub documents: BTreeMap<String, usize>,
}

/// The passages that have the words of a search, for a page: `limit` clauses, best first.
pub fn preview_text(
    service: &Service,
    search: &SearchText,
    limit: usize,
) -> Result<TextPreview, Failure> {
    let started = Instant::now();
    service.recover_store();
    let snapshot = service.store.snapshot();
    let found = find_by_words(service, &snapshot, search)?;
    let counts = count_passages(&snapshot, &found.candidates);
    let unknown_terms = found.answer_confidence.unknown_terms.clone();
    let mut groups = group_candidates(ResultGrouping::Section, found.candidates, |candidate| {
        candidate.row.section_key()
    });
    groups.truncate(limit);
    let shown = SearchText { include_section_text: false, ..search.clone() };
    let results =
        to_text_results(service, &shown, &snapshot, groups, false).map_err(internal_failure)?;
    let elapsed_ms = started.elapsed().as_secs_f64() * 1000.0;
    Ok(TextPreview { results, counts, unknown_terms, elapsed_ms })
}

fn find_by_words(
    service: &Service,
    snapshot: &Snapshot,
    search: &SearchText,
) -> Result<RetrievalResult, Failure> {
    let Some(filter) = document_filter(search) else { return Ok(RetrievalResult::default()) };
    let query = PassageQuery {
        text: &search.query,
        filter,
        section: None,
        threshold: 0.0,
        limit: MAX_COUNTED,
        arm: Arm::Words,
        reading: Reading::UntilDeadline,
        expand_versions: false,
        collapse_versions: false,
        newest_only: search.versions == VersionScope::Newest,
    };
    service.retriever.retrieve_passages(snapshot, &query).map_err(retrieval_failure)
}

fn count_passages(snapshot: &Snapshot, candidates: &[PassageCandidate]) -> PassageCounts {
    let mut counts = PassageCounts {
        passages: candidates.len(),
        is_cut: candidates.len() >= MAX_COUNTED,
        ..PassageCounts::default()
    };
    for candidate in candidates {
        let rows = std::iter::once(&candidate.row).chain(&candidate.also_in);
        let entries: Vec<_> = rows.filter_map(|row| snapshot.catalog().get(row.document)).collect();
        let count = |kind: &mut BTreeMap<String, usize>, mut values: Vec<String>| {
            values.sort_unstable();
            values.dedup();
            for value in values {
                *kind.entry(value).or_default() += 1;
            }
        };
        count(&mut counts.releases, entries.iter().map(|e| e.row.release.to_string()).collect());
        count(&mut counts.doc_types, entries.iter().map(|e| e.row.doc_type.to_string()).collect());
        count(&mut counts.documents, entries.iter().map(|e| e.row.number.to_string()).collect());
        count(
            &mut counts.series,
            entries.iter().map(|e| e.row.number.series().to_owned()).collect(),
        );
    }
    counts
}
