//! The contents of the heading paths of a document.

use redb::ReadableTable;

use super::codec::Packed;
use crate::StoreError;

/// The contents of the headings of a document, by section; empty if none are stored.
pub(crate) fn read_headings(
    table: &impl ReadableTable<u32, Packed<Vec<Option<u64>>>>,
    id: u32,
) -> Result<Vec<Option<u64>>, StoreError> {
    let row = table.get(id)?;
    row.map_or(Ok(Vec::new()), |row| row.value().decode("headings"))
}
