//! `get_document`: one document version.

use super::{Operation, Service, documents::to_document_info};
use accounts::Caller;
use wire::{Failure, params::GetDocument, records::DocumentInfo};

impl Operation for GetDocument {
    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentInfo, Failure> {
        let snapshot = service.store.snapshot();
        let document_id = self.document_id;
        let id = u32::try_from(document_id).ok();
        let entry = id.and_then(|id| snapshot.catalog().get(id));
        entry.map(|entry| to_document_info(entry)).ok_or(Failure::DocumentNotFound { document_id })
    }
}
