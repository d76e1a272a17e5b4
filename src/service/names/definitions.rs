//! The definitions of a name that match a request.

use std::{collections::BTreeMap, sync::Arc};

use cost_meter::spend;
use names::{DefinedName, RouteQuery, name_key, route_key};

use super::{
    AskedVersion,
    described::LocatedName,
    indexed_names::IndexedNames,
    section_head,
    within::{has_words_of, is_within},
};
use crate::service::{Service, internal_failure, tdocs::parameter_values::parse_value};
use domain::{DefinedNameKind, DocNumber, Version};
use store::{DocumentEntry, DocumentFilter, SectionKey, Snapshot};
use wire::{Failure, params::LookupName};

/// Sections of a document in which a name is looked up. An element that all messages carry has a row in each of their
/// clauses.
const MAX_SECTIONS_LOOKED_AT: usize = 300;
/// Steps of a cost meter for a key under which a route is looked up.
const STEPS_PER_ROUTE: usize = 16;
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
    let mut found = Vec::new();
    for place in newest_places(snapshot, request, key)? {
        for (section, names) in place.read_names(service, snapshot)? {
            let names = names.with_key(key).filter(|name| is_of_kind(name, request)).cloned();
            found.extend(names.map(|name| place.locate(section, name)));
        }
    }
    match &request.within {
        Some(within) => keep_within(snapshot, found, within),
        None => Ok(found),
    }
}

/// Whether a name is of the requested kind.
fn is_of_kind(name: &DefinedName, request: &LookupName) -> bool {
    request.kind.is_none_or(|kind| name.kind == kind)
}

/// The operations of a route: of each document those of the newest version that the request admits.
pub(super) fn find_operations<'a>(
    service: &Service,
    snapshot: &'a Snapshot,
    request: &LookupName,
    route: &RouteQuery,
) -> Result<Vec<LocatedName<'a>>, Failure> {
    for candidate in route.candidates() {
        spend(STEPS_PER_ROUTE);
        let mut found = Vec::new();
        for place in newest_places(snapshot, request, &candidate.key)? {
            for (section, names) in place.read_names(service, snapshot)? {
                if !is_of_api(snapshot, place.entry, section, candidate.api.as_deref())? {
                    continue;
                }
                spend(names.names.len());
                let has_route = |name: &&DefinedName| {
                    let of = name.within.as_deref().unwrap_or_default();
                    name.kind == DefinedNameKind::Operation
                        && is_of_kind(name, request)
                        && route.admits(of)
                        && route_key(of).as_ref() == Some(&candidate.key)
                };
                let operations = names.names.iter().filter(has_route).cloned();
                found.extend(operations.map(|name| place.locate(section, name)));
            }
        }
        if !found.is_empty() {
            return Ok(found);
        }
    }
    Ok(Vec::new())
}

/// Whether the OpenAPI file in a section is that of an API, by the address of its server; if it gives none, by its titles.
fn is_of_api(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    section: u32,
    api: Option<&str>,
) -> Result<bool, Failure> {
    let Some(api) = api else { return Ok(true) };
    let key = SectionKey { document: entry.id, ordinal: section };
    let text = snapshot.documents().section_text(key).map_err(internal_failure)?;
    let urls =
        text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("url:"));
    let mut servers = urls.filter(|url| url.to_lowercase().contains("apiroot")).peekable();
    if servers.peek().is_some() {
        return Ok(servers.any(|url| name_key(url).contains(api)));
    }
    let head = snapshot.documents().section_head(key).map_err(internal_failure)?;
    let printed = text.lines().filter_map(|line| line.trim().strip_prefix("title:"));
    let mut titles = printed.chain(head.as_ref().map(|head| head.title.as_str()));
    Ok(titles.any(|title| name_key(title).contains(api)))
}

/// The sections of a version that have a key.
struct KeyPlace<'a> {
    entry: &'a DocumentEntry,
    since: Version,
    sections: Vec<SectionKey>,
}

impl<'a> KeyPlace<'a> {
    fn read_names(
        &self,
        service: &Service,
        snapshot: &Snapshot,
    ) -> Result<Vec<(u32, Arc<IndexedNames>)>, Failure> {
        let sections = self.sections.iter().copied().take(MAX_SECTIONS_LOOKED_AT);
        crate::service::names::names_of_sections(service, snapshot, self.entry, sections)
    }

    fn locate(&self, section: u32, name: DefinedName) -> LocatedName<'a> {
        LocatedName { entry: self.entry, section, name, since: self.since }
    }
}

/// The sections with a key: of each document those of the newest version that the request admits.
fn newest_places<'a>(
    snapshot: &'a Snapshot,
    request: &LookupName,
    key: &str,
) -> Result<Vec<KeyPlace<'a>>, Failure> {
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
    let newest = documents.into_values().filter_map(|versions| {
        let since = versions.keys().next().copied()?;
        versions.into_values().rev().find_map(|sections| {
            let entry = snapshot.catalog().get(sections.first()?.document)?;
            choice.admits(entry).then_some(KeyPlace { entry, since, sections })
        })
    });
    Ok(newest.collect())
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
