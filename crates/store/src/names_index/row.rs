//! What a document defines, as it is stored: its names, and the keys that they are found by.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use definitions::RecordedHistory;
use domain::DefinedNameKind;
use names::{DefinedName, Finding, SectionNames, base_name, name_key, route_key};
use serde::{Deserialize, Serialize};

/// Longest key of a name in bytes; longer ones are not names. As long as the longest name that `names` reads from a
/// table, or it could not be looked up.
const MAX_KEY_BYTES: usize = 160;

/// A name that a document defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedNameRow {
    /// What it names.
    pub kind: DefinedNameKind,
    /// The name as printed.
    pub name: String,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// Ordinal of the section that defines it.
    pub section: u32,
}

/// What is stored for every document with its definitions, and is read whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordedFacts {
    /// Where it contradicts itself.
    pub(crate) findings: Vec<Finding>,
    /// Its change history.
    pub(crate) history: Option<RecordedHistory>,
}

/// What a document defines, and what its definitions name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DocumentNamesRow {
    /// The names, in the order of the text.
    pub(super) names: Vec<ListedNameRow>,
    /// Types that are named, each with the ordinals of the sections.
    pub(super) uses: Vec<(String, Vec<u32>)>,
    /// Definitions that could not be read.
    pub(super) unread: u32,
}

impl DocumentNamesRow {
    /// What the sections of a document define.
    pub(super) fn of(sections: &[SectionNames]) -> Self {
        let mut row = Self::default();
        let mut uses: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let mut places = ParameterPlaces::default();
        for (section, found) in (0u32..).zip(sections) {
            for used in found.used_types() {
                uses.entry(used.to_owned()).or_default().push(section);
            }
            row.unread = row.unread.saturating_add(u32::try_from(found.unread).unwrap_or(u32::MAX));
            found.names.iter().for_each(|name| places.add(name, section));
            let listed = found.names.iter().map(|name| ListedNameRow {
                kind: name.kind,
                name: name.name.clone(),
                within: name.within.clone(),
                section,
            });
            row.names.extend(listed);
        }
        row.uses = uses.into_iter().collect();
        row.names.retain(|row| places.admits(row));
        row
    }

    /// The keys of the names, each with its section.
    pub(super) fn keys(&self) -> impl Iterator<Item = (String, u32)> {
        let keys_of = |row: &ListedNameRow| {
            let section = row.section;
            keys_of_name(&row.name)
                .into_iter()
                .chain(key_of_route(row))
                .map(move |key| (key, section))
        };
        self.names.iter().flat_map(keys_of)
    }

    /// The keys of the types that are named, each with a section.
    pub(super) fn uses(&self) -> impl Iterator<Item = (String, u32)> {
        let key = |name: &str| Some(name_key(name)).filter(|key| key.len() <= MAX_KEY_BYTES);
        self.uses.iter().flat_map(move |(name, sections)| {
            let key = key(name);
            sections.iter().filter_map(move |section| Some((key.clone()?, *section)))
        })
    }
}

/// Of each parameter of the physical layer, the section that says most of it. Many sections name it in passing, and
/// would otherwise all be listed as definitions.
#[derive(Default)]
struct ParameterPlaces(HashMap<String, (Reverse<usize>, u32)>);

impl ParameterPlaces {
    fn add(&mut self, name: &DefinedName, section: u32) {
        if name.kind == DefinedNameKind::PhysicalParameter {
            let place = (Reverse(name.definition.len()), section);
            let best = self.0.entry(name.name.clone()).or_insert(place);
            *best = place.min(*best);
        }
    }

    fn admits(&self, row: &ListedNameRow) -> bool {
        row.kind != DefinedNameKind::PhysicalParameter
            || self.0.get(&row.name).is_some_and(|(_, section)| *section == row.section)
    }
}

/// The key of the route of an operation, by which it is found if its path is asked for.
fn key_of_route(row: &ListedNameRow) -> Option<String> {
    if row.kind != DefinedNameKind::Operation {
        return None;
    }
    route_key(row.within.as_deref()?).filter(|key| key.len() <= MAX_KEY_BYTES)
}

/// The keys that a name is found by: as printed, and without its release, because people leave out `-r16`.
fn keys_of_name(name: &str) -> Vec<String> {
    let mut keys = vec![name_key(name), name_key(base_name(name))];
    keys.dedup();
    keys.retain(|key| !key.is_empty() && key.len() <= MAX_KEY_BYTES);
    keys
}
