//! The definitions of a name that match a request.

use std::collections::BTreeMap;

use names::DefinedName;

use super::{
    AskedVersion,
    described::LocatedName,
    section_head,
    within::{has_words_of, is_within},
};
use crate::service::{Service, internal_failure, tdocs::parameter_values::parse_value};
use domain::{DocNumber, Version};
use store::{DocumentFilter, SectionKey, Snapshot};
use wire::{Failure, params::LookupName};

/// Sections of a document in which a name is looked up. An element that all messages carry has a row in each of their
/// clauses.
const MAX_SECTIONS_LOOKED_AT: usize = 300;
/// Maximum number of nested sections whose titles are read: parents are found by their numbers, and a document in
/// which two name each other would have no end.
const MAX_DEPTH: usize = 12;

/// The definitions under a key: of each document those of the newest version that the request admits.
pub(super) fn find_definitions<'a>(
    service: &Service,
    snapshot: &'a Snapshot,
    request: &LookupName,
    key: &str,
) -> Result<Vec<LocatedName<'a>>, Failure> {
    let choice = AskedVersion::parse(request.version.as_deref())?;
    let wanted: Option<DocNumber> = match &request.doc_number {
        Some(number) => Some(parse_value("doc_number", number)?),
        None => None,
    };
    let sections = snapshot.names().defining_sections(key).map_err(internal_failure)?;
    // By document, and by the id of a version.
    let mut documents: BTreeMap<DocNumber, BTreeMap<Version, Vec<SectionKey>>> = BTreeMap::new();
    for section in sections {
        let Some(entry) = snapshot.catalog().get(section.document) else { continue };
        if wanted.as_ref().is_none_or(|wanted| entry.row.number == *wanted) {
            let versions = documents.entry(entry.row.number.clone()).or_default();
            versions.entry(entry.row.version).or_default().push(section);
        }
    }
    let mut found = Vec::new();
    for versions in documents.into_values() {
        let Some(since) = versions.keys().next().copied() else { continue };
        let newest = versions.into_values().rev().find_map(|sections| {
            let entry = snapshot.catalog().get(sections.first()?.document)?;
            choice.admits(entry).then_some((entry, sections))
        });
        let Some((entry, sections)) = newest else { continue };
        let sections = sections.into_iter().take(MAX_SECTIONS_LOOKED_AT);
        for (section, names) in
            crate::service::names::names_of_sections(service, snapshot, entry, sections)?
        {
            let is_wanted = |name: &&DefinedName| request.kind.is_none_or(|kind| name.kind == kind);
            let names = names.with_key(key).filter(is_wanted).cloned();
            found.extend(names.map(|name| LocatedName { entry, section, name, since }));
        }
    }
    match &request.within {
        Some(within) => keep_within(snapshot, found, within),
        None => Ok(found),
    }
}

/// The definitions in a type or message; if none has this name, those that are in one with the same words.
fn keep_within<'a>(
    snapshot: &Snapshot,
    found: Vec<LocatedName<'a>>,
    within: &str,
) -> Result<Vec<LocatedName<'a>>, Failure> {
    let (exact, others): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|found| is_within(&found.name, within));
    if !exact.is_empty() {
        return Ok(exact);
    }
    let mut similar = Vec::new();
    for found in others {
        if has_words_of(&found.name, &titles_of(snapshot, &found)?, within) {
            similar.push(found);
        }
    }
    Ok(similar)
}

/// The titles of a section and of those that contain it.
fn titles_of(snapshot: &Snapshot, found: &LocatedName<'_>) -> Result<String, Failure> {
    let filter = DocumentFilter {
        number: Some(found.entry.row.number.clone()),
        version: Some(found.entry.row.version),
        ..DocumentFilter::default()
    };
    let mut head = section_head(snapshot, found.entry, found.section)?;
    let mut titles = head.title.clone();
    for _ in 0..MAX_DEPTH {
        let Some(parent) = head.parent.take() else { break };
        let sections = snapshot.documents().find_sections(&parent, false, &filter);
        let Some(key) = sections.map_err(internal_failure)?.first().copied() else { break };
        head = section_head(snapshot, found.entry, key.ordinal)?;
        titles.push(' ');
        titles.push_str(&head.title);
    }
    Ok(titles)
}
