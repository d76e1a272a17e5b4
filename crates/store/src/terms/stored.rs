//! Terms in redb: written and removed with their document.

use definitions::TermEntry;
use redb::WriteTransaction;

use crate::{
    StoreError,
    tables::{
        codec::Packed,
        definitions::{TERM_KEYS, TERMS},
        keys::{document_key_range, pack_key},
    },
};

/// Writes the terms of a document.
pub(crate) fn insert_terms(
    txn: &WriteTransaction,
    document: u32,
    entries: &[TermEntry],
) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    for (ordinal, entry) in (0u32..).zip(entries) {
        let id = pack_key(document, ordinal);
        terms.insert(id, Packed::of(entry))?;
        for key in entry.keys() {
            keys.insert((key.as_str(), id), ())?;
        }
    }
    Ok(())
}

/// Removes the terms of a document.
pub(crate) fn remove_terms(txn: &WriteTransaction, document: u32) -> Result<(), StoreError> {
    let mut terms = txn.open_table(TERMS)?;
    let mut keys = txn.open_table(TERM_KEYS)?;
    let all = document_key_range(document);
    for removed in terms.extract_from_if(all, |_, _| true)? {
        let (id, entry) = removed?;
        let entry: TermEntry = entry.value().decode("term")?;
        for key in entry.keys() {
            keys.remove((key.as_str(), id.value()))?;
        }
    }
    Ok(())
}
