//! What was computed for the versions that were compared last. A version that is read anew keeps its id and has another batch.

use std::sync::Arc;

use quick_cache::sync::Cache;

use super::{
    alignment::DocumentAlignment,
    recorded::{RecordedHistory, read_recorded_history},
    versions::VersionPair,
};
use store::{DocumentEntry, Snapshot, StoreError};

/// Pairs of versions whose alignment is kept, and versions whose history is: forty of a document, and some of others.
const MAX_KEPT: usize = 100;

/// A document version as it was read: its id, and the batch that wrote it.
type ReadVersion = (u32, u64);

fn read_version(entry: &DocumentEntry) -> ReadVersion {
    (entry.id, entry.row.batch)
}

/// Alignments of pairs of versions, and recorded histories.
pub(in crate::service) struct ComparisonCache {
    alignments: Cache<(ReadVersion, ReadVersion), Arc<DocumentAlignment>>,
    histories: Cache<ReadVersion, Arc<RecordedHistory>>,
}

impl Default for ComparisonCache {
    fn default() -> Self {
        Self { alignments: Cache::new(MAX_KEPT), histories: Cache::new(MAX_KEPT) }
    }
}

impl ComparisonCache {
    /// The alignment of two versions of a snapshot.
    pub(super) fn alignment_of(
        &self,
        snapshot: &Snapshot,
        versions: VersionPair<'_>,
    ) -> Result<Arc<DocumentAlignment>, StoreError> {
        let key = (read_version(versions.old), read_version(versions.new));
        self.alignments.get_or_insert_with(&key, || {
            DocumentAlignment::between(snapshot, versions.old.id, versions.new.id).map(Arc::new)
        })
    }

    /// The history that a version records.
    pub(super) fn history_of(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
    ) -> Result<Arc<RecordedHistory>, StoreError> {
        self.histories.get_or_insert_with(&read_version(entry), || {
            read_recorded_history(snapshot, entry).map(Arc::new)
        })
    }
}
