//! The list of vector files in redb, beside the files that a snapshot has open.

use std::{io, sync::Arc};

use index_format::Segment;
use redb::{ReadableTable, WriteTransaction};

use super::{Snapshot, StoreError, Writer, codec, segment_row::SegmentRow, tables::SEGMENTS};

/// A vector file on the list.
pub(super) struct Listed {
    /// Its key in [`SEGMENTS`].
    pub(super) key: u64,
    pub(super) row: SegmentRow,
    pub(super) segment: Arc<Segment>,
}

/// The listed files that a snapshot has open, in the order of their keys.
pub(super) fn listed(
    txn: &WriteTransaction,
    snapshot: &Snapshot,
) -> Result<Vec<Listed>, StoreError> {
    let mut listed = Vec::new();
    for entry in txn.open_table(SEGMENTS)?.iter()? {
        let (key, row) = entry?;
        let row: SegmentRow = codec::decode(row.value(), "segment")?;
        // By name: a snapshot that is older than redb may have others at the same places.
        let open = snapshot.segments.iter().find(|segment| segment.path().ends_with(&row.file));
        let segment = open.cloned();
        listed.extend(segment.map(|segment| Listed { key: key.value(), row, segment }));
    }
    Ok(listed)
}

impl Writer<'_> {
    /// Removes files that no list names any more. Readers that have them open keep them.
    pub(super) fn remove_vector_files<'a>(
        &self,
        rows: impl IntoIterator<Item = &'a SegmentRow>,
    ) -> Result<(), StoreError> {
        let folder = self.store.folder.text_vectors();
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
