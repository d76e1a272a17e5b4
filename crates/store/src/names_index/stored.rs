//! Keys of names in redb: written and removed with their document.

use std::collections::BTreeMap;

use names::{DefinedKind, ListingRule, base_name, name_key, read_names};
use redb::WriteTransaction;
use serde::{Deserialize, Serialize};

use crate::{
    NewSection, StoreError,
    tables::{
        codec,
        definitions::{DOCUMENT_NAMES, NAME_KEYS, NAME_USES},
        keys::pack_key,
    },
};

/// Longest key of a name in bytes; what is longer is no name.
const MAX_KEY_BYTES: usize = 100;

/// A name that a document defines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedNameRow {
    /// What it stands for.
    pub kind: DefinedKind,
    /// The name as printed.
    pub name: String,
    /// The type or message that it is in.
    pub within: Option<String>,
    /// Ordinal of the section that defines it.
    pub section: u32,
}

/// What a document defines, and what its definitions name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct DocumentNamesRow {
    /// The names, in the order of the text.
    pub(super) names: Vec<ListedNameRow>,
    /// Types that are named, each with the ordinals of the sections.
    uses: Vec<(String, Vec<u32>)>,
    /// Definitions that could not be read.
    pub(super) unread: u32,
    /// Whether marks say which listings belong to a module.
    rule_is_marked: bool,
}

impl DocumentNamesRow {
    fn read(sections: &[NewSection]) -> Self {
        let blocks = sections.iter().map(|section| section.body.blocks.as_slice());
        let rule = ListingRule::of_document(blocks);
        let mut row = Self { rule_is_marked: rule == ListingRule::Marked, ..Self::default() };
        let mut uses: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (section, NewSection { head, body, .. }) in (0u32..).zip(sections) {
            let found = read_names(&head.number, &head.title, &body.blocks, rule);
            for used in found.used_types() {
                uses.entry(used.to_owned()).or_default().push(section);
            }
            row.unread = row.unread.saturating_add(u32::try_from(found.unread).unwrap_or(u32::MAX));
            let listed = found.names.into_iter().map(|name| ListedNameRow {
                kind: name.kind,
                name: name.name,
                within: name.within,
                section,
            });
            row.names.extend(listed);
        }
        row.uses = uses.into_iter().collect();
        row
    }

    /// Which listings belong to its modules.
    pub(super) fn rule(&self) -> ListingRule {
        if self.rule_is_marked { ListingRule::Marked } else { ListingRule::All }
    }

    /// The keys of the names, each with its section.
    fn keys(&self) -> impl Iterator<Item = (String, u32)> {
        let keys_of = |row: &ListedNameRow| {
            let section = row.section;
            keys_of_name(&row.name).into_iter().map(move |key| (key, section))
        };
        self.names.iter().flat_map(keys_of)
    }

    /// The keys of the types that are named, each with a section.
    fn uses(&self) -> impl Iterator<Item = (String, u32)> {
        let key = |name: &str| Some(name_key(name)).filter(|key| key.len() <= MAX_KEY_BYTES);
        self.uses.iter().flat_map(move |(name, sections)| {
            let key = key(name);
            sections.iter().filter_map(move |section| Some((key.clone()?, *section)))
        })
    }
}

/// The keys that a name is found by: as printed, and without its release.
fn keys_of_name(name: &str) -> Vec<String> {
    let mut keys = vec![name_key(name), name_key(base_name(name))];
    keys.dedup();
    keys.retain(|key| !key.is_empty() && key.len() <= MAX_KEY_BYTES);
    keys
}

/// Writes the keys of the names that the sections of a document define.
pub(crate) fn insert_names(
    txn: &WriteTransaction,
    document: u32,
    sections: &[NewSection],
) -> Result<(), StoreError> {
    let row = DocumentNamesRow::read(sections);
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
    let row = codec::encode_compressed(&row)?;
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
