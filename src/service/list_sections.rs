//! `list_sections`: the table of contents of a document.

use std::collections::HashMap;

use super::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents,
        diagnose_sections,
    },
    internal_failure,
    list_documents::{VersionChoice, parse_filter_value},
    on_demand::fetch_if_missing,
};
use crate::jobs::WantedVersion;
use accounts::Caller;
use domain::SectionNumber;
use store::{DocumentFilter, SectionHead};
use wire::{Failure, params::ListSections, records::SectionSummary};

impl Operation for ListSections {
    fn run(self, service: &Service, caller: &Caller) -> Result<Vec<SectionSummary>, Failure> {
        let under = self.under.as_deref().map(SectionNumber::from_typed);
        let max_level = self.max_level.unwrap_or(u32::MAX);
        let Some((filter, version)) = document_filter(self) else { return Ok(Vec::new()) };
        if let Some(number) = &filter.number {
            let wanted = WantedVersion { typed: version.typed(), release: None };
            fetch_if_missing(service, caller, number, wanted)?;
        }
        let snapshot = service.store.snapshot();
        let chosen = version.choose_documents(&snapshot, &filter);
        let mut entries: Vec<_> =
            chosen.iter().filter_map(|id| snapshot.catalog().get(*id)).collect();
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
        let mut contents = Vec::new();
        for entry in entries {
            let sections =
                snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
            let mut clauses = HashMap::new();
            let summaries = sections.into_iter().map(|head| SectionSummary {
                clause: track_clause(&mut clauses, &head),
                doc_number: entry.row.number.to_string(),
                version: entry.row.version.to_string(),
                release: entry.row.release.to_string(),
                section_number: head.number,
                section_title: Some(head.title),
                heading_level: Some(u32::from(head.level)),
                token_count: Some(u64::from(head.token_count)),
            });
            contents.extend(summaries.filter(|summary| {
                summary.heading_level.is_none_or(|level| level <= max_level)
                    && under.as_ref().is_none_or(|under| is_below(summary, under))
            }));
        }
        Ok(contents)
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &Vec<SectionSummary>,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.is_empty() {
            return Ok(());
        }
        let filters = DocumentFilters {
            document: Some(FilterValue { parameter: "doc_number", value: &self.doc_number }),
            version: FilterValue::of("version", &self.version),
            ..DocumentFilters::default()
        };
        match FilterValue::of("under", &self.under) {
            Some(under) => diagnose_sections(&context.snapshot, &filters, under, reasons),
            None => diagnose_documents(&context.snapshot, &filters, reasons).map(drop),
        }
    }
}

/// Whether a section is a given one or within it; one without a number is within the clause that contains it.
fn is_below(summary: &SectionSummary, under: &SectionNumber) -> bool {
    let clause = summary.clause.as_ref().unwrap_or(&summary.section_number);
    summary.section_number == under.as_str() || SectionNumber::new(clause).is_within(under.as_str())
}

/// The clause by which a section without a number can be cited: the nearest one that contains it. Remembers the clause of
/// each section without a number.
fn track_clause(
    clauses: &mut HashMap<String, Option<String>>,
    head: &SectionHead,
) -> Option<String> {
    if SectionNumber::is_numbered(&head.number) {
        return None;
    }
    let parent = head.parent.as_ref();
    let numbered = parent.filter(|parent| SectionNumber::is_numbered(parent)).cloned();
    let clause = numbered.or_else(|| clauses.get(parent?).cloned().flatten());
    clauses.insert(head.number.clone(), clause.clone());
    clause
}

fn document_filter(parameters: ListSections) -> Option<(DocumentFilter, VersionChoice)> {
    let version = VersionChoice::from_parameter(parameters.version.as_deref())?;
    let number = parse_filter_value(Some(parameters.doc_number)).ok()?;
    Some((DocumentFilter { number, version: version.only(), ..DocumentFilter::default() }, version))
}
