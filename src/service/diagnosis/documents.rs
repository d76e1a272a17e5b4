//! Which documents are indexed, and what of a request they do not have.

use std::{collections::BTreeSet, str::FromStr};

use super::{
    notes::{count_of, echo, list_some},
    reasons::Reasons,
};
use crate::service::{internal_failure, nearest_documents};
use cost_meter::spend;
use domain::{DocNumber, DocType, Release, TypedVersion};
use store::{DocumentEntry, Snapshot, StoreError};
use wire::{Failure, records::Diagnosis, values::DiagnosisCode};

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

    fn not_understood(self, expected: &str) -> Diagnosis {
        let message = format!("'{}' is not {expected}.", echo(self.value));
        Diagnosis::new(DiagnosisCode::ValueNotUnderstood, message).of_parameter(self.parameter)
    }
}

/// The filters for documents that a request has.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::service) struct DocumentFilters<'a> {
    /// A document number.
    pub(in crate::service) number: Option<FilterValue<'a>>,
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
struct ReadFilters<'a> {
    number: Option<DocNumber>,
    version: Option<TypedVersion>,
    release: Option<Release>,
    series: Option<&'a str>,
    doc_type: Option<DocType>,
}

impl ReadFilters<'_> {
    fn matches(&self, entry: &DocumentEntry) -> bool {
        let row = &entry.row;
        self.number.as_ref().is_none_or(|number| *number == row.number)
            && self.version.is_none_or(|version| version.is_meant(row.version, row.release))
            && self.release.is_none_or(|release| release == row.release)
            && self.series.is_none_or(|series| series == row.number.series())
            && self.doc_type.is_none_or(|doc_type| doc_type == row.doc_type)
    }
}

impl<'a> DocumentFilters<'a> {
    /// Reads the values; each that cannot be read is a reason, and then nothing matches.
    fn read(&self, reasons: &mut Reasons) -> Option<ReadFilters<'a>> {
        let number =
            read_value(self.number, "a document number such as 38.331 or 38.101-1", reasons);
        let expected = "a version such as 18.1.0 or a release such as Rel-18";
        let version = read_value(self.version, expected, reasons);
        let release = read_value(self.release, "a release such as Rel-18", reasons);
        let doc_type = read_value(self.doc_type, "a type of document: TS or TR", reasons);
        Some(ReadFilters {
            number: number.ok()?,
            version: version.ok()?,
            release: release.ok()?,
            series: self.series.map(|series| series.value),
            doc_type: doc_type.ok()?,
        })
    }

    fn set(&self) -> impl Iterator<Item = FilterValue<'a>> {
        [self.number, self.version, self.release, self.series, self.doc_type].into_iter().flatten()
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
        reasons.add(Diagnosis::new(DiagnosisCode::NothingIndexed, message));
        return Ok(None);
    }
    let Some(read) = filters.read(reasons) else { return Ok(None) };
    spend(snapshot.catalog().len());
    let matching = all().filter(|entry| read.matches(entry));
    if let Some(newest) = matching.max_by_key(|entry| entry.row.version) {
        return Ok(Some(newest));
    }
    if let (Some(asked), Some(number)) = (filters.number, &read.number) {
        if snapshot.catalog().document_versions(number).is_empty() {
            let reason = explain_number(snapshot, number).map_err(internal_failure)?;
            reasons.add(reason.of_parameter(asked.parameter));
            return Ok(None);
        }
    }
    explain_values(snapshot, filters, &read, reasons);
    if reasons.is_empty() {
        explain_combination(snapshot, filters, &read, reasons);
    }
    Ok(None)
}

/// Why a document is not found: it is in parts, only cited, or not there at all.
pub(super) fn explain_number(
    snapshot: &Snapshot,
    number: &DocNumber,
) -> Result<Diagnosis, StoreError> {
    let known: BTreeSet<&DocNumber> =
        snapshot.catalog().document_entries().map(|entry| &entry.row.number).collect();
    let parts: Vec<&str> = known
        .iter()
        .filter_map(|known| known.as_str().strip_prefix(number.as_str())?.strip_prefix('-'))
        .collect();
    if !parts.is_empty() {
        let suggestions = parts.iter().map(|part| format!("{number}-{part}")).collect();
        let message = format!("{number} is indexed as {}.", name_parts(&parts));
        return Ok(
            Diagnosis::new(DiagnosisCode::DocumentInParts, message).with_suggestions(suggestions)
        );
    }
    let near = nearest_documents(snapshot, number);
    let similar = match near.as_slice() {
        [] => String::new(),
        near => format!("; similar numbers are: {}", list_some(near)),
    };
    let citing = count_citing_sections(snapshot, number.as_str())?;
    let reason = match citing {
        0 => Diagnosis::new(
            DiagnosisCode::DocumentNotIndexed,
            format!("{number} is not indexed{similar}."),
        ),
        1.. => {
            let verb = if citing == 1 { "cites" } else { "cite" };
            let sections = count_of(citing, "indexed section");
            let message = format!("{number} is not indexed; {sections} {verb} it{similar}.");
            Diagnosis::new(DiagnosisCode::DocumentOnlyCited, message).with_count(citing)
        }
    };
    Ok(reason.with_suggestions(near))
}

/// How many sections cite a document; of each document, its newest version counts.
pub(super) fn count_citing_sections(
    snapshot: &Snapshot,
    document: &str,
) -> Result<u64, StoreError> {
    let keys = snapshot.documents().sections_citing_document(document)?;
    spend(keys.len());
    let is_newest = |id: u32| {
        snapshot.catalog().get(id).is_some_and(|entry| {
            let versions = snapshot.catalog().document_versions(&entry.row.number);
            versions.first().is_some_and(|newest| newest.id == id)
        })
    };
    let mut known: Option<(u32, bool)> = None;
    let mut count = 0;
    for key in keys {
        let counts = match known {
            Some((document, counts)) if document == key.document => counts,
            _ => is_newest(key.document),
        };
        known = Some((key.document, counts));
        count += u64::from(counts);
    }
    Ok(count)
}

/// `parts 1 to 5`, or the parts one by one if some between them are not indexed.
fn name_parts(parts: &[&str]) -> String {
    let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let is_run =
        numbers.len() == parts.len() && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match parts {
        [only] => format!("part {only}"),
        [first, second] => format!("parts {first} and {second}"),
        [first, .., last] if is_run => format!("parts {first} to {last}"),
        parts => {
            let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
            format!("parts {}", list_some(&parts))
        }
    }
}

/// Which of the values no document has; with a number, none of its versions.
fn explain_values(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    read: &ReadFilters<'_>,
    reasons: &mut Reasons,
) {
    let numbered = ReadFilters { number: read.number.clone(), ..ReadFilters::default() };
    let mut entries: Vec<&DocumentEntry> =
        snapshot.catalog().document_entries().filter(|entry| numbered.matches(entry)).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse((entry.row.release, entry.row.version)));
    let of_number = read.number.as_ref().map(|number| format!(" of {number}")).unwrap_or_default();
    let distinct = |value: fn(&DocumentEntry) -> String| {
        let mut values: Vec<String> = Vec::new();
        for entry in &entries {
            let value = value(entry);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        values
    };
    if let (Some(asked), Some(version)) = (filters.version, read.version)
        && !entries.iter().any(|entry| version.is_meant(entry.row.version, entry.row.release))
    {
        // Without a number, the versions of all documents would say nothing.
        let indexed = match &read.number {
            Some(_) => distinct(|entry| entry.row.version.to_string()),
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
    if let (Some(asked), Some(release)) = (filters.release, read.release)
        && !entries.iter().any(|entry| entry.row.release == release)
    {
        let indexed = distinct(|entry| entry.row.release.to_string());
        let message = format!(
            "No version{of_number} of {release} is indexed; indexed: {}.",
            list_some(&indexed)
        );
        reasons.add(value_reason(DiagnosisCode::ReleaseNotIndexed, asked, message, indexed));
    }
    if let (Some(asked), Some(series)) = (filters.series, read.series)
        && !entries.iter().any(|entry| entry.row.number.series() == series)
    {
        let mut indexed = distinct(|entry| entry.row.number.series().to_owned());
        indexed.sort();
        let message = match &read.number {
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
    if let (Some(asked), Some(doc_type)) = (filters.doc_type, read.doc_type)
        && !entries.iter().any(|entry| entry.row.doc_type == doc_type)
    {
        let indexed = distinct(|entry| entry.row.doc_type.to_string());
        let message = match &read.number {
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
) -> Diagnosis {
    Diagnosis::new(code, message).of_parameter(asked.parameter).with_suggestions(indexed)
}

/// How many documents there would be without each of the filters, none of which alone leaves nothing.
fn explain_combination(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    read: &ReadFilters<'_>,
    reasons: &mut Reasons,
) {
    let without = |parameter: &str| {
        let mut rest = read.clone();
        let is = |value: Option<FilterValue<'_>>| {
            value.is_some_and(|value| value.parameter == parameter)
        };
        if is(filters.number) {
            rest.number = None;
        } else if is(filters.version) {
            rest.version = None;
        } else if is(filters.release) {
            rest.release = None;
        } else if is(filters.series) {
            rest.series = None;
        } else {
            rest.doc_type = None;
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
            let reason = Diagnosis::new(DiagnosisCode::FilterExcludesAll, message);
            reasons.add(reason.of_parameter(asked.parameter).with_count(count));
        }
    }
    if reasons.is_empty() {
        let message = "No document version matches all of these filters.";
        reasons.add(Diagnosis::new(DiagnosisCode::FiltersExcludeAll, message));
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
        let documents = count_of(documents, "matching document version");
        let message = format!("The {documents} contain no figures.");
        reasons.add(Diagnosis::new(DiagnosisCode::NothingIndexed, message));
    }
    figures > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_a_range_only_if_none_is_missing() {
        for (parts, expected) in [
            (&["1"][..], "part 1"),
            (&["1", "3"], "parts 1 and 3"),
            (&["1", "2", "3", "4", "5"], "parts 1 to 5"),
            (&["1", "2", "4"], "parts 1, 2, 4"),
            (&["1", "2", "A"], "parts 1, 2, A"),
        ] {
            assert_eq!(name_parts(parts), expected);
        }
    }
}
