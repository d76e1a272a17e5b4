//! `list_tdocs`: documents of meetings, filtered by their registers' columns.

use super::{coverage, cursor, filter_parameters::FilterParameters, record};
use crate::service::{Operation, Service, internal_failure};
use accounts::Caller;
use contributions::{TdocCatalog, TdocFilter};
use serde_json::Value;
use wire::{
    Failure,
    params::{ListTdocs, TdocFilters},
    records::{OrganizationResolution, TdocListReply},
};

impl Operation for ListTdocs {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        tdoc_filter(self, &catalog)?;
        parse_cursor(self).map(drop)
    }

    fn next_page(&self, _rows: usize, last: &Value) -> Option<(&'static str, Value)> {
        let last = last.get("tdoc_id")?.as_str()?.parse().ok()?;
        let cursor = cursor::encode_cursor(filter_fingerprint(self).ok()?, &last);
        Some(("next_cursor", cursor.into()))
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<TdocListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let (filter, source_resolution) = tdoc_filter(&self, &catalog)?;
        let indexed_counts = service.indexed_tdocs.by_meeting(&catalog, &snapshot);
        let coverage = coverage::list_coverage(&catalog, &indexed_counts, &filter);
        let mut reply = TdocListReply {
            items: Vec::new(),
            coverage,
            source_resolution,
            next_cursor: None,
            total: 0,
        };
        let source_is_unknown =
            reply.source_resolution.as_ref().is_some_and(|resolution| resolution.org_id.is_none());
        if source_is_unknown {
            return Ok(reply);
        }
        let after = parse_cursor(&self)?;
        let page = catalog.matching_page(&filter, after.as_ref(), self.limit as usize);
        reply.total = page.total as u64;
        if let Some(last) = page.entries.last()
            && page.has_more
        {
            reply.next_cursor = Some(cursor::encode_cursor(filter_fingerprint(&self)?, &last.id));
        }
        for entry in page.entries {
            reply.items.push(record::read_tdoc_record(&catalog, &snapshot, entry)?);
        }
        Ok(reply)
    }
}

fn tdoc_filter(
    parameters: &ListTdocs,
    catalog: &TdocCatalog,
) -> Result<(TdocFilter, Option<OrganizationResolution>), Failure> {
    let filters = TdocFilters {
        source: parameters.source.clone(),
        meeting: parameters.meeting.clone(),
        group: parameters.group.clone(),
        agenda_item: parameters.agenda_item.clone(),
        doc_kind: parameters.doc_kind.clone(),
        status: parameters.status.clone(),
        work_item: parameters.work_item.clone(),
        spec: parameters.spec.clone(),
        since: parameters.since.clone(),
        until: parameters.until.clone(),
        release: None,
    };
    let filter_parameters = FilterParameters {
        filters: &filters,
        role: parameters.role.as_deref(),
        words: parameters.q.as_deref(),
    };
    filter_parameters.parse_filter(catalog)
}

/// The fingerprint of the filters as given: unlike the indices of organizations and meetings, those do
/// not change with an import.
fn filter_fingerprint(parameters: &ListTdocs) -> Result<[u8; 8], Failure> {
    let filters = ListTdocs { limit: 0, cursor: None, ..parameters.clone() };
    Ok(cursor::fingerprint_filters(&serde_json::to_vec(&filters).map_err(internal_failure)?))
}

fn parse_cursor(parameters: &ListTdocs) -> Result<Option<domain::TdocId>, Failure> {
    let fingerprint = filter_fingerprint(parameters)?;
    let cursor = parameters.cursor.as_deref();
    cursor.map(|cursor| cursor::decode_cursor(fingerprint, cursor)).transpose()
}
