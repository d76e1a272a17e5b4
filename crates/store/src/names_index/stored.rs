//! Keys of names in redb: written and removed with their document.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use document_model::Block;
use names::{
    DefinedKind, DefinedName, ListingRule, SectionNames, describes_physical_layer, read_names,
    read_physical_parameters,
};
use redb::WriteTransaction;

use super::row::{DocumentNamesRow, ListedNameRow};
use crate::{
    NewSection, SectionHead, StoreError,
    tables::{
        codec,
        definitions::{DOCUMENT_NAMES, NAME_KEYS, NAME_USES},
        keys::pack_key,
    },
};

/// Reads the names that a section of a document defines.
pub(super) fn read_section(
    document: &str,
    head: &SectionHead,
    blocks: &[Block],
    rule: ListingRule,
) -> SectionNames {
    let mut found = read_names(&head.number, &head.title, blocks, rule);
    if describes_physical_layer(document) {
        read_physical_parameters(blocks, &mut found);
    }
    found
}

/// Reads what the sections of a document define, given by its number.
pub(crate) fn read_document_names(number: &str, sections: &[NewSection]) -> DocumentNamesRow {
    let blocks = sections.iter().map(|section| section.body.blocks.as_slice());
    let rule = ListingRule::of_document(blocks);
    let mut row = DocumentNamesRow {
        rule_is_marked: rule == ListingRule::Marked,
        ..DocumentNamesRow::default()
    };
    let mut uses: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut places = ParameterPlaces::default();
    for (section, NewSection { head, body, .. }) in (0u32..).zip(sections) {
        let found = read_section(number, head, &body.blocks, rule);
        for used in found.used_types() {
            uses.entry(used.to_owned()).or_default().push(section);
        }
        row.unread = row.unread.saturating_add(u32::try_from(found.unread).unwrap_or(u32::MAX));
        found.names.iter().for_each(|name| places.add(name, section));
        let listed = found.names.into_iter().map(|name| ListedNameRow {
            kind: name.kind,
            name: name.name,
            within: name.within,
            section,
        });
        row.names.extend(listed);
    }
    row.uses = uses.into_iter().collect();
    row.names.retain(|row| places.admits(row));
    row
}

/// Of each parameter of the physical layer, the section that says most of it: many name it in passing.
#[derive(Default)]
struct ParameterPlaces(HashMap<String, (Reverse<usize>, u32)>);

impl ParameterPlaces {
    fn add(&mut self, name: &DefinedName, section: u32) {
        if name.kind == DefinedKind::PhysicalParameter {
            let place = (Reverse(name.definition.len()), section);
            let best = self.0.entry(name.name.clone()).or_insert(place);
            *best = place.min(*best);
        }
    }

    fn admits(&self, row: &ListedNameRow) -> bool {
        row.kind != DefinedKind::PhysicalParameter
            || self.0.get(&row.name).is_some_and(|(_, section)| *section == row.section)
    }
}

/// Writes the keys of the names that the sections of a document define.
pub(crate) fn insert_names(
    txn: &WriteTransaction,
    document: u32,
    row: &DocumentNamesRow,
) -> Result<(), StoreError> {
    if row.names.is_empty() && row.unread == 0 {
        return Ok(());
    }
    let mut keys = txn.open_table(NAME_KEYS)?;
    for (key, section) in row.keys() {
        keys.insert((key.as_str(), pack_key(document, section)), ())?;
    }
    let mut uses = txn.open_table(NAME_USES)?;
    for (key, section) in row.uses() {
        uses.insert((key.as_str(), pack_key(document, section)), ())?;
    }
    let row = codec::encode_compressed(row)?;
    txn.open_table(DOCUMENT_NAMES)?.insert(document, row.as_slice())?;
    Ok(())
}

/// Removes the keys of the names of a document.
pub(crate) fn remove_names(txn: &WriteTransaction, document: u32) -> Result<(), StoreError> {
    let removed = txn.open_table(DOCUMENT_NAMES)?.remove(document)?.map(|row| row.value().to_vec());
    let Some(removed) = removed else { return Ok(()) };
    let row: DocumentNamesRow = codec::decode_compressed(&removed, "names")?;
    let mut keys = txn.open_table(NAME_KEYS)?;
    for (key, section) in row.keys() {
        keys.remove((key.as_str(), pack_key(document, section)))?;
    }
    let mut uses = txn.open_table(NAME_USES)?;
    for (key, section) in row.uses() {
        uses.remove((key.as_str(), pack_key(document, section)))?;
    }
    Ok(())
}
