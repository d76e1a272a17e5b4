//! In which versions a definition changed, and how.

use std::collections::{BTreeMap, HashSet};

use names::{DefinedName, name_key};

use super::section_head;
use crate::service::{Service, internal_failure};
use domain::Version;
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{Failure, records::DefinitionVersion};

/// The versions in which a definition is new or differs from the one before, the oldest first.
pub(super) fn read_history(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    name: &DefinedName,
) -> Result<Vec<DefinitionVersion>, Failure> {
    let sections = snapshot.names().defining_sections(&name_key(&name.name));
    let mut versions: BTreeMap<Version, Vec<SectionKey>> = BTreeMap::new();
    for section in sections.map_err(internal_failure)? {
        let Some(of) = snapshot.catalog().get(section.document) else { continue };
        if of.row.number == entry.row.number {
            versions.entry(of.row.version).or_default().push(section);
        }
    }
    let mut history: Vec<DefinitionVersion> = Vec::new();
    let mut before: Vec<String> = Vec::new();
    for (version, sections) in versions {
        let Some(of) = sections.first().and_then(|key| snapshot.catalog().get(key.document)) else {
            continue;
        };
        let read = crate::service::names::names_of_sections(service, snapshot, of, sections)?;
        let same = read.iter().find_map(|(section, names)| {
            let found = names.names.iter().find(|other| {
                other.kind == name.kind && other.name == name.name && other.within == name.within
            });
            Some((*section, found?))
        });
        let Some((section, found)) = same else { continue };
        let lines = definition_lines(&found.definition);
        if lines != before {
            history.push(DefinitionVersion {
                version: version.to_string(),
                section_number: section_head(snapshot, of, section)?.number,
                removed: lines_without(&before, &lines),
                added: lines_without(&lines, &before),
            });
            before = lines;
        }
    }
    Ok(history)
}

/// The lines of a definition, without the blanks that align columns.
fn definition_lines(text: &str) -> Vec<String> {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).filter(|line| !line.is_empty()).collect()
}

/// The lines that others do not have, in their order.
fn lines_without(lines: &[String], others: &[String]) -> Vec<String> {
    let others: HashSet<&str> = others.iter().map(String::as_str).collect();
    lines.iter().filter(|line| !others.contains(line.as_str())).cloned().collect()
}
