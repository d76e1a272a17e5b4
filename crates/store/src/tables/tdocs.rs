//! Reading of the texts of meeting documents from their tables, and the mark of those that are embedded.

use redb::{ReadTransaction, WriteTransaction};

use super::{
    codec::Packed,
    definitions::{TDOC_CONTENTS, TDOC_TEXTS},
    tdoc_texts::{TdocContentRow, TdocTextEntry, TdocTextRow},
};
use crate::StoreError;

/// The text of a document, as a transaction sees it.
pub(crate) fn read_tdoc_text(txn: &ReadTransaction, key: u32) -> Result<TdocTextRow, StoreError> {
    let table = txn.open_table(TDOC_TEXTS)?;
    let value = table.get(key)?;
    value.map_or(Ok(TdocTextRow::default()), |value| value.value().decode("TDoc text"))
}

/// Sets whether documents are embedded: `is_whole` says whether all passages of one have vectors. Returns the entries
/// that changed.
pub(crate) fn mark_tdocs_embedded<'a>(
    txn: &WriteTransaction,
    entries: impl Iterator<Item = &'a TdocTextEntry>,
    is_whole: impl Fn(&TdocContentRow) -> bool,
) -> Result<Vec<TdocTextEntry>, StoreError> {
    let mut table = txn.open_table(TDOC_CONTENTS)?;
    let mut changed = Vec::new();
    for entry in entries {
        let embedded = is_whole(&entry.row);
        if embedded != entry.row.embedded {
            let row = TdocContentRow { embedded, ..entry.row.clone() };
            table.insert(entry.key, Packed::of(&row))?;
            changed.push(TdocTextEntry { key: entry.key, row });
        }
    }
    Ok(changed)
}
