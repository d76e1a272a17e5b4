//! For each meeting, how many of its documents were read: counted once for each state of the index.

use std::sync::{Arc, Mutex, PoisonError};

use contributions::TdocCatalog;
use store::{ContentStatus, Snapshot};

/// The counts of the last requested state. Before they were kept, a page of `list_tdocs` took 9.5 to 13 ms with a
/// million TDocs, instead of about 2 (docs/benchmarks.md).
#[derive(Default)]
pub(in crate::service) struct IndexedTdocCounts(Mutex<Option<CountedState>>);

struct CountedState {
    /// The last batch of the index, and the state of the registers: they distinguish one state from another.
    state: (u64, u64),
    counts: Arc<[u64]>,
}

impl IndexedTdocCounts {
    /// How many documents of each meeting were read, by the meetings' indexes in the catalog.
    pub(in crate::service) fn by_meeting(
        &self,
        catalog: &TdocCatalog,
        snapshot: &Snapshot,
    ) -> Arc<[u64]> {
        let state = (snapshot.batch_number(), catalog.generation);
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counted) = counted.as_ref().filter(|counted| counted.state == state) {
            return counted.counts.clone();
        }
        let counts: Arc<[u64]> = count_indexed_tdocs(catalog, snapshot).into();
        *counted = Some(CountedState { state, counts: counts.clone() });
        counts
    }
}

fn count_indexed_tdocs(catalog: &TdocCatalog, snapshot: &Snapshot) -> Vec<u64> {
    let mut counts = vec![0; catalog.meetings.len()];
    let read = snapshot.catalog().tdoc_entries();
    for read in read.filter(|read| read.row.status != ContentStatus::Unavailable) {
        if let Some(entry) = catalog.get(&read.row.id) {
            counts[catalog.meeting_index_of(entry) as usize] += 1;
        }
    }
    counts
}
