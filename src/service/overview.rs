//! Counts of what is indexed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::Service;
use store::Snapshot;

/// Maximum number of points of the growth curve.
const MAX_GROWTH_POINTS: usize = 60;

/// The corpus in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CorpusOverview {
    /// Document versions.
    pub documents: u64,
    /// Different documents.
    pub numbers: u64,
    /// Passages.
    pub passages: u64,
    /// Figures.
    pub figures: u64,
    /// Document versions without vectors, which searches by meaning do not find.
    pub without_vectors: u64,
    /// Document versions of each release.
    pub releases: BTreeMap<String, u64>,
    /// How the number of document versions grew, oldest first: times in RFC 3339, and the number from then on.
    pub growth: Vec<(String, u64)>,
}

impl CorpusOverview {
    /// The counts by kind.
    pub fn counts_by_kind(&self) -> [(&'static str, u64); 3] {
        [("documents", self.documents), ("passages", self.passages), ("figures", self.figures)]
    }
}

/// The counts, and the stamp of the documents that they belong to.
#[derive(Default)]
pub(super) struct OverviewCache(Mutex<Option<CachedOverview>>);

/// The stamp of the documents, and their counts.
type CachedOverview = ((u64, usize), Arc<CorpusOverview>);

/// The corpus in numbers, as it is now.
pub fn corpus_overview(service: &Service) -> Arc<CorpusOverview> {
    let snapshot = service.store.snapshot();
    let mut cached = service.corpus_overview.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((stamp, overview)) = &*cached
        && *stamp == snapshot.documents_stamp()
    {
        return overview.clone();
    }
    let overview = Arc::new(CorpusOverview::from_snapshot(&snapshot));
    *cached = Some((snapshot.documents_stamp(), overview.clone()));
    overview
}

impl CorpusOverview {
    fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut overview = Self::default();
        let mut numbers: Vec<_> = Vec::new();
        let mut times: Vec<&str> = Vec::new();
        for entry in snapshot.catalog().document_entries() {
            overview.documents += 1;
            overview.passages += u64::from(entry.row.passage_count);
            overview.figures += entry.figure_count() as u64;
            overview.without_vectors += u64::from(!entry.row.embedded);
            *overview.releases.entry(entry.row.release.to_string()).or_default() += 1;
            numbers.push(&entry.row.number);
            times.push(&entry.row.created_at);
        }
        numbers.sort_unstable();
        numbers.dedup();
        overview.numbers = numbers.len() as u64;
        overview.growth = count_growth(times);
        overview
    }
}

/// The number of documents at some of the times at which documents were added, the last among them.
fn count_growth(mut times: Vec<&str>) -> Vec<(String, u64)> {
    times.sort_unstable();
    let step = times.len().div_ceil(MAX_GROWTH_POINTS).max(1);
    let is_shown = |index: &usize| index.is_multiple_of(step) || index + 1 == times.len();
    let point = |index: usize| (times[index].to_owned(), index as u64 + 1);
    (0..times.len()).filter(is_shown).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_ends_with_all_documents_and_has_few_points() {
        let times: Vec<String> = (0..1000).map(|n| format!("2026-01-01T{n:06}")).collect();
        let growth = count_growth(times.iter().rev().map(String::as_str).collect());
        assert_eq!(growth.last().map(|(_, count)| *count), Some(1000));
        assert!(growth.len() <= MAX_GROWTH_POINTS + 1);
        assert!(growth.is_sorted());
        assert_eq!(count_growth(Vec::new()), []);
    }
}
