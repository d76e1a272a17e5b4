//! What was computed for the versions that were compared last. A version that is read again keeps its ID but has
//! another batch, so batches are part of the keys.

use std::sync::Arc;

use quick_cache::{Weighter, sync::Cache};

use super::{
    alignment::DocumentAlignment,
    recorded::{VersionHistory, read_recorded_history},
    tracked::TrackedSection,
    versions::VersionPair,
};
use domain::TdocId;
use store::{DocumentEntry, Snapshot, StoreError};

/// Pairs of versions whose alignment is kept, and versions whose history is: forty of a document, and some of others.
const MAX_KEPT: usize = 100;

/// Change requests of usual size whose tracked changes are kept.
const MAX_REQUESTS: usize = 1_000;
/// Paragraphs, tables and figures of tracked changes that are kept.
const MAX_TRACKED_ITEMS: u64 = 50_000;

/// A document version as it was read: its id, and the batch that wrote it.
type ReadVersion = (u32, u64);

fn read_version(entry: &DocumentEntry) -> ReadVersion {
    (entry.id, entry.row.batch)
}

/// Alignments of pairs of versions, and recorded histories.
pub(in crate::service) struct ComparisonCache {
    alignments: Cache<(ReadVersion, ReadVersion), Arc<DocumentAlignment>>,
    histories: Cache<ReadVersion, Arc<VersionHistory>>,
    /// By the key of a meeting document and the batch that wrote its text.
    tracked: Cache<(u32, u64), Arc<[TrackedSection]>, ItemWeighter>,
}

/// Weighs the sections that tracked changes touch by what they consist of.
#[derive(Clone)]
struct ItemWeighter;

impl Weighter<(u32, u64), Arc<[TrackedSection]>> for ItemWeighter {
    fn weight(&self, _: &(u32, u64), sections: &Arc<[TrackedSection]>) -> u64 {
        1 + sections.iter().map(|section| section.item_count() as u64).sum::<u64>()
    }
}

impl Default for ComparisonCache {
    fn default() -> Self {
        Self {
            alignments: Cache::new(MAX_KEPT),
            histories: Cache::new(MAX_KEPT),
            tracked: Cache::with_weighter(MAX_REQUESTS, MAX_TRACKED_ITEMS, ItemWeighter),
        }
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

    /// The sections that the tracked changes of a meeting document touch; empty if they are not known.
    pub(super) fn tracked_sections(
        &self,
        snapshot: &Snapshot,
        id: &TdocId,
    ) -> Result<Arc<[TrackedSection]>, StoreError> {
        let Some(entry) = snapshot.catalog().tdoc_by_id(id) else { return Ok(Arc::default()) };
        self.tracked.get_or_insert_with(&(entry.key, entry.row.batch), || {
            let rows = snapshot.tdocs().revised_sections(entry.key)?;
            Ok(rows.into_iter().map(TrackedSection::from_row).collect())
        })
    }

    /// The history that a version records.
    pub(super) fn history_of(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
    ) -> Result<Arc<VersionHistory>, StoreError> {
        self.histories.get_or_insert_with(&read_version(entry), || {
            read_recorded_history(snapshot, entry).map(Arc::new)
        })
    }
}
