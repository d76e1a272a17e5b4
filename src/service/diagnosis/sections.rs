//! Which sections a document has near one that it does not have.

use std::cmp::Reverse;

use super::{
    documents::{DocumentFilters, FilterValue, diagnose_documents},
    notes::{echo, list_some},
    reasons::Reasons,
};
use crate::service::internal_failure;
use domain::SectionNumber;
use store::{DocumentEntry, DocumentFilter, SectionHead, Snapshot};
use suggestion::find_nearest;
use wire::{Failure, records::DiagnosisReason, values::DiagnosisCode};

/// Sections that are suggested.
const MAX_SUGGESTED: usize = 8;

/// Why no matching document has a section.
pub(in crate::service) fn diagnose_sections(
    snapshot: &Snapshot,
    filters: &DocumentFilters<'_>,
    section: FilterValue<'_>,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    let Some(newest) = diagnose_documents(snapshot, filters, reasons)? else { return Ok(()) };
    if filters.document.is_some() {
        return diagnose_section(snapshot, newest, section, reasons);
    }
    let message = format!("No matching document has a section '{}'.", echo(section.value));
    let reason = DiagnosisReason::new(DiagnosisCode::SectionNotFound, message);
    reasons.add(reason.of_parameter(section.parameter));
    Ok(())
}

/// Why a section is not found in a document: its other versions may have it, or it may have near ones. Nothing if it has the
/// section.
fn diagnose_section(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    asked: FilterValue<'_>,
    reasons: &mut Reasons,
) -> Result<(), Failure> {
    let number = SectionNumber::from_typed(asked.value);
    let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
    let is_there = |text: &str| heads.iter().any(|head| head.number == text);
    if is_there(number.as_str()) || is_there(asked.value) {
        return Ok(());
    }
    let (document, version) = (&entry.row.number, entry.row.version);
    let absent = format!("{document} {version} has no section '{}'", echo(asked.value));
    let others = versions_with_section(snapshot, entry, number.as_str())?;
    let near = near_sections(&heads, &number);
    let message = match (others.as_slice(), near.as_slice()) {
        ([], []) => format!("{absent}."),
        ([], [only]) => format!("{absent}; near it is {only}."),
        ([], near) => format!("{absent}; near it are {}.", list_some(near)),
        (others, _) => format!("{absent}; indexed versions that have it: {}.", list_some(others)),
    };
    let reason = DiagnosisReason::new(DiagnosisCode::SectionNotFound, message);
    reasons.add(reason.of_parameter(asked.parameter).with_suggestions(near));
    Ok(())
}

/// The other versions of a document that have a section, newest first.
fn versions_with_section(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    number: &str,
) -> Result<Vec<String>, Failure> {
    let filter =
        DocumentFilter { number: Some(entry.row.number.clone()), ..DocumentFilter::default() };
    let keys =
        snapshot.documents().find_sections(number, false, &filter).map_err(internal_failure)?;
    let mut versions: Vec<_> = keys
        .iter()
        .filter_map(|key| snapshot.catalog().get(key.document))
        .map(|entry| entry.row.version)
        .collect();
    versions.sort_by_key(|version| Reverse(*version));
    versions.dedup();
    Ok(versions.iter().map(ToString::to_string).collect())
}

/// The sections near a number: those with the same parent, the nearest first; or its nearest parent. For a title, those
/// with a similar one.
fn near_sections(heads: &[SectionHead], number: &SectionNumber) -> Vec<String> {
    let text = number.as_str();
    if !SectionNumber::is_numbered(text) {
        return near_titles(heads, text);
    }
    let mut parent = text;
    while let Some((above, _)) = parent.rsplit_once('.') {
        parent = above;
        let is_child = |head: &&SectionHead| {
            head.number.rsplit_once('.').is_some_and(|(own, _)| own == parent)
        };
        let mut numbers: Vec<SectionNumber> =
            heads.iter().filter(is_child).map(|head| SectionNumber::new(&head.number)).collect();
        if numbers.is_empty() {
            match heads.iter().find(|head| head.number == parent) {
                Some(head) => return vec![head.number.clone()],
                None => continue,
            }
        }
        numbers.sort();
        numbers.dedup();
        // Both sides of the position that the number would have.
        let after = numbers.partition_point(|known| known < number);
        let start = after.saturating_sub(MAX_SUGGESTED / 2);
        let start = start.min(numbers.len().saturating_sub(MAX_SUGGESTED));
        let window = numbers.iter().skip(start).take(MAX_SUGGESTED);
        return window.map(ToString::to_string).collect();
    }
    Vec::new()
}

/// The numbers of the sections with a title like a text.
fn near_titles(heads: &[SectionHead], text: &str) -> Vec<String> {
    let titles = heads.iter().map(|head| head.title.as_str());
    let near = find_nearest(text, titles);
    let is_near = |head: &&SectionHead| {
        near.contains(&head.title.as_str()) || head.title.eq_ignore_ascii_case(text)
    };
    heads.iter().filter(is_near).take(MAX_SUGGESTED).map(|head| head.number.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(numbers: &[(&str, &str)]) -> Vec<SectionHead> {
        let head = |(number, title): &(&str, &str)| SectionHead {
            number: (*number).to_owned(),
            title: (*title).to_owned(),
            level: 1,
            parent: None,
            token_count: 0,
            fragment_count: 0,
        };
        numbers.iter().map(head).collect()
    }

    #[test]
    fn near_sections_are_siblings_around_the_number_or_its_parent() {
        let heads = heads(&[
            ("5", "Procedures"),
            ("5.3", "Setup"),
            ("5.3.1", "General"),
            ("5.3.2", "Timers of setup"),
            ("5.4", "Release"),
            ("A", "Examples"),
            ("A.1", "Flow"),
        ]);
        for (asked, expected) in [
            ("5.3.9", &["5.3.1", "5.3.2"][..]),
            ("5.3.1.7", &["5.3.1"]),
            ("5.9.9.9", &["5.3", "5.4"]),
            ("A.7", &["A.1"]),
            ("9.9", &[]),
            ("timers of setpu", &["5.3.2"]),
            ("nothing alike", &[]),
        ] {
            let number = SectionNumber::from_typed(asked);
            assert_eq!(near_sections(&heads, &number), expected, "{asked}");
        }
    }
}
