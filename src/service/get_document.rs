//! `get_document`: one document version.

use super::{
    Operation, Service,
    documents::to_document_info,
    listed_documents::{find_listed_version, is_listed_id},
    on_demand::{fetch_if_missing, not_indexed_failure},
};
use crate::jobs::WantedVersion;
use accounts::Caller;
use wire::{Failure, params::GetDocument, records::DocumentInfo};

impl Operation for GetDocument {
    fn run(self, service: &Service, caller: &Caller) -> Result<DocumentInfo, Failure> {
        let document_id = self.document_id;
        if is_listed_id(document_id) {
            return get_listed_document(service, caller, document_id);
        }
        let snapshot = service.store.snapshot();
        let id = u32::try_from(document_id).ok();
        let entry = id.and_then(|id| snapshot.catalog().get(id));
        entry.map(|entry| to_document_info(entry)).ok_or(Failure::DocumentNotFound { document_id })
    }
}

/// The record of a version whose ID is from a list of what is not indexed: it may be now.
fn get_listed_document(
    service: &Service,
    caller: &Caller,
    document_id: i64,
) -> Result<DocumentInfo, Failure> {
    let Some((number, version)) = find_listed_version(service, document_id) else {
        return Err(Failure::DocumentNotFound { document_id });
    };
    let wanted = WantedVersion::exact(version);
    fetch_if_missing(service, caller, &number, wanted)?;
    let snapshot = service.store.snapshot();
    let entry = snapshot.catalog().find_version(&number, version);
    let entry = entry.ok_or_else(|| not_indexed_failure(service, &number, wanted));
    entry.map(|entry| to_document_info(entry))
}
