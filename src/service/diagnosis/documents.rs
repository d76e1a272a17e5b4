//! Which documents are indexed, and what of a request they do not have.

use std::str::FromStr;

use super::{
    notes::{count_of, echo, list_some},
    numbers::explain_number,
    reasons::Reasons,
};
use crate::service::internal_failure;
use cost_meter::spend;
use domain::TypedVersion;
use store::{DocumentEntry, DocumentFilter, Snapshot};
use wire::{Failure, records::DiagnosisReason, values::DiagnosisCode};

/// The value of a filter, and the name of its parameter.
#[derive(Debug, Clone, Copy)]
pub(in crate::service) struct FilterValue<'a> {
    /// The parameter.
    pub(in crate::service) parameter: &'static str,
    /// Its value as given.
    pub(in crate::service) value: &'a str,
}

impl<'a> FilterValue<'a> {
    /// The value of a parameter, if it is set.
    pub(in crate::service) fn of(
        parameter: &'static str,
        value: &'a Option<String>,
    ) -> Option<Self> {
        value.as_deref().map(|value| Self { parameter, value: value.trim() })
    }

    fn not_understood(self, expected: &str) -> DiagnosisReason {
        let message = format!("'{}' is not {expected}.", echo(self.value));
        DiagnosisReason::new(DiagnosisCode::ValueNotUnderstood, message)
            .of_parameter(self.parameter)
    }
}

/// The filters for documents that a request has.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct DocumentFilters<'a> {
    /// A document number.
    pub(in crate::service) document: Option<FilterValue<'a>>,
    /// A version, or what people write for several.
    pub(in crate::service) version: Option<FilterValue<'a>>,
    /// A release.
    pub(in crate::service) release: Option<FilterValue<'a>>,
    /// A series.
    pub(in crate::service) series: Option<FilterValue<'a>>,
    /// A type of document.
    pub(in crate::service) doc_type: Option<FilterValue<'a>>,
}

/// The filters with their values read.
#[derive(Debug, Clone, Default)]
struct ReadFilters {
    filter: DocumentFilter,
    version: Option<TypedVersion>,
}

impl ReadFilters {
    fn matches(&self, entry: &DocumentEntry) -> bool {
        let row = &entry.row;
        self.filter.matches_document(row)
            && self.version.is_none_or(|version| version.is_meant(row.version, row.release))
    }
}

impl<'a> DocumentFilters<'a> {
    /// Reads the values; each that cannot be read is a reason, and then nothing matches.
    fn read(&self, reasons: &mut Reasons) -> Option<ReadFilters> {
        let number =
            read_value(self.document, "a document number such as 38.331 or 38.101-1", reasons);
        let expected = "a version such as 18.1.0 or a release such as Rel-18";
        let version = read_value(self.version, expected, reasons);
        let release = read_value(self.release, "a release such as Rel-18", reasons);
        let doc_type = read_value(self.doc_type, "a type of document: TS or TR", reasons);
        Some(ReadFilters {
            filter: DocumentFilter {
                number: number.ok()?,
                version: None,
                release: release.ok()?,
                doc_type: doc_type.ok()?,
                series: self.series.map(|series| series.value.to_owned()),
            },
            version: version.ok()?,
        })
    }

    fn set(&self) -> impl Iterator<Item = FilterValue<'a>> {
        [self.document, self.version, self.release, self.series, self.doc_type]
            .into_iter()
            .flatten()
    }
}

/// Reads the value of a filter; if it cannot be read, this is a reason.
fn read_value<T: FromStr>(
    asked: Option<FilterValue<'_>>,
    expected: &str,
    reasons: &mut Reasons,
) -> Result<Option<T>, T::Err> {
    let Some(asked) = asked else { return Ok(None) };
    asked.value.parse().map(Some).inspect_err(|_| reasons.add(asked.not_understood(expected)))
}

/// Why no document matches; nothing if one does. Returns the newest document that matches.
pub(in crate::service) fn diagnose_documents<'s>(
    snapshot: &'s Snapshot,
    filters: &DocumentFilters<'_>,
    reasons: &mut Reasons,
) -> Result<Option<&'s DocumentEntry>, Failure> {
    let all = || snapshot.catalog().document_entries();
    if snapshot.catalog().is_empty() {
        let message = "No documents are indexed yet.";
        reasons.add(DiagnosisReason::new(DiagnosisCode::NothingIndexed, message));
        return Ok(None);
    }
    let Some(read) = filters.read(reasons) else { return Ok(None) };
    spend(snapshot.catalog().len());
    let matching = all().filter(|entry| read.matches(entry));
    if let Some(newest) = matching.max_by_key(|entry| entry.row.version) {
        return Ok(Some(newest));
    }
    if let (Some(asked), Some(number)) = (filters.document, &read.filter.number)
        && snapshot.catalog().document_versions(number).is_empty()
    {
        let reason = explain_number(snapshot, number).map_err(internal_failure)?;
        reasons.add(reason.of_parameter(asked.parameter));
        return Ok(None);
    }
    explain_values(snapshot, filters, &read, reasons);
    if reasons.is_empty() {
        explain_combination(snapshot, filters, &read, reasons);
    }
    Ok(None)
}

/// Which of the values no document has; with a number, none of its versions.
fn explain_values(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    read: &ReadFilters,
    reasons: &mut Reasons,
) {
    let numbered =
        DocumentFilter { number: read.filter.number.clone(), ..DocumentFilter::default() };
    let mut entries: Vec<&DocumentEntry> = snapshot
        .catalog()
        .document_entries()
        .filter(|entry| numbered.matches_document(&entry.row))
        .collect();
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.row.release, entry.row.version)));
    let of_number =
        read.filter.number.as_ref().map(|number| format!(" of {number}")).unwrap_or_default();
    if let (Some(asked), Some(version)) = (filters.version, read.version)
        && !entries.iter().any(|entry| version.is_meant(entry.row.version, entry.row.release))
    {
        // Without a number, the versions of all documents would say nothing.
        let indexed = match &read.filter.number {
            Some(_) => distinct_values(&entries, |entry| entry.row.version.to_string()),
            None => Vec::new(),
        };
        let listed = if indexed.is_empty() {
            String::new()
        } else {
            format!("; indexed: {}", list_some(&indexed))
        };
        let message = format!("Version {}{of_number} is not indexed{listed}.", echo(asked.value));
        reasons.add(value_reason(DiagnosisCode::VersionNotIndexed, asked, message, indexed));
    }
    if let (Some(asked), Some(release)) = (filters.release, read.filter.release)
        && !entries.iter().any(|entry| entry.row.release == release)
    {
        let indexed = distinct_values(&entries, |entry| entry.row.release.to_string());
        let message = format!(
            "No version{of_number} of {release} is indexed; indexed: {}.",
            list_some(&indexed)
        );
        reasons.add(value_reason(DiagnosisCode::ReleaseNotIndexed, asked, message, indexed));
    }
    explain_kinds(filters, read, &entries, reasons);
}

/// The values that documents have, in their order.
fn distinct_values(entries: &[&DocumentEntry], value: fn(&DocumentEntry) -> String) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for entry in entries {
        let value = value(entry);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// The same for series and type.
fn explain_kinds(
    filters: &DocumentFilters<'_>,
    read: &ReadFilters,
    entries: &[&DocumentEntry],
    reasons: &mut Reasons,
) {
    if let (Some(asked), Some(series)) = (filters.series, read.filter.series.as_deref())
        && !entries.iter().any(|entry| entry.row.number.series() == series)
    {
        let mut indexed = distinct_values(entries, |entry| entry.row.number.series().to_owned());
        indexed.sort();
        let message = match &read.filter.number {
            Some(number) => format!("{number} is not in series {}.", echo(series)),
            None => {
                format!(
                    "No document of series {} is indexed; indexed: {}.",
                    echo(series),
                    list_some(&indexed)
                )
            }
        };
        reasons.add(value_reason(DiagnosisCode::ValueUnknown, asked, message, indexed));
    }
    if let (Some(asked), Some(doc_type)) = (filters.doc_type, read.filter.doc_type)
        && !entries.iter().any(|entry| entry.row.doc_type == doc_type)
    {
        let indexed = distinct_values(entries, |entry| entry.row.doc_type.to_string());
        let message = match &read.filter.number {
            Some(number) => format!("{number} is not a {doc_type}."),
            None => format!("No {doc_type} is indexed."),
        };
        reasons.add(value_reason(DiagnosisCode::ValueUnknown, asked, message, indexed));
    }
}

fn value_reason(
    code: DiagnosisCode,
    asked: FilterValue<'_>,
    message: String,
    indexed: Vec<String>,
) -> DiagnosisReason {
    DiagnosisReason::new(code, message).of_parameter(asked.parameter).with_suggestions(indexed)
}

/// How many documents there would be without each of the filters, none of which alone leaves nothing.
fn explain_combination(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    read: &ReadFilters,
    reasons: &mut Reasons,
) {
    let without = |parameter: &str| {
        let mut rest = read.clone();
        let is = |value: Option<FilterValue<'_>>| {
            value.is_some_and(|value| value.parameter == parameter)
        };
        if is(filters.document) {
            rest.filter.number = None;
        } else if is(filters.version) {
            rest.version = None;
        } else if is(filters.release) {
            rest.filter.release = None;
        } else if is(filters.series) {
            rest.filter.series = None;
        } else {
            rest.filter.doc_type = None;
        }
        rest
    };
    for asked in filters.set() {
        let rest = without(asked.parameter);
        spend(snapshot.catalog().len());
        let matching = snapshot.catalog().document_entries().filter(|entry| rest.matches(entry));
        let count = matching.count() as u64;
        if count > 0 {
            let message = format!(
                "Without {}={}, {} would match.",
                asked.parameter,
                echo(asked.value),
                count_of(count, "document version")
            );
            let reason = DiagnosisReason::new(DiagnosisCode::FilterExcludesAll, message);
            reasons.add(reason.of_parameter(asked.parameter).with_count(count));
        }
    }
    if reasons.is_empty() {
        let message = "No document version matches all of these filters.";
        reasons.add(DiagnosisReason::new(DiagnosisCode::FiltersExcludeAll, message));
    }
}

/// Whether the documents that match have figures at all; a reason if they have none.
pub(in crate::service) fn diagnose_figures(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    reasons: &mut Reasons,
) -> bool {
    let Some(read) = filters.read(reasons) else { return false };
    let (mut documents, mut figures) = (0, 0);
    for entry in snapshot.catalog().document_entries().filter(|entry| read.matches(entry)) {
        documents += 1;
        figures += entry.figure_count();
    }
    if documents > 0 && figures == 0 {
        let message = "No matching document version has figures.";
        reasons.add(DiagnosisReason::new(DiagnosisCode::NothingIndexed, message));
    }
    figures > 0
}
