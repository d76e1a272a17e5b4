//! Names that protocols define: looked up, listed, followed to the types that they use and that use them.

mod asked_name;
mod definition_history;
mod definitions;
mod described;
mod element_group;
mod expansion;
mod get_module;
mod indexed_names;
mod list_name_findings;
mod list_names;
mod lookup_name;
mod mentions;
mod spelling;
mod statements;
mod structure;
mod timer_statements;
mod undefined;
mod uses;
mod within;

pub(super) use list_names::ListedNamesCache;
pub(super) use lookup_name::find_defined_name;
pub(crate) use lookup_name::find_names;
pub(super) use spelling::looks_like_name;

use std::sync::Arc;

use names::{DefinedName, NamePresence};
use quick_cache::{OptionsBuilder, Weighter, sync::Cache};

use indexed_names::IndexedNames;

use super::{Service, internal_failure, tdocs::parameter_values::parse_value};
use domain::{SectionNumber, TypedVersion};
use store::{DocumentEntry, DocumentFilter, SectionHead, SectionKey, Snapshot, StoreError};
use wire::{
    Failure,
    values::{DefinedNameKind, FieldPresence},
};

/// Sections of usual size whose names are kept.
const MAX_SECTIONS: usize = 2_000;
/// Names that are kept, of all sections together; one section may define tens of thousands.
const MAX_NAMES: u64 = 60_000;

/// The names of the sections that were looked at last. A document that is read again keeps its ID but has another
/// batch.
pub(super) struct SectionNamesCache(Cache<(u64, SectionKey), Arc<IndexedNames>, NameWeighter>);

/// A cache for about this many items, with this weight in total. It has one shard, because an item that weighs more
/// than a shard would never be kept.
fn cache_of_one_shard<K: Eq + std::hash::Hash, V: Clone, W: Weighter<K, V> + Clone>(
    items: usize,
    weight: u64,
    weighter: W,
) -> Cache<K, V, W> {
    let options = OptionsBuilder::new()
        .estimated_items_capacity(items)
        .weight_capacity(weight)
        .shards(1)
        .build()
        .expect("both capacities are given");
    Cache::with_options(options, weighter, Default::default(), Default::default())
}

#[derive(Clone)]
struct NameWeighter;

impl Weighter<(u64, SectionKey), Arc<IndexedNames>> for NameWeighter {
    fn weight(&self, _: &(u64, SectionKey), section: &Arc<IndexedNames>) -> u64 {
        1 + section.names.len() as u64
    }
}

impl Default for SectionNamesCache {
    fn default() -> Self {
        Self(cache_of_one_shard(MAX_SECTIONS, MAX_NAMES, NameWeighter))
    }
}

impl SectionNamesCache {
    /// The names that a section of a document defines.
    fn names_of(
        &self,
        snapshot: &Snapshot,
        entry: &DocumentEntry,
        ordinal: u32,
    ) -> Result<Arc<IndexedNames>, StoreError> {
        let key = SectionKey { document: entry.id, ordinal };
        self.0.get_or_insert_with(&(entry.row.batch, key), || {
            snapshot.names().section_names(key).map(|names| Arc::new(IndexedNames::new(names)))
        })
    }
}

/// The names that some sections of a document define, each with the ordinal of its section.
fn names_of_sections(
    service: &Service,
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    sections: impl IntoIterator<Item = SectionKey>,
) -> Result<Vec<(u32, Arc<IndexedNames>)>, Failure> {
    let read = |key: SectionKey| {
        let names = service.section_names.names_of(snapshot, entry, key.ordinal);
        Ok((key.ordinal, names.map_err(internal_failure)?))
    };
    sections.into_iter().map(read).collect()
}

/// Which versions of a document a request is about: of several, the newest.
struct AskedVersion(TypedVersion);

impl AskedVersion {
    /// Reads a version as people write it.
    fn parse(text: Option<&str>) -> Result<Self, Failure> {
        match text.map(str::trim).filter(|text| !text.is_empty()) {
            None => Ok(Self(TypedVersion::Latest)),
            Some(text) => parse_value("version", text).map(Self),
        }
    }

    fn admits(&self, entry: &DocumentEntry) -> bool {
        self.0.is_meant(entry.row.version, entry.row.release)
    }
}

/// Whether a kind of name is a type, which other definitions name.
fn is_type(kind: DefinedNameKind) -> bool {
    matches!(
        kind,
        DefinedNameKind::Message
            | DefinedNameKind::Type
            | DefinedNameKind::ObjectSet
            | DefinedNameKind::Schema
    )
}

/// The heading of a section.
fn section_head(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    ordinal: u32,
) -> Result<SectionHead, Failure> {
    let key = SectionKey { document: entry.id, ordinal };
    let head = snapshot.documents().section_head(key).map_err(internal_failure)?;
    head.ok_or_else(|| internal_failure("a section that defines a name is not there"))
}

/// The numbered clause of a section, for citation, and its title if the section is not it.
fn find_clause(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    ordinal: u32,
    head: &SectionHead,
) -> Result<(Option<String>, Option<String>), Failure> {
    if SectionNumber::is_numbered(&head.number) {
        return Ok((Some(head.number.clone()), None));
    }
    let documents = snapshot.documents();
    let key = SectionKey { document: entry.id, ordinal };
    let Some(clause) = documents.nearest_clause(key, head).map_err(internal_failure)? else {
        return Ok((None, None));
    };
    let filter = DocumentFilter {
        number: Some(entry.row.number.clone()),
        version: Some(entry.row.version),
        ..DocumentFilter::default()
    };
    let sections = documents.find_sections(&clause, false, &filter).map_err(internal_failure)?;
    let title = match sections.first() {
        Some(key) => documents.section_head(*key).map_err(internal_failure)?.map(|head| head.title),
        None => None,
    };
    Ok((Some(clause), title))
}

/// The value of a field that is left out.
fn default_of(name: &DefinedName) -> Option<String> {
    match &name.presence {
        Some(NamePresence::Default(value)) => Some(value.clone()),
        _ => None,
    }
}

fn to_presence(presence: &NamePresence) -> Option<FieldPresence> {
    match presence {
        NamePresence::Mandatory => Some(FieldPresence::Mandatory),
        NamePresence::Optional => Some(FieldPresence::Optional),
        NamePresence::Conditional => Some(FieldPresence::Conditional),
        NamePresence::Default(_) => Some(FieldPresence::Default),
        NamePresence::Other(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_the_api_call_kinds_the_same() {
        for kind in DefinedNameKind::ALL {
            assert_eq!(kind.to_string(), kind.as_str());
        }
    }
}
