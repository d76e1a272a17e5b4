//! The database file of redb, which can be reopened while the program runs.
//!
//! After one failed read or write of its file, redb rejects everything, including reads: after a full disk, no search
//! would be answered until the program is restarted. So the file records failures, and its owner reopens it after
//! one, at the last committed state.

#![forbid(unsafe_code)]

mod length;
mod overlay;

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use arc_swap::ArcSwap;
use redb::{Database, ReadTransaction, ReadableDatabase, StorageBackend, WriteTransaction};

pub use length::restore_length;

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
    #[error("the database cannot be read or written")]
    Redb(#[source] Box<redb::Error>),
}

impl<E: Into<redb::Error>> From<E> for DatabaseFileError {
    fn from(error: E) -> Self {
        Self::Redb(Box::new(error.into()))
    }
}

/// What is wrong with a file that makes redb panic: it promises errors only if it checks all of a file.
const INCONSISTENT: &str = "pages are inconsistent";

/// Page cache of a check.
const CHECK_CACHE_BYTES: usize = 32 << 20;

/// A redb database in a file of the data folder, whose lock its owner holds.
pub struct DatabaseFile {
    path: PathBuf,
    cache_bytes: usize,
    opens_quickly: bool,
    opened: ArcSwap<OpenDatabase>,
}

struct OpenDatabase {
    database: Database,
    failed: Arc<AtomicBool>,
    retired: Arc<AtomicBool>,
}

impl DatabaseFile {
    /// Opens the file, creating it if it does not exist. Callers hold the folder's lock.
    pub fn open(path: PathBuf, cache_bytes: usize) -> Result<Self, DatabaseFileError> {
        let opened = ArcSwap::from_pointee(open_database(&path, cache_bytes)?);
        Ok(Self { path, cache_bytes, opens_quickly: false, opened })
    }

    /// The same for a large file, which opens at once even after a crash: each commit stores what redb would
    /// otherwise find by reading the whole file, and is synced twice. Only [`DatabaseFile::check_integrity`] then
    /// compares checksums.
    pub fn open_large(path: PathBuf, cache_bytes: usize) -> Result<Self, DatabaseFileError> {
        Ok(Self { opens_quickly: true, ..Self::open(path, cache_bytes)? })
    }

    /// A view of the last committed state.
    pub fn begin_read(&self) -> Result<ReadTransaction, DatabaseFileError> {
        Ok(self.opened.load().database.begin_read()?)
    }

    /// The one write transaction; waits for an earlier one to end.
    pub fn begin_write(&self) -> Result<WriteTransaction, DatabaseFileError> {
        let mut txn = self.opened.load().database.begin_write()?;
        txn.set_quick_repair(self.opens_quickly);
        Ok(txn)
    }

    /// Compares all checksums of the file. Nothing may write meanwhile; nothing is written. The error is what is wrong.
    pub fn check_integrity(&self) -> Result<Result<(), String>, DatabaseFileError> {
        check_file(&self.path)
    }

    /// Writes nothing more into the file, not even when it is closed, because it is opened again. Reads continue.
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

/// Compares all checksums of a database file that nobody writes, and writes nothing. The error is what is wrong.
pub fn check_file(path: &Path) -> Result<Result<(), String>, DatabaseFileError> {
    let file = File::open(path)
        .map_err(|source| DatabaseFileError::Open { path: path.to_owned(), source })?;
    let overlay = overlay::ReadOverlay::new(file);
    let checked = catch_unwind(|| {
        let mut database = Database::builder()
            .set_cache_size(CHECK_CACHE_BYTES)
            .create_with_backend(overlay)
            .map_err(|error| error.to_string())?;
        match database.check_integrity() {
            Ok(true) => Ok(()),
            Ok(false) => Err("pages do not match their checksums".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    });
    Ok(checked.unwrap_or_else(|_| Err(INCONSISTENT.to_owned())))
}

fn open_database(path: &PathBuf, cache_bytes: usize) -> Result<OpenDatabase, DatabaseFileError> {
    let refused = |source| DatabaseFileError::Open { path: path.clone(), source };
    if !path.try_exists().map_err(refused)? {
        create_database(path)?;
    }
    // The name may be new, and the process that gave it may have been killed before it was synced.
    sync_folder_of(path).map_err(refused)?;
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(refused)?;
    open_file(file, cache_bytes)
}

/// Makes an empty database. It gets its name when it is whole, because a part of one can never be opened.
fn create_database(path: &Path) -> Result<(), DatabaseFileError> {
    let unfinished = path.with_extension("unfinished");
    let refused = |source| DatabaseFileError::Open { path: unfinished.clone(), source };
    let mut options = OpenOptions::new();
    // Accounts are copied to places that others may read.
    options.read(true).write(true).create(true).truncate(true).mode(0o600);
    let file = options.open(&unfinished);
    let file = file.map_err(refused)?;
    let same = file.try_clone().map_err(refused)?;
    drop(open_file(file, CHECK_CACHE_BYTES)?);
    same.sync_all().and_then(|()| std::fs::rename(&unfinished, path)).map_err(refused)
}

fn open_file(file: File, cache_bytes: usize) -> Result<OpenDatabase, DatabaseFileError> {
    let failed = Arc::new(AtomicBool::new(false));
    let retired = Arc::new(AtomicBool::new(false));
    let file = FailureTrackingFile { file, failed: failed.clone(), retired: retired.clone() };
    let open = || Database::builder().set_cache_size(cache_bytes).create_with_backend(file);
    let database = catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(|_| {
        Err(redb::DatabaseError::Storage(redb::StorageError::Corrupted(INCONSISTENT.to_owned())))
    })?;
    Ok(OpenDatabase { database, failed, retired })
}

/// Makes the name of a file survive a power loss: it may be new.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
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
        if self.retired.load(Ordering::Acquire) {
            Err(io::Error::other("another database was opened on this file"))
        } else {
            Ok(())
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
    use std::{fs, os::unix::fs::PermissionsExt};

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
    fn a_new_database_is_for_its_owner_alone() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("copy.redb");
        drop(DatabaseFile::open(path.clone(), 1 << 20).expect("opened"));
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_copy_of_a_large_file_that_is_open_opens_without_being_read_whole() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let (path, copy) = (dir.path().join("meta.redb"), dir.path().join("copy.redb"));
        for (is_large, is_repaired) in [(true, false), (false, true)] {
            let _ = fs::remove_file(&path);
            let open = if is_large { DatabaseFile::open_large } else { DatabaseFile::open };
            let database = open(path.clone(), 1 << 20).expect("opened");
            insert(&database, 1);
            // As a process leaves it that is killed now.
            fs::copy(&path, &copy).expect("copied");
            let repaired = Arc::new(AtomicBool::new(false));
            let seen = repaired.clone();
            let mut builder = Database::builder();
            builder.set_repair_callback(move |_| seen.store(true, Ordering::Relaxed));
            builder.create(&copy).expect("opened");
            assert_eq!(repaired.load(Ordering::Relaxed), is_repaired);
        }
    }

    #[test]
    fn a_check_finds_every_flipped_bit_that_a_reader_would_meet_and_changes_nothing() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("meta.redb");
        let database = DatabaseFile::open_large(path.clone(), 1 << 20).expect("opened");
        let txn = database.begin_write().expect("a transaction");
        {
            let mut table = txn.open_table(TABLE).expect("a table");
            for key in 0..2_000 {
                table.insert(key, key * 7).expect("inserted");
            }
        }
        txn.commit().expect("committed");
        assert_eq!(database.check_integrity().expect("readable"), Ok(()));
        let before = fs::read(&path).expect("the file");
        drop(database);
        let whole = fs::read(&path).expect("the file");
        for bytes in [before, whole] {
            let mut state = 5_u64;
            let mut random = move || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as usize
            };
            let (mut found, mut harmless) = (0, 0);
            for _ in 0..200 {
                let mut flipped = bytes.clone();
                let at = random() % flipped.len();
                flipped[at] ^= 1 << (random() % 8);
                fs::write(&path, &flipped).expect("written");
                let is_found = check_file(&path).expect("readable").is_err();
                assert_eq!(fs::read(&path).expect("the file"), flipped, "the check writes nothing");
                if is_found {
                    found += 1
                } else {
                    harmless += 1;
                    let database = DatabaseFile::open(path.clone(), 1 << 20).expect("opened");
                    let view = database.begin_read().expect("a view");
                    let table = view.open_table(TABLE).expect("a table");
                    for key in 0..2_000 {
                        let value = table.get(key).expect("readable").map(|value| value.value());
                        assert_eq!(value, Some(key * 7), "byte {at}");
                    }
                }
            }
            assert!(found > 5 && harmless > 5, "{found} found, {harmless} harmless");
        }
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
