//! The database file of redb, which can be reopened while the program runs.
//!
//! After one failed read or write of its file, redb refuses everything, reads too: after a full disk,
//! no search would be answered until the program is restarted. So the file records failures, and its
//! owner reopens it after one, at the last committed state.

#![forbid(unsafe_code)]

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arc_swap::ArcSwap;
use redb::{Database, ReadTransaction, ReadableDatabase, StorageBackend, WriteTransaction};

/// Why a database file could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseFileError {
    /// The operating system refused the file.
    #[error("cannot open {}", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        #[source]
        source: io::Error,
    },
    /// The database refused.
    #[error("the database failed")]
    Redb(#[source] Box<redb::Error>),
}

impl<E: Into<redb::Error>> From<E> for DatabaseFileError {
    fn from(error: E) -> Self {
        Self::Redb(Box::new(error.into()))
    }
}

/// A redb database in a file of the data folder, whose lock its owner holds.
pub struct DatabaseFile {
    path: PathBuf,
    cache_bytes: usize,
    opened: ArcSwap<OpenDatabase>,
}

struct OpenDatabase {
    database: Database,
    failed: Arc<AtomicBool>,
    retired: Arc<AtomicBool>,
}

impl DatabaseFile {
    /// Opens the file, creating it where it does not exist. Callers hold the folder's lock.
    pub fn open(path: PathBuf, cache_bytes: usize) -> Result<Self, DatabaseFileError> {
        let opened = ArcSwap::from_pointee(open_database(&path, cache_bytes)?);
        Ok(Self { path, cache_bytes, opened })
    }

    /// A view of the last committed state.
    pub fn begin_read(&self) -> Result<ReadTransaction, DatabaseFileError> {
        Ok(self.opened.load().database.begin_read()?)
    }

    /// The one write transaction; waits for an earlier one to end.
    pub fn begin_write(&self) -> Result<WriteTransaction, DatabaseFileError> {
        Ok(self.opened.load().database.begin_write()?)
    }

    /// Makes a copy of the file that is taken next open at once: otherwise it would be read whole, as after a crash. Nothing may write until
    /// it is copied.
    pub fn settle_file(&self) -> Result<(), DatabaseFileError> {
        let mut txn = self.begin_write()?;
        txn.set_quick_repair(true);
        Ok(txn.commit()?)
    }

    /// Writes nothing into the file any more, not even when it is closed: another one is opened on it. What reads it goes on.
    pub fn retire(&self) {
        self.opened.load().retired.store(true, Ordering::Release);
    }

    /// Whether reading or writing the file failed since it was opened.
    pub fn has_failed(&self) -> bool {
        self.opened.load().failed.load(Ordering::Acquire)
    }

    /// Reopens the file. There must be no write transaction; read transactions from before may fail.
    pub fn reopen_file(&self) -> Result<(), DatabaseFileError> {
        self.opened.store(Arc::new(open_database(&self.path, self.cache_bytes)?));
        Ok(())
    }
}

fn open_database(path: &PathBuf, cache_bytes: usize) -> Result<OpenDatabase, DatabaseFileError> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let file = options
        .open(path)
        .map_err(|source| DatabaseFileError::Open { path: path.clone(), source })?;
    let failed = Arc::new(AtomicBool::new(false));
    let retired = Arc::new(AtomicBool::new(false));
    let file = FailureTrackingFile { file, failed: failed.clone(), retired: retired.clone() };
    let database = Database::builder().set_cache_size(cache_bytes).create_with_backend(file)?;
    Ok(OpenDatabase { database, failed, retired })
}

/// The file as redb sees it. It needs no lock of its own: the folder has one.
#[derive(Debug)]
struct FailureTrackingFile {
    file: File,
    failed: Arc<AtomicBool>,
    retired: Arc<AtomicBool>,
}

thread_local!(
    /// While set, no write of this thread finds room on the disk. For tests of what is built on this
    /// file; not behind a feature, so that tests and the program are one build.
    pub static DISK_IS_FULL: std::cell::Cell<bool> = const {
    std::cell::Cell::new(false)
});

impl FailureTrackingFile {
    /// Accesses the file, unless an access failed before. redb continues to write after some failures, and
    /// only the database that was reopened after one may write.
    fn track_failure<T>(&self, access: impl FnOnce(&File) -> io::Result<T>) -> io::Result<T> {
        if self.failed.load(Ordering::Acquire) {
            return Err(io::Error::other("an earlier read or write of this file failed"));
        }
        let result = access(&self.file);
        if result.is_err() {
            self.failed.store(true, Ordering::Release);
        }
        result
    }
}

impl FailureTrackingFile {
    fn check_writable(&self) -> io::Result<()> {
        match self.retired.load(Ordering::Acquire) {
            true => Err(io::Error::other("another database was opened on this file")),
            false => Ok(()),
        }
    }
}

impl StorageBackend for FailureTrackingFile {
    fn len(&self) -> io::Result<u64> {
        self.track_failure(|file| file.metadata().map(|metadata| metadata.len()))
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.track_failure(|file| file.read_exact_at(out, offset))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.check_writable()?;
        self.track_failure(|file| file.set_len(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.check_writable()?;
        self.track_failure(File::sync_data)
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.check_writable()?;
        if DISK_IS_FULL.get() {
            return self.track_failure(|_| Err(io::ErrorKind::StorageFull.into()));
        }
        self.track_failure(|file| file.write_all_at(data, offset))
    }
}

#[cfg(test)]
mod tests {
    use redb::TableDefinition;

    use super::*;

    const TABLE: TableDefinition<u64, u64> = TableDefinition::new("numbers");

    fn insert(metadata: &DatabaseFile, key: u64) {
        let txn = metadata.begin_write().expect("a transaction");
        txn.open_table(TABLE).expect("a table").insert(key, key).expect("inserted");
        txn.commit().expect("committed");
    }

    #[test]
    fn a_retired_file_is_read_on_and_not_written() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let open = || DatabaseFile::open(dir.path().join("meta.redb"), 1 << 20).expect("opened");
        let old = open();
        insert(&old, 1);
        old.settle_file().expect("settled");
        let view = old.begin_read().expect("a view");
        old.retire();
        let new = open();
        insert(&new, 2);
        let table = view.open_table(TABLE).expect("a table");
        assert!(table.get(1).expect("readable").is_some());
        drop((table, view));
        drop(old);
        insert(&new, 3);
        drop(new);
        let table = open().begin_read().expect("a view").open_table(TABLE).expect("a table");
        assert!([1, 2, 3].iter().all(|key| table.get(key).expect("readable").is_some()));
    }

    #[test]
    fn after_a_failure_the_file_is_opened_again_at_its_last_state() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let metadata = DatabaseFile::open(dir.path().join("meta.redb"), 1 << 20).expect("opened");
        insert(&metadata, 1);
        let opened = metadata.opened.load_full();
        let file = File::options().read(true).open(dir.path().join("meta.redb")).expect("opened");
        let read_only = FailureTrackingFile {
            file,
            failed: opened.failed.clone(),
            retired: opened.retired.clone(),
        };
        assert!(!metadata.has_failed());
        read_only.write(0, b"no").expect_err("open for reading only");
        assert!(metadata.has_failed());
        // The old one is still there, as it is for readers that hold a view.
        let view = metadata.begin_read().expect("a view");
        metadata.reopen_file().expect("opened again");
        assert!(!metadata.has_failed());
        insert(&metadata, 2);
        let table = metadata.begin_read().expect("a view").open_table(TABLE).expect("a table");
        assert!(table.get(1).expect("readable").is_some());
        assert!(table.get(2).expect("readable").is_some());
        // Closing the old one writes nothing over what the new one wrote.
        drop((view, opened, table));
        drop(metadata);
        let metadata = DatabaseFile::open(dir.path().join("meta.redb"), 1 << 20).expect("opened");
        let table = metadata.begin_read().expect("a view").open_table(TABLE).expect("a table");
        assert!([1, 2].iter().all(|key| table.get(key).expect("readable").is_some()));
    }
}
