//! `list_documents`: the indexed document versions.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{Operation, Service, documents};
use accounts::Caller;
use domain::{DocType, Release};
use store::DocumentFilter;
use wire::{Failure, Route, ToolEffect, ToolFacts, params::ListDocuments, records::DocumentInfo};

/// A list that may be shared with the cache.
#[derive(Debug, JsonSchema)]
#[schemars(transparent)]
pub struct DocumentList(Arc<Vec<DocumentInfo>>);

impl DocumentList {
    /// The documents, by number and then newest version first.
    pub fn documents(&self) -> &[DocumentInfo] {
        &self.0
    }
}

impl Serialize for DocumentList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl Operation for ListDocuments {
    const NAME: &'static str = "list_documents";
    const ROUTE: Route = Route::get("/documents");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List indexed documents",
        advice: "Use this to see what is indexed: which documents, versions and releases. Use \
            a filter: without any the list is long. To find a document by its subject \
            use search_text.",
        rest: "Narrow the list with doc_number, release, series or doc_type.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    type Reply = DocumentList;

    fn run(self, service: &Service, _caller: &Caller) -> Result<DocumentList, Failure> {
        let snapshot = service.store.snapshot();
        let list = match document_filter(self) {
            Some(filter) if filter.is_unrestricted() => service.listing_cache.list_all(&snapshot),
            Some(filter) => Arc::new(documents::list_document_infos(&snapshot, &filter)),
            None => Arc::default(),
        };
        Ok(DocumentList(list))
    }
}

/// The filter; none where a value cannot belong to any document.
fn document_filter(parameters: ListDocuments) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(parameters.doc_number)?,
        version: None,
        release: parse_filter_value::<Release>(parameters.release)?,
        doc_type: parse_filter_value::<DocType>(parameters.doc_type)?,
        series: parameters.series.map(|series| series.trim().to_owned()),
    })
}

/// An absent value passes everything; one that does not parse matches nothing.
pub(super) fn parse_filter_value<T: std::str::FromStr>(value: Option<String>) -> Option<Option<T>> {
    match value {
        None => Some(None),
        Some(text) => text.parse().ok().map(Some),
    }
}
