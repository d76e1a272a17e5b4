//! `get_document`: one document version.

use super::{Operation, Service, documents::to_document_info};
use accounts::Caller;
use wire::{Failure, Route, ToolEffect, ToolFacts, params::GetDocument, records::DocumentInfo};

impl Operation for GetDocument {
    const NAME: &'static str = "get_document";
    const ROUTE: Route = Route::get("/documents/{document_id}");
    const STATUSES: &'static [u16] = &[404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a document's record",
        advice: "Use this when you have the ID of a document version from list_documents. For its content, use \
            list_sections and get_sections.",
        rest: "A record is never shortened.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: true,
    });
    type Reply = DocumentInfo;

    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentInfo, Failure> {
        let snapshot = service.store.snapshot();
        let document_id = self.document_id;
        let id = u32::try_from(document_id).ok();
        let entry = id.and_then(|id| snapshot.catalog().get(id));
        entry.map(|entry| to_document_info(entry)).ok_or(Failure::DocumentNotFound { document_id })
    }
}
