//! Which vector files were verified, and their size and modification time then.

use std::{collections::BTreeMap, io, path::Path, time::UNIX_EPOCH};

use redb::{ReadableTable, WriteTransaction};

use crate::{
    StoreError,
    tables::{definitions::SEGMENT_STAMPS, segments::SegmentFile},
};

/// Size and modification time of a file: while they stay the same, its content is taken to be unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileStamp {
    size_bytes: u64,
    /// In nanoseconds since 1970.
    modified_ns: u64,
}

/// Stamps of files whose content was verified, by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct VerifiedStamps(pub(super) BTreeMap<String, FileStamp>);

impl VerifiedStamps {
    pub(super) fn read_table(txn: &WriteTransaction) -> Result<Self, StoreError> {
        let table = txn.open_table(SEGMENT_STAMPS)?;
        let mut stamps = Self::default();
        for entry in table.iter()? {
            let (file, stamp) = entry?;
            let (size_bytes, modified_ns) = stamp.value();
            stamps.0.insert(file.value().to_owned(), FileStamp { size_bytes, modified_ns });
        }
        Ok(stamps)
    }

    pub(super) fn write_table(&self, txn: &WriteTransaction) -> Result<(), StoreError> {
        let mut table = txn.open_table(SEGMENT_STAMPS)?;
        table.retain(|_, _| false)?;
        for (file, stamp) in &self.0 {
            table.insert(file.as_str(), (stamp.size_bytes, stamp.modified_ns))?;
        }
        Ok(())
    }
}

/// Records a file that was just written as verified.
pub(crate) fn record_verified_file(
    txn: &WriteTransaction,
    folder: &Path,
    file: &SegmentFile,
) -> Result<(), StoreError> {
    let path = folder.join(file);
    let stamp = read_stamp(&path).map_err(StoreError::io_error("read metadata of", &path))?;
    txn.open_table(SEGMENT_STAMPS)?.insert(file.as_str(), (stamp.size_bytes, stamp.modified_ns))?;
    Ok(())
}

/// The stamp of a file as it is now.
pub(super) fn read_stamp(path: &Path) -> io::Result<FileStamp> {
    let metadata = path.metadata()?;
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let modified_ns = u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX);
    Ok(FileStamp { size_bytes: metadata.len(), modified_ns })
}
