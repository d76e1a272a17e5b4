//! Counts of what is indexed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::Service;
use store::Snapshot;

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

impl Service {
    /// The corpus in numbers, as it is now.
    pub fn corpus_overview(&self) -> Arc<CorpusOverview> {
        let snapshot = self.store.snapshot();
        let mut cached = self.corpus_overview.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((stamp, overview)) = &*cached
            && *stamp == snapshot.documents_stamp()
        {
            return overview.clone();
        }
        let overview = Arc::new(CorpusOverview::from_snapshot(&snapshot));
        *cached = Some((snapshot.documents_stamp(), overview.clone()));
        overview
    }
}

impl CorpusOverview {
    fn from_snapshot(snapshot: &Snapshot) -> Self {
        let mut overview = Self::default();
        let mut numbers: Vec<_> = Vec::new();
        for entry in snapshot.catalog().document_entries() {
            overview.documents += 1;
            overview.passages += u64::from(entry.row.passage_count);
            overview.figures += entry.figure_count() as u64;
            overview.without_vectors += u64::from(!entry.row.embedded);
            *overview.releases.entry(entry.row.release.to_string()).or_default() += 1;
            numbers.push(&entry.row.number);
        }
        numbers.sort_unstable();
        numbers.dedup();
        overview.numbers = numbers.len() as u64;
        overview
    }
}
