//! `verify_quote`: whether a text occurs word for word in what is indexed, and where.

use std::collections::HashSet;

use quotation::Quotation;

use super::{
    scope::QuoteScope,
    specifications::{find_exact_sections, find_similar_sections},
    tdocs::TdocQuotes,
};
use crate::service::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, DocumentFilters, FilterValue, Reasons, diagnose_documents,
        diagnose_unread_document,
    },
    internal_failure,
    tdocs::parameter_values::invalid_parameter,
};
use accounts::Caller;
use store::{ContentStatus, Snapshot};
use wire::{
    Failure,
    params::VerifyQuote,
    records::{QuoteCoverage, QuoteOccurrence, QuoteVerification},
    values::{QuoteSource, QuoteVerdict},
};

/// Places outside of the named document that are listed.
const MAX_ELSEWHERE: usize = 3;
/// How much less similar than the best one a listed place may be.
const MAX_SIMILARITY_BELOW_BEST: f64 = 0.1;

impl Operation for VerifyQuote {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        parse_quotation(self)?;
        let snapshot = service.store.snapshot();
        QuoteScope::from_parameter(self.document.as_deref(), &snapshot).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<QuoteVerification, Failure> {
        let snapshot = service.store.snapshot();
        let quotation = parse_quotation(&self)?;
        let scope = QuoteScope::from_parameter(self.document.as_deref(), &snapshot)?;
        let mut found = verify_within(service, &snapshot, &quotation, &scope)?;
        let verdict = match found.occurrences.first() {
            Some(first) if first.differences.is_empty() => QuoteVerdict::Exact,
            Some(first) if !first.wildcards.is_empty() => QuoteVerdict::ExactExcept,
            Some(_) => QuoteVerdict::Near,
            None => QuoteVerdict::Absent,
        };
        let mut elsewhere = Vec::new();
        if verdict != QuoteVerdict::Exact && scope != QuoteScope::Everything {
            let everything = QuoteScope::Everything;
            elsewhere = find_exact(service, &snapshot, &quotation, &everything)?.occurrences;
            elsewhere.truncate(MAX_ELSEWHERE);
        }
        let total = found.occurrences.len() as u64;
        found.occurrences.truncate(self.limit as usize);
        Ok(QuoteVerification {
            verdict,
            occurrences: found.occurrences,
            total,
            elsewhere,
            coverage: found.coverage,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &QuoteVerification,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if reply.verdict != QuoteVerdict::Absent {
            return Ok(());
        }
        let snapshot = &context.snapshot;
        let scope = QuoteScope::from_parameter(self.document.as_deref(), snapshot)?;
        let Some(filter) = scope.document_filter() else {
            let document = self.document.as_deref().unwrap_or_default();
            let read = reply.coverage.indexed_tdocs + reply.coverage.meeting_notes;
            diagnose_unread_document("document", document, read, reasons);
            return Ok(());
        };
        let number = filter.number.map(|number| number.to_string());
        let version = filter.version.map(|version| version.to_string());
        let release = filter.release.map(|release| release.to_string());
        let filters = DocumentFilters {
            document: FilterValue::of("document", &number),
            version: FilterValue::of("document", &version),
            release: FilterValue::of("document", &release),
            ..DocumentFilters::default()
        };
        if self.document.is_some() {
            diagnose_documents(snapshot, &filters, reasons)?;
        }
        Ok(())
    }
}

fn parse_quotation(parameters: &VerifyQuote) -> Result<Quotation, Failure> {
    Quotation::parse(&parameters.quote)
        .ok_or_else(|| invalid_parameter("quote", "The quote contains neither words nor numbers."))
}

/// Occurrences of one kind, all exact, all exact but for elements, or all near, and what was compared.
struct FoundQuote {
    occurrences: Vec<QuoteOccurrence>,
    coverage: QuoteCoverage,
}

/// Where a quote occurs word for word or, if it does not, what resembles it.
fn verify_within(
    service: &Service,
    snapshot: &Snapshot,
    quotation: &Quotation,
    scope: &QuoteScope,
) -> Result<FoundQuote, Failure> {
    let mut found = find_exact(service, snapshot, quotation, scope)?;
    if !found.occurrences.is_empty() {
        return Ok(found);
    }
    let mut similar = Vec::new();
    if let Some(filter) = scope.document_filter() {
        let sections = find_similar_sections(snapshot, quotation, &filter);
        similar.extend(sections.map_err(internal_failure)?);
    }
    let catalog = service.tdoc_catalog(snapshot)?;
    similar.extend(
        crate::service::quotes::notes::notes_quotes(service, snapshot, quotation, scope)?
            .find_similar()?,
    );
    similar.extend(TdocQuotes { snapshot, catalog: &catalog, quotation }.find_similar(scope)?);
    similar.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    let is_exact = |occurrence: &QuoteOccurrence| occurrence.differences.is_empty();
    let is_except = |occurrence: &QuoteOccurrence| !occurrence.wildcards.is_empty();
    if similar.iter().any(is_exact) {
        similar.retain(is_exact);
    } else if similar.iter().any(is_except) {
        similar.retain(is_except);
    }
    let best = similar.first().map_or(0.0, |occurrence| occurrence.similarity);
    similar.retain(|occurrence| occurrence.similarity >= best - MAX_SIMILARITY_BELOW_BEST);
    found.occurrences = without_copies(similar);
    Ok(found)
}

/// Where a quote occurs word for word.
fn find_exact(
    service: &Service,
    snapshot: &Snapshot,
    quotation: &Quotation,
    scope: &QuoteScope,
) -> Result<FoundQuote, Failure> {
    let mut occurrences = Vec::new();
    let mut coverage = QuoteCoverage { is_complete: true, ..QuoteCoverage::default() };
    if let Some(filter) = scope.document_filter() {
        let sections =
            find_exact_sections(snapshot, quotation, &filter).map_err(internal_failure)?;
        occurrences.extend(sections.occurrences);
        coverage.is_complete &= sections.is_complete;
        coverage.document_versions = snapshot.catalog().matching_documents(&filter).count() as u64;
    }
    let notes = crate::service::quotes::notes::notes_quotes(service, snapshot, quotation, scope)?;
    let (in_notes, is_complete) = notes.find_exact()?;
    occurrences.extend(in_notes);
    coverage.is_complete &= is_complete;
    coverage.meeting_notes = notes.len() as u64;
    coverage.notes_without_text = notes.without_text as u64;
    let catalog = service.tdoc_catalog(snapshot)?;
    let tdocs = TdocQuotes { snapshot, catalog: &catalog, quotation };
    let (in_tdocs, is_complete) = tdocs.find_exact(scope)?;
    occurrences.extend(in_tdocs);
    coverage.is_complete &= is_complete;
    let read = snapshot.catalog().tdoc_entries();
    let read = read.filter(|read| {
        read.row.status != ContentStatus::Unavailable && scope.has_tdoc(&read.row.id)
    });
    coverage.indexed_tdocs = read.count() as u64;
    Ok(FoundQuote { occurrences: without_copies(occurrences), coverage })
}

/// Occurrences without the documents that are among them as notes.
fn without_copies(mut occurrences: Vec<QuoteOccurrence>) -> Vec<QuoteOccurrence> {
    let of_notes = occurrences.iter().filter(|found| found.found_in == QuoteSource::MeetingNotes);
    let notes: HashSet<String> = of_notes.filter_map(|found| found.tdoc_id.clone()).collect();
    occurrences.retain(|found| {
        found.found_in != QuoteSource::Tdoc
            || found.tdoc_id.as_ref().is_none_or(|id| !notes.contains(id))
    });
    occurrences
}
