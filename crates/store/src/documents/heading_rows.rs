//! The rows of heading paths: the content of the path of each section, and the sections that have it.

use std::collections::HashMap;

use redb::WriteTransaction;

use crate::{
    NewSection, StoreError,
    tables::{
        codec::Packed,
        definitions::{HEADING_SECTIONS, HEADINGS},
        keys::pack_key,
    },
};

/// Writes the contents of the headings of a document; returns them, by section.
pub(super) fn insert_headings(
    txn: &WriteTransaction,
    id: u32,
    sections: &[NewSection],
    contents: &HashMap<[u8; 32], u64>,
) -> Result<Vec<Option<u64>>, StoreError> {
    let of_section = |section: &NewSection| section.heading.map(|hash| contents[&hash]);
    let headings: Vec<Option<u64>> = sections.iter().map(of_section).collect();
    if headings.iter().all(Option::is_none) {
        return Ok(Vec::new());
    }
    txn.open_table(HEADINGS)?.insert(id, Packed::of(&headings))?;
    let mut listed = txn.open_multimap_table(HEADING_SECTIONS)?;
    for (ordinal, content) in (0u32..).zip(&headings) {
        if let Some(content) = content {
            listed.insert(content, pack_key(id, ordinal))?;
        }
    }
    Ok(headings)
}

/// Removes the contents of the headings of a document.
pub(super) fn remove_headings(txn: &WriteTransaction, id: u32) -> Result<(), StoreError> {
    let removed = {
        let mut table = txn.open_table(HEADINGS)?;
        table.remove(id)?.map(|row| row.value().decode("headings"))
    };
    let headings = removed.transpose()?.unwrap_or_default();
    let mut listed = txn.open_multimap_table(HEADING_SECTIONS)?;
    for (ordinal, content) in (0u32..).zip(headings) {
        if let Some(content) = content {
            listed.remove(content, pack_key(id, ordinal))?;
        }
    }
    Ok(())
}
