//! Which vector files were found undamaged, and how they looked then.

use std::{collections::BTreeMap, io, path::Path, time::UNIX_EPOCH};

use redb::{ReadableTable, WriteTransaction};

use crate::{
    StoreError,
    tables::{definitions::SEGMENT_STAMPS, segments::SegmentFile},
};

/// Length in bytes and time of the last change, in nanoseconds since 1970.
pub(super) type FileStamp = (u64, u64);

/// Stamps of files whose content was found sound, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct VerifiedStamps(pub(super) BTreeMap<String, FileStamp>);

impl VerifiedStamps {
    pub(super) fn read_table(txn: &WriteTransaction) -> Result<Self, StoreError> {
        let table = txn.open_table(SEGMENT_STAMPS)?;
        let mut stamps = Self::default();
        for entry in table.iter()? {
            let (file, stamp) = entry?;
            stamps.0.insert(file.value().to_owned(), stamp.value());
        }
        Ok(stamps)
    }

    pub(super) fn write_table(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut table = txn.open_table(SEGMENT_STAMPS)?;
        table.retain(|_, _| false)?;
        for (file, stamp) in &self.0 {
            table.insert(file.as_str(), *stamp)?;
        }
        Ok(())
    }
}

/// Remembers a file that was just written as undamaged.
pub(crate) fn record_verified(
    txn: &WriteTransaction,
    folder: &Path,
    file: &SegmentFile,
) -> Result<(), StoreError> {
    let path = folder.join(file);
    let stamp = read_stamp(&path).map_err(StoreError::io_error("look at", &path))?;
    txn.open_table(SEGMENT_STAMPS)?.insert(file.as_str(), stamp)?;
    Ok(())
}

/// The stamp of a file as it is now.
pub(super) fn read_stamp(path: &Path) -> io::Result<FileStamp> {
    let metadata = path.metadata()?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((metadata.len(), u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX)))
}
