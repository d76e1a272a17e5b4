//! `list_sections`: the table of contents of a document.

use super::{Operation, Service, internal_failure, list_documents::parse_filter_value};
use accounts::Caller;
use domain::SectionNumber;
use store::DocumentFilter;
use wire::{Failure, Route, ToolEffect, ToolFacts, params::ListSections, records::SectionSummary};

impl Operation for ListSections {
    const NAME: &'static str = "list_sections";
    const ROUTE: Route = Route::get("/sections/toc");
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Show a table of contents",
        advice: "Use this to see how a document is built and to find the number of a clause \
            for get_sections. Give version: without it, all versions are listed.",
        rest: "Find the clause with search_text and filter_doc_number, or go on as said.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    type Reply = Vec<SectionSummary>;

    fn run(self, service: &Service, _caller: &Caller) -> Result<Vec<SectionSummary>, Failure> {
        let snapshot = service.store.snapshot();
        let Some(filter) = document_filter(self) else { return Ok(Vec::new()) };
        let mut entries: Vec<_> = snapshot.catalog().matching_documents(&filter).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
        let mut contents = Vec::new();
        for entry in entries {
            let sections =
                snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
            let mut last_numbered = None;
            contents.extend(sections.into_iter().map(|head| SectionSummary {
                clause: track_clause(&mut last_numbered, &head.number),
                doc_number: entry.row.number.to_string(),
                version: entry.row.version.to_string(),
                release: entry.row.release.to_string(),
                section_number: head.number,
                section_title: Some(head.title),
                heading_level: Some(u32::from(head.level)),
                token_count: Some(u64::from(head.token_count)),
            }));
        }
        Ok(contents)
    }
}

/// The clause by which a section without a number can be cited; remembers the last one with a number.
fn track_clause(last_numbered: &mut Option<String>, number: &str) -> Option<String> {
    if SectionNumber::is_numbered(number) {
        *last_numbered = Some(number.to_owned());
        return None;
    }
    last_numbered.clone()
}

fn document_filter(parameters: ListSections) -> Option<DocumentFilter> {
    Some(DocumentFilter {
        number: parse_filter_value(Some(parameters.doc_number))?,
        version: parse_filter_value(parameters.version)?,
        ..DocumentFilter::default()
    })
}
