//! The list of vector files in redb, beside the files that a snapshot has open.

use std::{io, sync::Arc};

use index_format::Segment;
use redb::{ReadableTable, WriteTransaction};

use super::{
    Snapshot, StoreError, Writer, codec, collection::VectorCollection, segment_row::SegmentRow,
};

/// A vector file on the list.
pub(super) struct ListedSegment {
    /// Its key on the list.
    pub(super) key: u64,
    pub(super) row: SegmentRow,
    pub(super) segment: Arc<Segment>,
}

/// The listed files that a snapshot has open, in the order of their keys.
pub(super) fn list_open_segments(
    txn: &WriteTransaction,
    collection: VectorCollection,
    snapshot: &Snapshot,
) -> Result<Vec<ListedSegment>, StoreError> {
    let mut listed = Vec::new();
    for entry in txn.open_table(collection.segment_table())?.iter()? {
        let (key, row) = entry?;
        let row: SegmentRow = codec::decode(row.value(), "segment")?;
        // By name: a snapshot that is older than redb may have others at the same places.
        let mut open = collection.open_segments(snapshot).iter();
        let segment = open.find(|segment| segment.path().ends_with(&row.file)).cloned();
        listed.extend(segment.map(|segment| ListedSegment { key: key.value(), row, segment }));
    }
    Ok(listed)
}

impl Writer<'_> {
    /// Removes files that no list names any more. Readers that have them open keep them.
    pub(super) fn remove_vector_files<'a>(
        &self,
        collection: VectorCollection,
        rows: impl IntoIterator<Item = &'a SegmentRow>,
    ) -> Result<(), StoreError> {
        let folder = collection.vector_folder(&self.store.folder);
        for row in rows {
            let path = folder.join(&row.file);
            match std::fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::io_error("remove", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
