//! The versions of each document that a filter allows.

use std::{collections::HashMap, rc::Rc};

use domain::DocNumber;
use store::{DocumentEntry, DocumentFilter, Snapshot};

/// The versions of documents that a filter allows, each looked up once.
pub(super) struct AllowedVersions<'a> {
    snapshot: &'a Snapshot,
    filter: &'a DocumentFilter,
    known: HashMap<DocNumber, Rc<[&'a DocumentEntry]>>,
}

impl<'a> AllowedVersions<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, filter: &'a DocumentFilter) -> Self {
        Self { snapshot, filter, known: HashMap::new() }
    }

    /// The allowed versions of the document of a version, newest first.
    pub(super) fn versions_of(&mut self, document: u32) -> Rc<[&'a DocumentEntry]> {
        let Some(entry) = self.snapshot.catalog().get(document) else { return Rc::default() };
        let number = &entry.row.number;
        if let Some(known) = self.known.get(number) {
            return Rc::clone(known);
        }
        let mut versions = self.snapshot.catalog().document_versions(number);
        versions.retain(|entry| self.filter.matches_document(&entry.row));
        let versions: Rc<[&DocumentEntry]> = versions.into();
        self.known.insert(number.clone(), Rc::clone(&versions));
        versions
    }

    /// Whether a version is the newest allowed one of its document.
    pub(super) fn is_newest(&mut self, document: u32) -> bool {
        self.versions_of(document).first().is_some_and(|entry| entry.id == document)
    }
}
