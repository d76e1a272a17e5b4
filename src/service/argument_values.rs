//! What completes an argument while somebody types it: documents, sections, versions, releases, meetings.

use std::cmp::Reverse;

use super::{Service, find_meetings, internal_failure};
use domain::{DocNumber, TypedVersion};
use store::DocumentEntry;
use wire::Failure;

/// Numbers of indexed documents that begin with what is typed, or whose titles contain it.
pub fn complete_document_numbers(service: &Service, typed: &str) -> Vec<String> {
    let typed = typed.trim();
    // "TS 38.3" begins like 38.3.
    let digits = typed.trim_start_matches(|c: char| c.is_alphabetic() || c.is_whitespace());
    let words = typed.to_lowercase();
    let snapshot = service.store.snapshot();
    let mut numbers: Vec<&DocNumber> = snapshot
        .catalog()
        .document_entries()
        .filter(|entry| {
            let begins = !digits.is_empty() && entry.row.number.as_str().starts_with(digits);
            let title = entry.row.title.as_deref().unwrap_or_default();
            words.is_empty() || begins || title.to_lowercase().contains(&words)
        })
        .map(|entry| &entry.row.number)
        .collect();
    numbers.sort();
    numbers.dedup();
    numbers.into_iter().map(ToString::to_string).collect()
}

/// Numbers of sections of a document that begin with what is typed, or whose titles contain it, in the order of the text. Those
/// of the newest version, if none is named; none for a document that is not indexed.
pub fn complete_sections(
    service: &Service,
    document: &str,
    version: Option<&str>,
    typed: &str,
) -> Result<Vec<String>, Failure> {
    let typed = typed.trim().to_lowercase();
    let snapshot = service.store.snapshot();
    let meant = version.and_then(|version| version.parse::<TypedVersion>().ok());
    let is_meant = |entry: &&DocumentEntry| {
        meant.is_none_or(|meant| meant.is_meant(entry.row.version, entry.row.release))
    };
    let entries = versions_of(snapshot.catalog().document_entries(), Some(document));
    let Some(entry) = entries.into_iter().find(is_meant) else { return Ok(Vec::new()) };
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let begins: Vec<String> = heads
        .iter()
        .map(|head| &head.number)
        .filter(|number| number.to_lowercase().starts_with(&typed))
        .cloned()
        .collect();
    if !begins.is_empty() {
        return Ok(begins);
    }
    let contains = heads.into_iter().filter(|head| head.title.to_lowercase().contains(&typed));
    Ok(contains.map(|head| head.number).collect())
}

/// Indexed versions that begin with what is typed, newest first: of a document, if one is named.
pub fn complete_versions(service: &Service, document: Option<&str>, typed: &str) -> Vec<String> {
    let snapshot = service.store.snapshot();
    let entries = versions_of(snapshot.catalog().document_entries(), document);
    let mut versions: Vec<_> = entries.iter().map(|entry| entry.row.version).collect();
    versions.sort_by_key(|version| Reverse(*version));
    versions.dedup();
    begin_with(versions.iter().map(ToString::to_string), typed)
}

/// Releases of indexed versions, such as `Rel-18`, newest first: of a document, if one is named. `18` begins `Rel-18`.
pub fn complete_releases(service: &Service, document: Option<&str>, typed: &str) -> Vec<String> {
    let snapshot = service.store.snapshot();
    let entries = versions_of(snapshot.catalog().document_entries(), document);
    let mut releases: Vec<_> = entries.iter().map(|entry| entry.row.release).collect();
    releases.sort_by_key(|release| Reverse(*release));
    releases.dedup();
    let names = releases.iter().map(ToString::to_string);
    let digits = typed.trim();
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        return begin_with(names, &format!("Rel-{digits}"));
    }
    begin_with(names, typed)
}

/// Known meetings whose name, ID or place begins with what is typed, newest first.
pub fn complete_meetings(service: &Service, typed: &str) -> Result<Vec<String>, Failure> {
    if !typed.trim().is_empty() {
        let found = find_meetings(service, typed, usize::MAX)?;
        return Ok(found.into_iter().map(|meeting| meeting.id).collect());
    }
    let catalog = service.tdoc_catalog(&service.store.snapshot())?;
    let mut meetings: Vec<_> = catalog.meetings.iter().collect();
    meetings.sort_by(|a, b| b.dates.start.cmp(&a.dates.start).then_with(|| a.id.cmp(&b.id)));
    Ok(meetings.into_iter().map(|meeting| meeting.id.to_string()).collect())
}

/// The versions of a document, newest first; of all documents if none is named.
fn versions_of<'a>(
    entries: impl Iterator<Item = &'a DocumentEntry>,
    document: Option<&str>,
) -> Vec<&'a DocumentEntry> {
    let number = document.map(str::parse::<DocNumber>);
    let mut versions: Vec<_> = entries
        .filter(|entry| match &number {
            None => true,
            Some(Ok(number)) => entry.row.number == *number,
            Some(Err(_)) => false,
        })
        .collect();
    versions.sort_by_key(|entry| Reverse(entry.row.version));
    versions
}

fn begin_with(values: impl Iterator<Item = String>, typed: &str) -> Vec<String> {
    let typed = typed.trim().to_lowercase();
    values.filter(|value| value.to_lowercase().starts_with(&typed)).collect()
}
