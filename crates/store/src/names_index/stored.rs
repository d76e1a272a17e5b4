//! What a version defines in redb: written and removed with its document.

use definitions::DocumentDefinitions;
use names::{SectionNames, VersionNames};
use redb::WriteTransaction;

use super::row::DocumentNamesRow;
use crate::{
    StoreError,
    tables::{
        codec::Compressed,
        definitions::{
            DOCUMENT_NAMES, MODULES, NAME_KEYS, NAME_USES, RECORDED_FACTS, SECTION_NAMES,
        },
        keys::{document_key_range, pack_key},
    },
};

/// Writes what the sections of a document define and record.
pub(crate) fn insert_names(
    txn: &WriteTransaction,
    document: u32,
    definitions: &DocumentDefinitions,
) -> Result<(), StoreError> {
    let VersionNames { sections, modules, findings } = &definitions.names;
    insert_keys(txn, document, &DocumentNamesRow::of(sections))?;
    let mut names = txn.open_table(SECTION_NAMES)?;
    for (ordinal, found) in (0u32..).zip(sections).filter(|(_, found)| !is_empty(found)) {
        let row = Compressed::of(found)?;
        names.insert(pack_key(document, ordinal), &row)?;
    }
    let mut rows = txn.open_table(MODULES)?;
    for (ordinal, module) in (0u32..).zip(modules) {
        let row = Compressed::of(module)?;
        rows.insert(pack_key(document, ordinal), &row)?;
    }
    // The fields of `RecordedFacts`, borrowed, to avoid copying the findings: postcard writes both alike.
    let facts = (findings, &definitions.history);
    let facts = Compressed::of_borrowed(&facts)?;
    txn.open_table(RECORDED_FACTS)?.insert(document, &facts)?;
    Ok(())
}

fn is_empty(names: &SectionNames) -> bool {
    names.names.is_empty() && names.unread == 0
}

/// Writes the keys that names are found by.
fn insert_keys(
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
    let row = Compressed::of(row)?;
    txn.open_table(DOCUMENT_NAMES)?.insert(document, &row)?;
    Ok(())
}

/// Removes what the sections of a document define and record.
pub(crate) fn remove_names(txn: &WriteTransaction, document: u32) -> Result<(), StoreError> {
    txn.open_table(RECORDED_FACTS)?.remove(document)?;
    let all = document_key_range(document);
    txn.open_table(SECTION_NAMES)?.retain_in(all.clone(), |_, _| false)?;
    txn.open_table(MODULES)?.retain_in(all, |_, _| false)?;
    let removed = {
        let mut table = txn.open_table(DOCUMENT_NAMES)?;
        table.remove(document)?.map(|row| row.value().decode("names"))
    };
    let Some(row) = removed.transpose()? else { return Ok(()) };
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
