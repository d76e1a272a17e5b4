//! What a commit changes in the catalog.

use std::sync::Arc;

use super::document_entry::{DocumentEntry, DocumentFilter};
use crate::TdocTextEntry;

/// One entry of the catalog before and after a change.
#[derive(Debug)]
pub(crate) struct EntryChange<T> {
    /// `None` if it is new.
    pub(crate) before: Option<Arc<T>>,
    /// `None` if it was removed.
    pub(crate) after: Option<Arc<T>>,
}

impl<T> Clone for EntryChange<T> {
    fn clone(&self) -> Self {
        Self { before: self.before.clone(), after: self.after.clone() }
    }
}

/// The changes between two catalogs, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct CatalogChanges {
    pub(super) documents: Vec<EntryChange<DocumentEntry>>,
    pub(super) tdocs: Vec<EntryChange<TdocTextEntry>>,
}

impl CatalogChanges {
    /// Changes of documents with other contents than before. A document that has got its last vector has the same.
    pub(crate) fn of_contents(&self) -> impl Iterator<Item = &EntryChange<DocumentEntry>> {
        self.documents.iter().filter(|change| match (&change.before, &change.after) {
            (Some(before), Some(after)) => before.contents != after.contents,
            _ => true,
        })
    }

    /// The same for TDocs.
    pub(crate) fn of_tdoc_contents(&self) -> impl Iterator<Item = &EntryChange<TdocTextEntry>> {
        self.tdocs.iter().filter(|change| match (&change.before, &change.after) {
            (Some(before), Some(after)) => before.row.passages != after.row.passages,
            _ => true,
        })
    }

    /// Whether the contents of the documents that match a filter may be others than before.
    pub(crate) fn concern(&self, filter: &DocumentFilter) -> bool {
        self.documents.iter().any(|change| {
            let matches = |entry: &Option<Arc<DocumentEntry>>| {
                entry.as_ref().filter(|entry| filter.matches_document(&entry.row)).cloned()
            };
            match (matches(&change.before), matches(&change.after)) {
                (None, None) => false,
                (Some(before), Some(after)) => before.contents != after.contents,
                _ => true,
            }
        })
    }
}
