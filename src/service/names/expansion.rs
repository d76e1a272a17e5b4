//! The types that a definition names, those that these name, and so on.

use std::{collections::HashSet, sync::Arc};

use cost_meter::spend;
use domain::{DefinedNameKind, PrintedForm};
use names::{DefinedName, name_key};

use super::{indexed_names::IndexedNames, is_type, section_head};
use crate::service::{Service, internal_failure};
use store::{DocumentEntry, SectionKey, Snapshot};
use wire::{
    Failure,
    records::{ExpandedType, MissingType, TypeExpansion},
};

/// Approximate bytes of a token of a definition.
pub(super) const BYTES_PER_TOKEN: usize = 3;
/// Maximum number of sections in which a type is looked up: each document with the name would otherwise be read.
pub(super) const MAX_SECTIONS_LOOKED_AT: usize = 200;

/// Adds the types that a definition names, level by level, as far as there is room.
pub(super) fn expand_types(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    name: &DefinedName,
    levels: u32,
    max_tokens: usize,
) -> Result<TypeExpansion, Failure> {
    let mut expansion =
        TypeExpansion { types: Vec::new(), left_out: Vec::new(), not_indexed: Vec::new() };
    let mut room = max_tokens * BYTES_PER_TOKEN;
    let mut known: HashSet<String> = HashSet::from([name.name.clone()]);
    // Types, each with the definition that names it.
    let with_user = |definition: &str, types: &[String]| {
        let definition: Arc<str> = definition.into();
        types.iter().map(|of| (of.clone(), definition.clone())).collect::<Vec<_>>()
    };
    let mut level = with_user(&name.definition, &name.types);
    for _ in 0..levels {
        let mut next = Vec::new();
        for (wanted, user) in level {
            if !known.insert(wanted.clone()) {
                continue;
            }
            let Some(found) = find_type(service, snapshot, entry, &wanted, name.kind)? else {
                expansion.not_indexed.push(MissingType {
                    file: referenced_file(&user, &wanted).map(str::to_owned),
                    name: wanted,
                });
                continue;
            };
            let of = found.name();
            match room.checked_sub(of.definition.len() + of.name.len()) {
                Some(left) => {
                    room = left;
                    next.extend(with_user(&of.definition, &of.types));
                    expansion.types.push(ExpandedType {
                        name: of.name.clone(),
                        doc_number: found.entry.row.number.to_string(),
                        section_number: section_head(snapshot, found.entry, found.section)?.number,
                        definition: of.definition.clone(),
                    });
                }
                None => expansion.left_out.push(wanted),
            }
        }
        level = next;
    }
    Ok(expansion)
}

/// The file of OpenAPI that a definition refers to for a type: `TS29571_CommonData.yaml`.
fn referenced_file<'a>(definition: &'a str, wanted: &str) -> Option<&'a str> {
    let targets = definition.match_indices("$ref").filter_map(|(at, sign)| {
        let line = definition[at + sign.len()..].lines().next()?;
        Some(line.trim_matches([':', ' ', '\'', '"']))
    });
    let mut files = targets.filter_map(|target| {
        let (file, pointer) = target.split_once('#')?;
        let is_it = pointer.rsplit('/').next() == Some(wanted);
        (is_it && !file.is_empty()).then_some(file)
    });
    files.next()
}

/// A type, and the section that defines it.
#[derive(Clone)]
pub(super) struct FoundType<'a> {
    pub(super) entry: &'a DocumentEntry,
    pub(super) section: u32,
    /// What the section defines.
    pub(super) names: Arc<IndexedNames>,
    /// The place of the type among these.
    position: usize,
}

impl FoundType<'_> {
    pub(super) fn name(&self) -> &DefinedName {
        &self.names.names[self.position]
    }
}

/// The definition of a type: in the same version, or else in the newest document that defines it.
pub(super) fn find_type<'a>(
    service: &Service,
    snapshot: &'a Snapshot,
    entry: &'a DocumentEntry,
    wanted: &str,
    user: DefinedNameKind,
) -> Result<Option<FoundType<'a>>, Failure> {
    let key = name_key(wanted);
    let own = snapshot.names().defining_sections_in(&key, entry.id).map_err(internal_failure)?;
    if let Some(found) = find_type_in(service, snapshot, entry, own, wanted, user)? {
        return Ok(Some(found));
    }
    let mut all = snapshot.names().defining_sections(&key).map_err(internal_failure)?;
    all.truncate(MAX_SECTIONS_LOOKED_AT);
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

fn find_type_in<'a>(
    service: &Service,
    snapshot: &Snapshot,
    entry: &'a DocumentEntry,
    sections: impl IntoIterator<Item = SectionKey>,
    wanted: &str,
    user: DefinedNameKind,
) -> Result<Option<FoundType<'a>>, Failure> {
    let is_it = |name: &DefinedName| {
        (is_type(name.kind) || is_shared_part(name))
            && name.name == wanted
            && is_openapi(name.kind) == is_openapi(user)
    };
    for (section, names) in
        crate::service::names::names_of_sections(service, snapshot, entry, sections)?
    {
        spend(names.names.len());
        if let Some(position) = names.names.iter().position(is_it) {
            return Ok(Some(FoundType { entry, section, names, position }));
        }
    }
    Ok(None)
}

/// Whether a kind of name is of OpenAPI: types of ASN.1 of the same name are others.
fn is_openapi(kind: DefinedNameKind) -> bool {
    matches!(
        kind,
        DefinedNameKind::Service
            | DefinedNameKind::Operation
            | DefinedNameKind::Parameter
            | DefinedNameKind::Schema
            | DefinedNameKind::Attribute
            | DefinedNameKind::Response
    )
}

/// Whether a name is a part of OpenAPI that operations refer to, and not a parameter of one operation alone.
fn is_shared_part(name: &DefinedName) -> bool {
    name.form == PrintedForm::Listing
        && name.within.is_none()
        && matches!(name.kind, DefinedNameKind::Parameter | DefinedNameKind::Response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_reference_is_read_from_the_definition() {
        let definition = "Data:\n  properties:\n    supi:\n      $ref: 'TS29571_CommonData.yaml#/components/schemas/Supi'\n    \
            own:\n      $ref: '#/components/schemas/Own'";
        assert_eq!(referenced_file(definition, "Supi"), Some("TS29571_CommonData.yaml"));
        assert_eq!(referenced_file(definition, "Own"), None);
        assert_eq!(referenced_file("a BWP OPTIONAL", "BWP"), None);
    }
}
