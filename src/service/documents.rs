//! Document records, and the cache of the full list.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use domain::{DocNumber, ReadingCheck};
use store::{DocumentEntry, DocumentFilter, Snapshot};
use suggestion::find_documents;
use wire::{records::DocumentInfo, values::IndexingStatus};

/// How long the full list is cached; the contract's 60 minutes.
const LISTING_LIFETIME: Duration = Duration::from_secs(3600);

/// The record of a document version.
pub(super) fn to_document_info(entry: &DocumentEntry) -> DocumentInfo {
    let row = &entry.row;
    DocumentInfo {
        id: u64::from(entry.id),
        doc_number: row.number.to_string(),
        doc_type: row.doc_type.into(),
        version: row.version.to_string(),
        release: row.release.to_string(),
        series: row.number.series().to_owned(),
        title: row.title.clone(),
        filename: row.filename.clone(),
        total_text_chunks: Some(u64::from(row.passage_count)),
        total_image_chunks: Some(entry.figure_count() as u64),
        status: if row.embedded {
            IndexingStatus::Indexed
        } else {
            IndexingStatus::IndexedWithoutVectors
        },
        created_at: Some(row.created_at.clone()),
        warnings: row.warnings.clone(),
        reading: entry.reading.as_ref().map(|checks| {
            checks.iter().filter(|check| check.is_worth_warning()).cloned().collect()
        }),
        listing: None,
        checked_against_file: entry.reading.as_deref().is_some_and(ReadingCheck::compare_file),
    }
}

/// The numbers of indexed documents that a number may mean that is not indexed: its parts, or else those that differ
/// in one character.
pub(crate) fn nearest_documents(snapshot: &Snapshot, number: &DocNumber) -> Vec<String> {
    let entries = snapshot.catalog().document_entries();
    let known: BTreeSet<&str> = entries.map(|entry| entry.row.number.as_str()).collect();
    find_documents(number.as_str(), known).into_iter().map(str::to_owned).collect()
}

/// Records of the documents that match, by number and then newest version first.
pub(super) fn list_document_infos(
    snapshot: &Snapshot,
    filter: &DocumentFilter,
) -> Vec<DocumentInfo> {
    let mut entries: Vec<_> = snapshot.catalog().matching_documents(filter).collect();
    entries.sort_by(|a, b| a.row.number.cmp(&b.row.number).then(b.row.version.cmp(&a.row.version)));
    entries.into_iter().map(|entry| to_document_info(entry)).collect()
}

/// The full list, cached until it expires or the store changes.
#[derive(Default)]
pub(super) struct ListingCache {
    cached: Mutex<Option<CachedDocumentList>>,
}

struct CachedDocumentList {
    stamp: (u64, usize),
    created: Instant,
    list: Arc<Vec<DocumentInfo>>,
}

impl ListingCache {
    pub(super) fn list_all(&self, snapshot: &Snapshot) -> Arc<Vec<DocumentInfo>> {
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = cached.as_ref().filter(|cached| {
            cached.stamp == snapshot.documents_stamp()
                && cached.created.elapsed() < LISTING_LIFETIME
        });
        if let Some(fresh) = fresh {
            return fresh.list.clone();
        }
        let list = Arc::new(list_document_infos(snapshot, &DocumentFilter::default()));
        *cached = Some(CachedDocumentList {
            stamp: snapshot.documents_stamp(),
            created: Instant::now(),
            list: list.clone(),
        });
        list
    }
}
