//! The list of vector files in redb, beside the files that a snapshot has open.

use std::{io, sync::Arc};

use index_format::Segment;
use redb::{ReadableTable, WriteTransaction};

use super::{Snapshot, StoreError, Writer, codec, collection::Collection, segment_row::SegmentRow};

/// A vector file on the list.
pub(super) struct Listed {
    /// Its key on the list.
    pub(super) key: u64,
    pub(super) row: SegmentRow,
    pub(super) segment: Arc<Segment>,
}

/// The listed files that a snapshot has open, in the order of their keys.
pub(super) fn listed(
    txn: &WriteTransaction,
    collection: Collection,
    snapshot: &Snapshot,
) -> Result<Vec<Listed>, StoreError> {
    let mut listed = Vec::new();
    for entry in txn.open_table(collection.list())?.iter()? {
        let (key, row) = entry?;
        let row: SegmentRow = codec::decode(row.value(), "segment")?;
        // By name: a snapshot that is older than redb may have others at the same places.
        let mut open = collection.segments(snapshot).iter();
        let segment = open.find(|segment| segment.path().ends_with(&row.file)).cloned();
        listed.extend(segment.map(|segment| Listed { key: key.value(), row, segment }));
    }
    Ok(listed)
}

impl Writer<'_> {
    /// Removes files that no list names any more. Readers that have them open keep them.
    pub(super) fn remove_vector_files<'a>(
        &self,
        collection: Collection,
        rows: impl IntoIterator<Item = &'a SegmentRow>,
    ) -> Result<(), StoreError> {
        let folder = collection.folder(&self.store.folder);
        for row in rows {
            let path = folder.join(&row.file);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::io("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
