//! The types that a definition names, those that these name, and so on.

use std::collections::HashSet;

use names::{DefinedKind, DefinedName, name_key};

use super::{is_type, section_head};
use crate::service::{Service, internal_failure};
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{
    Failure,
    records::{ExpandedType, TypeExpansion},
};

/// Bytes of a token of a definition, about.
const BYTES_PER_TOKEN: usize = 3;

/// Adds the types that a definition names, level by level, as far as there is room.
pub(super) fn expand_types(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    name: &DefinedName,
    levels: u32,
    max_tokens: usize,
) -> Result<TypeExpansion, Failure> {
    let mut expansion = TypeExpansion { types: Vec::new(), left_out: Vec::new() };
    let mut room = max_tokens * BYTES_PER_TOKEN;
    let mut known: HashSet<String> = HashSet::from([name.name.clone()]);
    let mut level: Vec<String> = name.types.clone();
    for _ in 0..levels {
        let mut next = Vec::new();
        for wanted in level {
            if !known.insert(wanted.clone()) {
                continue;
            }
            let Some((expanded, types)) = find_type(service, snapshot, entry, &wanted, name.kind)?
            else {
                expansion.left_out.push(wanted);
                continue;
            };
            match room.checked_sub(expanded.definition.len() + expanded.name.len()) {
                Some(left) => {
                    room = left;
                    expansion.types.push(expanded);
                    next.extend(types);
                }
                None => expansion.left_out.push(wanted),
            }
        }
        level = next;
    }
    Ok(expansion)
}

/// The definition of a type with the types that it names: in the same version, or else in the newest document that defines it.
fn find_type(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    wanted: &str,
    user: DefinedKind,
) -> Result<Option<(ExpandedType, Vec<String>)>, Failure> {
    let key = name_key(wanted);
    let own = snapshot.names().defining_sections_in(&key, entry.id).map_err(internal_failure)?;
    if let Some(found) = find_type_in(service, snapshot, entry, own, wanted, user)? {
        return Ok(Some(found));
    }
    let all = snapshot.names().defining_sections(&key).map_err(internal_failure)?;
    let mut documents: Vec<&DocumentEntry> = all
        .iter()
        .filter_map(|section| snapshot.catalog().get(section.document))
        .map(AsRef::as_ref)
        .collect();
    documents.sort_by_key(|entry| std::cmp::Reverse(entry.row.version));
    documents.dedup_by_key(|entry| entry.id);
    for other in documents {
        let sections = all.iter().copied().filter(|section| section.document == other.id);
        if let Some(found) = find_type_in(service, snapshot, other, sections, wanted, user)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

fn find_type_in(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    sections: impl IntoIterator<Item = SectionKey>,
    wanted: &str,
    user: DefinedKind,
) -> Result<Option<(ExpandedType, Vec<String>)>, Failure> {
    for (section, names) in service.names_of_sections(snapshot, entry, sections)? {
        let is_it = |name: &&DefinedName| {
            is_type(name.kind) && name.name == wanted && is_openapi(name.kind) == is_openapi(user)
        };
        let Some(name) = names.names.iter().find(is_it) else { continue };
        let expanded = ExpandedType {
            name: name.name.clone(),
            doc_number: entry.row.number.to_string(),
            section_number: section_head(snapshot, entry, section)?.number,
            definition: name.definition.clone(),
        };
        return Ok(Some((expanded, name.types.clone())));
    }
    Ok(None)
}

/// Whether a kind of name is of OpenAPI: types of ASN.1 of the same name are others.
fn is_openapi(kind: DefinedKind) -> bool {
    matches!(
        kind,
        DefinedKind::Service
            | DefinedKind::Operation
            | DefinedKind::Parameter
            | DefinedKind::Schema
            | DefinedKind::Attribute
    )
}
