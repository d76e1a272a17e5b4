//! Why a search of meeting documents finds nothing, or what of its query they do not have.

use super::search_scope::{select_tdoc_keys, tdoc_filter};
use crate::service::{
    Operation,
    diagnosis::{
        DiagnosisContext, MeetingRange, Reasons, diagnose_filters, diagnose_meetings,
        diagnose_query, diagnose_unknown_company, diagnose_unknown_words, diagnose_unread_tdocs,
    },
};
use wire::{
    Failure,
    params::{SearchTdocs, TdocFilters},
    records::TdocSearchReply,
};

/// The filters, as they are in a request.
const FILTERS: [&str; 11] = [
    "filters.source",
    "filters.meeting",
    "filters.group",
    "filters.agenda_item",
    "filters.doc_kind",
    "filters.status",
    "filters.work_item",
    "filters.spec",
    "filters.release",
    "filters.since",
    "filters.until",
];

/// Why a search of meeting documents finds nothing, or what of its query they do not have.
pub(super) fn diagnose_tdoc_search(
    asked: &SearchTdocs,
    context: &DiagnosisContext<'_>,
    reply: &TdocSearchReply,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    let is_empty = reply.results.is_empty();
    diagnose_unknown_words("query", &asked.query, &reply.unknown_terms, is_empty, reasons);
    let resolution = reply.source_resolution.as_ref();
    if !reply.results.is_empty() || diagnose_unknown_company("filters.source", resolution, reasons)
    {
        return Ok(());
    }
    let snapshot = &context.snapshot;
    let catalog = context.service.tdoc_catalog(snapshot)?;
    let none = TdocFilters::default();
    let given = asked.filters.as_ref().unwrap_or(&none);
    let range = MeetingRange {
        group: given.group.as_deref(),
        since: given.since.as_deref(),
        until: given.until.as_deref(),
    };
    diagnose_meetings(&catalog, &range, "filters.", reasons);
    if !reasons.is_empty() || diagnose_query(snapshot, "query", &asked.query, reasons)? {
        return Ok(());
    }
    let (filter, _) = tdoc_filter(asked, &catalog)?;
    let read = match select_tdoc_keys(&catalog, snapshot, &filter) {
        Some(keys) => keys.len(),
        None => snapshot.catalog().tdoc_count(),
    };
    if read == 0 {
        let listed = catalog.matching_page(&filter, None, 0).total as u64;
        if diagnose_unread_tdocs(listed, reasons) {
            return Ok(());
        }
        return diagnose_filters(asked, &FILTERS, "document", reasons, |asked| {
            let (filter, _) = tdoc_filter(asked, &catalog)?;
            Ok(catalog.matching_page(&filter, None, 0).total as u64)
        });
    }
    // Documents match and were read: their passages do not.
    diagnose_filters(asked, &["unit_types"], "passage", reasons, |asked| {
        let any = SearchTdocs { rerank: false, rerank_top_k: asked.rerank_top_k, ..asked.clone() };
        Ok(any.run(context.service, context.caller)?.results.len() as u64)
    })
}
