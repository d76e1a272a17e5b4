//! `list_tdocs`: documents of meetings, filtered by their registers' columns.

use super::{coverage, cursor, filter_parameters::FilterParameters, record};
use crate::service::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, MeetingRange, Reasons, diagnose_cursor, diagnose_filters,
        diagnose_meetings, diagnose_unknown_company,
    },
    internal_failure,
};
use accounts::Caller;
use contributions::{TdocCatalog, TdocFilter};
use serde_json::{Map, Value};
use wire::{
    Failure,
    params::{ListTdocs, TdocFilters},
    records::{OrganizationResolution, TdocListReply},
};

/// Fields of a row that `detail=low` leaves to `get_tdoc`.
const SAID_BY_GET_TDOC: [&str; 11] = [
    "status_label",
    "official_url",
    "register_status",
    "register_type",
    "purpose",
    "agenda_title",
    "spec_version",
    "release",
    "work_items",
    "uploaded_at",
    "abstract",
];

/// A company by its name; one that did not submit the document, with its role.
fn name_source(source: &Value) -> Value {
    let text = |field: &str| source.get(field).and_then(Value::as_str).unwrap_or_default();
    match text("role") {
        "submitter" => text("display_name").into(),
        role => format!("{} ({role})", text("display_name")).into(),
    }
}

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

    /// Leaves what tells documents apart, and who wrote them; `get_tdoc` has the rest.
    fn shorten_row(row: &mut Map<String, Value>) {
        for said_elsewhere in SAID_BY_GET_TDOC {
            row.shift_remove(said_elsewhere);
        }
        if let Some(Value::Array(sources)) = row.get_mut("sources") {
            *sources = sources.iter().map(name_source).collect();
        }
        // Most documents of a register were not read, and only those that were are worth a word.
        let content = row.get("content").and_then(|content| content.get("status")).cloned();
        match content {
            Some(status) if status != "not_retrieved" => row.insert("content".to_owned(), status),
            _ => row.shift_remove("content"),
        };
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

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &TdocListReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        let resolution = reply.source_resolution.as_ref();
        if !reply.items.is_empty() || diagnose_unknown_company("source", resolution, reasons) {
            return Ok(());
        }
        let catalog = context.service.tdoc_catalog(&context.snapshot)?;
        let range = MeetingRange {
            group: self.group.as_deref(),
            since: self.since.as_deref(),
            until: self.until.as_deref(),
        };
        diagnose_meetings(&catalog, &range, "", reasons);
        if !reasons.is_empty() {
            return Ok(());
        }
        if let Some(cursor) = &self.cursor {
            diagnose_cursor("cursor", cursor, reply.total, reasons);
        }
        let filters = [
            "source",
            "role",
            "meeting",
            "group",
            "agenda_item",
            "doc_kind",
            "status",
            "work_item",
            "spec",
            "since",
            "until",
            "q",
        ];
        diagnose_filters(self, &filters, "document", reasons, |asked| {
            let (filter, _) = tdoc_filter(asked, &catalog)?;
            Ok(catalog.matching_page(&filter, None, 0).total as u64)
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_short_row_says_who_wrote_what_and_whether_it_was_read() {
        let row = |content: &str| {
            json!({
                "tdoc_id": "R1-2600001",
                "title": "On lamps",
                "status": "noted",
                "status_label": "Contribution: noted at RAN1#124.",
                "sources": [
                    {"org_id": "a", "display_name": "Lamp Works", "role": "submitter"},
                    {"org_id": "b", "display_name": "Wick Corp", "role": "co_submitter"},
                ],
                "official_url": "https://example.org/R1-2600001.zip",
                "content": {"status": content, "unit_count": 3},
            })
        };
        let short = json!({
            "tdoc_id": "R1-2600001",
            "title": "On lamps",
            "status": "noted",
            "sources": ["Lamp Works", "Wick Corp (co_submitter)"],
        });
        let mut read = short.clone();
        read["content"] = json!("partial");
        for (content, expected) in [("not_retrieved", short), ("partial", read)] {
            let mut fields = row(content).as_object().cloned().expect("a record");
            ListTdocs::shorten_row(&mut fields);
            assert_eq!(Value::from(fields), expected);
        }
    }
}
