//! How many changes the database has had, noted in a file beside it: it reveals a database that was restored from an
//! older copy.
//!
//! The file is written after the database is synced, so no crash and no loss of power leaves a number in it that the database
//! does not have. It is not synced itself: the note of the last changes may be lost, and none is wrong.

use std::{
    fs::OpenOptions,
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use redb::{ReadableTable, WriteTransaction};

use crate::{
    DataFolder, StoreError,
    tables::definitions::{COMMITS, COUNTERS},
};
use database_file::DatabaseFile;

/// The number and its complement: the file is not synced, so it may contain half a number, which must not be
/// accepted.
const NOTE_BYTES: usize = 16;

/// Commits a change, and notes that it was made.
pub(crate) fn commit_counted(folder: &DataFolder, txn: WriteTransaction) -> Result<(), StoreError> {
    let count = {
        let mut counters = txn.open_table(COUNTERS)?;
        let count = counters.get(COMMITS)?.map_or(0, |value| value.value()) + 1;
        counters.insert(COMMITS, count)?;
        count
    };
    txn.commit()?;
    // On a full disk, the older note stays.
    if let Err(error) = write_note(&folder.change_count_path(), count) {
        tracing::debug!(%error, "the count of changes was not written");
    }
    Ok(())
}

/// The note of a later change than the last one that the database has; `None` if there is no such note.
pub(crate) fn later_note(
    folder: &DataFolder,
    metadata: &DatabaseFile,
) -> Result<Option<PathBuf>, StoreError> {
    let path = folder.change_count_path();
    let Some(noted) = read_note(&path) else { return Ok(None) };
    let counters = metadata.begin_read()?.open_table(COUNTERS)?;
    let known = counters.get(COMMITS)?.map_or(0, |value| value.value());
    Ok((noted > known).then_some(path))
}

fn write_note(path: &Path, count: u64) -> io::Result<()> {
    let mut note = [0; NOTE_BYTES];
    note[..8].copy_from_slice(&count.to_le_bytes());
    note[8..].copy_from_slice(&(!count).to_le_bytes());
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    file.write_all_at(&note, 0)
}

fn read_note(path: &Path) -> Option<u64> {
    let note: [u8; NOTE_BYTES] = std::fs::read(path).ok()?.try_into().ok()?;
    let (count, complement) = note.split_at(8);
    let count = u64::from_le_bytes(count.try_into().ok()?);
    let complement = u64::from_le_bytes(complement.try_into().ok()?);
    (complement == !count).then_some(count)
}
