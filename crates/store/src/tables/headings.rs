//! The contents of the heading paths of a document.

use redb::ReadableTable;

use super::codec;
use crate::StoreError;

/// The contents of the headings of a document, by section; empty if none are stored.
pub(crate) fn read_headings(
    table: &impl ReadableTable<u32, &'static [u8]>,
    id: u32,
) -> Result<Vec<Option<u64>>, StoreError> {
    let row = table.get(id)?;
    row.map_or(Ok(Vec::new()), |row| codec::decode(row.value(), "headings"))
}
