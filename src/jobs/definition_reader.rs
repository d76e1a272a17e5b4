//! Reads what stored versions define, in a worker: packs of an earlier form do not have it, and an upgrade reads it anew.

use std::sync::{Mutex, PoisonError};

use super::ingest::IngestSettings;
use definitions::DocumentDefinitions;
use document::Section;
use domain::error_chain;
use extract::Worker;
use packing::ReadDefinitions;
use store::NewDocument;

/// The only file that the worker may read: texts come with its requests.
const READABLE: &str = "/dev/null";

/// A worker for the texts of stored versions; its process starts with the first.
pub(super) struct DefinitionReader(Mutex<Worker>);

impl DefinitionReader {
    /// A worker of this installation.
    pub(super) fn new(settings: &IngestSettings) -> Self {
        Self(Mutex::new(Worker::new(settings.worker_config(&[READABLE.into()], false))))
    }
}

impl ReadDefinitions for DefinitionReader {
    fn read_definitions(&self, document: &NewDocument) -> Result<DocumentDefinitions, String> {
        let sections = document.sections.iter().map(|section| Section {
            number: section.head.number.clone(),
            title: section.head.title.clone(),
            level: section.head.level,
            parent: section.head.parent.clone(),
            blocks: section.body.blocks.clone(),
            ..Section::default()
        });
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let read = worker.read_definitions(document.row.number.clone(), sections.collect());
        read.map_err(|error| error_chain(&error))
    }
}
