//! Which documents there are and which contents they carry, in memory.
//!
//! A filter becomes a set of content ids here, before any vector is touched.

use std::sync::Arc;

use rpds::RedBlackTreeMapSync;

use super::{
    changes::{CatalogChanges, EntryChange},
    document_entry::{DocumentEntry, DocumentFilter},
};
use crate::TdocTextEntry;
use domain::{DocNumber, TdocId, Version};
use lexical::ContentSet;

/// The documents of one snapshot. A copy shares all that is not changed in it.
#[derive(Debug, Default, Clone)]
pub struct DocumentCatalog {
    documents: RedBlackTreeMapSync<u32, Arc<DocumentEntry>>,
    /// The id of each document version.
    versions: RedBlackTreeMapSync<(DocNumber, Version), u32>,
    /// The documents of meetings that were read, by their keys.
    tdocs: RedBlackTreeMapSync<u32, Arc<TdocTextEntry>>,
    /// The key of each.
    tdoc_keys: RedBlackTreeMapSync<TdocId, u32>,
    /// What could not be read, one sentence each.
    damage: Vec<String>,
    /// What was changed since it was read, or since the snapshot that it was copied from.
    changes: CatalogChanges,
}

impl DocumentCatalog {
    /// A document by its id.
    pub fn get(&self, id: u32) -> Option<&Arc<DocumentEntry>> {
        self.documents.get(&id)
    }

    /// A document version.
    pub fn find_version(
        &self,
        number: &DocNumber,
        version: Version,
    ) -> Option<&Arc<DocumentEntry>> {
        self.get(*self.versions.get(&(number.clone(), version))?)
    }

    /// The versions of a document, the newest first.
    pub fn document_versions(&self, number: &DocNumber) -> Vec<&DocumentEntry> {
        let ids = self.version_ids(number);
        let mut versions: Vec<_> = ids.filter_map(|id| self.get(id)).map(AsRef::as_ref).collect();
        versions.reverse();
        versions
    }

    /// The ids of the versions of a document, the oldest first.
    fn version_ids(&self, number: &DocNumber) -> impl Iterator<Item = u32> {
        let first = Version { major: 0, technical: 0, editorial: 0 };
        let versions = self.versions.range((number.clone(), first)..);
        versions.take_while(move |((of, _), _)| of == number).map(|(_, id)| *id)
    }

    /// All matching documents, in the order of their ids.
    pub fn matching_documents<'a>(
        &'a self,
        filter: &'a DocumentFilter,
    ) -> impl Iterator<Item = &'a Arc<DocumentEntry>> {
        // A filter that names a document checks only its versions, because an index may have thousands of others.
        let of_number = filter.number.as_ref().map(|number| {
            let mut ids: Vec<u32> = self.version_ids(number).collect();
            ids.sort_unstable();
            ids
        });
        let all = of_number.is_none().then(|| self.documents.values()).into_iter().flatten();
        let named = of_number.into_iter().flatten().filter_map(|id| self.documents.get(&id));
        all.chain(named).filter(|entry| filter.matches_document(&entry.row))
    }

    /// All documents, in the order of their ids.
    pub fn document_entries(&self) -> impl Iterator<Item = &DocumentEntry> {
        self.documents.values().map(AsRef::as_ref)
    }

    /// The ids of all documents.
    pub fn document_ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.documents.keys().copied()
    }

    /// Number of document versions.
    pub fn len(&self) -> usize {
        self.documents.size()
    }

    /// Whether there is no document yet.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// A document of a meeting that was read, by its key.
    pub fn tdoc_by_key(&self, key: u32) -> Option<&Arc<TdocTextEntry>> {
        self.tdocs.get(&key)
    }

    /// The same by its number.
    pub fn tdoc_by_id(&self, id: &TdocId) -> Option<&Arc<TdocTextEntry>> {
        self.tdoc_by_key(*self.tdoc_keys.get(id)?)
    }

    /// The documents of meetings that were read, with their keys, in the order of their numbers.
    pub fn tdoc_keys(&self) -> impl Iterator<Item = (&TdocId, u32)> {
        self.tdoc_keys.iter().map(|(id, key)| (id, *key))
    }

    /// All documents of meetings that were read, in the order of their keys.
    pub fn tdoc_entries(&self) -> impl Iterator<Item = &TdocTextEntry> {
        self.tdocs.values().map(AsRef::as_ref)
    }

    /// Number of documents of meetings that were read, or tried.
    pub fn tdoc_count(&self) -> usize {
        self.tdocs.size()
    }

    /// What could not be read of the database, one sentence each. These documents are missing here, so nothing may be
    /// changed: their files would be treated as superfluous.
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    pub(crate) fn note_damage(&mut self, what: String) {
        self.damage.push(what);
    }

    pub(crate) fn insert_tdoc(&mut self, entry: TdocTextEntry) {
        let entry = Arc::new(entry);
        let before = self.tdocs.get(&entry.key).cloned();
        self.tdoc_keys.insert_mut(entry.row.id.clone(), entry.key);
        self.tdocs.insert_mut(entry.key, entry.clone());
        self.changes.tdocs.push(EntryChange { before, after: Some(entry) });
    }

    pub(crate) fn insert_document(&mut self, entry: DocumentEntry) {
        let entry = Arc::new(entry);
        let before = self.documents.get(&entry.id).cloned();
        self.versions.insert_mut((entry.row.number.clone(), entry.row.version), entry.id);
        self.documents.insert_mut(entry.id, entry.clone());
        self.changes.documents.push(EntryChange { before, after: Some(entry) });
    }

    pub(crate) fn remove_document(&mut self, id: u32) {
        if let Some(entry) = self.documents.get(&id).cloned() {
            self.documents.remove_mut(&id);
            self.versions.remove_mut(&(entry.row.number.clone(), entry.row.version));
            self.changes.documents.push(EntryChange { before: Some(entry), after: None });
        }
    }

    /// What was changed; nothing is after this.
    pub(crate) fn take_changes(&mut self) -> CatalogChanges {
        std::mem::take(&mut self.changes)
    }

    /// The contents of the passages of matching documents.
    pub(crate) fn passage_contents(&self, filter: &DocumentFilter) -> ContentSet {
        let mut set = ContentSet::default();
        for entry in self.matching_documents(filter) {
            entry.contents.passages.iter().for_each(|(content, _)| set.insert(*content));
        }
        set
    }

    /// The contents of the figures of matching documents.
    pub(crate) fn figure_contents(&self, filter: &DocumentFilter) -> ContentSet {
        let mut set = ContentSet::default();
        let figures = self.matching_documents(filter).flat_map(|entry| &entry.contents.figures);
        figures.for_each(|content| set.insert(*content));
        set
    }

    /// The contents of the headings of matching documents.
    pub(crate) fn heading_contents(&self, filter: &DocumentFilter) -> ContentSet {
        let mut set = ContentSet::default();
        let headings = self.matching_documents(filter).flat_map(|entry| entry.heading_contents());
        headings.for_each(|content| set.insert(content));
        set
    }

    /// The contents that any document carries, in passages, figures or headings.
    pub(crate) fn live_contents(&self) -> ContentSet {
        let mut set = self.tdoc_contents();
        let contents = self.documents.values().flat_map(|entry| entry.contents.ids());
        contents.for_each(|content| set.insert(content));
        set
    }

    /// The contents of the passages of documents of meetings.
    pub(crate) fn tdoc_contents(&self) -> ContentSet {
        let mut set = ContentSet::default();
        let passages = self.tdoc_entries().flat_map(|entry| &entry.row.passages);
        passages.for_each(|(content, _)| set.insert(*content));
        set
    }

    /// The contents that given sections carry; `sections` are (document id, ordinal) pairs.
    pub(crate) fn section_contents(&self, sections: &[(u32, u32)]) -> ContentSet {
        let mut set = ContentSet::default();
        for (document, section) in sections {
            let Some(entry) = self.documents.get(document) else { continue };
            let of_section =
                entry.contents.passages.iter().filter(|(_, ordinal)| ordinal == section);
            of_section.for_each(|(content, _)| set.insert(*content));
        }
        set
    }
}
