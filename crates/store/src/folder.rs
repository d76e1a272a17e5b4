//! The data folder: its layout and the lock that one process holds.

use std::{
    collections::BTreeSet,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use crate::StoreError;

/// Paths inside a data folder.
///
/// An index is in the folder itself or, if it replaced another one, in a folder of its own within it.
#[derive(Debug, Clone)]
pub struct DataFolder {
    root: PathBuf,
    index: PathBuf,
}

impl DataFolder {
    /// Takes a folder; nothing is created yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        let root = root.into();
        Self { index: root.clone(), root }
    }

    /// The same folder with the index of a name; the folder itself if the name is empty.
    pub(crate) fn with_index(&self, name: &str) -> Self {
        Self { root: self.root.clone(), index: self.root.join(name) }
    }

    /// The folder with the files of the index.
    pub(crate) fn index(&self) -> &Path {
        &self.index
    }

    /// The list of packs that the index was last brought to.
    pub(crate) fn applied_path(&self) -> PathBuf {
        self.index.join("applied.json")
    }

    /// Creates the folder and its sub-folders, readable by their owner alone.
    pub fn create_folders(&self) -> Result<(), StoreError> {
        let own = [self.root.clone(), self.index.clone()];
        let mut parents = BTreeSet::new();
        for path in own.into_iter().chain(self.index_folders()) {
            fs::create_dir_all(&path).map_err(StoreError::io_error("create", &path))?;
            parents.extend(path.parent().map(Path::to_owned));
        }
        // A folder that is not synced may be gone after a power loss, with everything in it.
        for parent in parents.iter().filter(|parent| **parent != *"") {
            match sync_folder(parent) {
                // The parent of a data folder may be somebody else's.
                Err(StoreError::Io { source, .. })
                    if source.kind() == io::ErrorKind::PermissionDenied => {}
                synced => synced?,
            }
        }
        let owner_only = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&self.root, owner_only)
            .map_err(StoreError::io_error("set permissions of", &self.root))
    }

    /// The folders that an index consists of, beside its database.
    pub(crate) fn index_folders(&self) -> [PathBuf; 6] {
        [
            self.lexical_folder(),
            self.figure_lexical_folder(),
            self.tdoc_lexical_folder(),
            self.text_vectors_folder(),
            self.picture_vectors_folder(),
            self.figures_folder(),
        ]
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The sources that ended the worker that read them.
    pub fn set_aside_path(&self) -> PathBuf {
        self.root.join("set-aside.json")
    }

    /// The catalog of TDocs, which a process leaves to the next one: a million rows are read in 0.4 s instead of 8 s.
    pub fn tdoc_catalog_path(&self) -> PathBuf {
        self.root.join("tdoc-catalog.cache")
    }

    /// The number of changes that the database of the index has had.
    pub(crate) fn change_count_path(&self) -> PathBuf {
        self.index.join("changes.count")
    }

    /// Vector files that were lost, until their vectors have been computed again.
    pub(crate) fn lost_vectors_path(&self) -> PathBuf {
        self.index.join("vectors.lost")
    }

    /// Says that there are accounts in this folder.
    pub fn accounts_note_path(&self) -> PathBuf {
        self.root.join("accounts.note")
    }

    /// Configuration file.
    pub fn configuration_path(&self) -> PathBuf {
        self.root.join("specbox.toml")
    }

    /// The operator's own vocabulary.
    pub fn vocabulary_path(&self) -> PathBuf {
        self.root.join("vocabulary.toml")
    }

    /// Folder of the operator's own rules for notes of meetings.
    pub fn notes_rules_folder(&self) -> PathBuf {
        self.root.join("minutes")
    }

    /// Database of documents, sections and passages.
    pub fn metadata_path(&self) -> PathBuf {
        self.index.join("meta.redb")
    }

    /// Database of accounts, API keys, sessions and charges.
    pub fn accounts_path(&self) -> PathBuf {
        self.root.join("accounts.redb")
    }

    /// A copy of the accounts, for as long as a backup reads it.
    pub fn accounts_copy_path(&self) -> PathBuf {
        self.root.join("accounts.backup")
    }

    /// What the source of specifications lists, as far as it was read.
    pub fn source_catalogue_path(&self) -> PathBuf {
        self.root.join("source-catalogue.json")
    }

    /// The results of the last jobs.
    pub fn jobs_path(&self) -> PathBuf {
        self.root.join("log").join("jobs.json")
    }

    /// How long operations took on the last days.
    pub fn latencies_path(&self) -> PathBuf {
        self.root.join("log").join("latency.json")
    }

    /// Bytes of the index by part; pictures, one file each, are not counted.
    pub fn index_sizes(&self) -> [(&'static str, u64); 3] {
        let words = sum_file_bytes(&self.lexical_folder())
            + sum_file_bytes(&self.figure_lexical_folder())
            + sum_file_bytes(&self.tdoc_lexical_folder());
        let vectors = sum_file_bytes(&self.text_vectors_folder())
            + sum_file_bytes(&self.picture_vectors_folder());
        let metadata = fs::metadata(self.metadata_path()).map_or(0, |metadata| metadata.len());
        [("metadata", metadata), ("words", words), ("vectors", vectors)]
    }

    /// tantivy's files for the words of figures.
    pub fn figure_lexical_folder(&self) -> PathBuf {
        self.index.join("lexical-figures")
    }

    /// tantivy's files for the words of TDocs.
    pub fn tdoc_lexical_folder(&self) -> PathBuf {
        self.index.join("lexical-tdocs")
    }

    /// Fetched files of TDocs that are being read.
    pub fn tdoc_inbox_folder(&self) -> PathBuf {
        self.root.join("inbox").join("tdocs")
    }

    /// Fetched files of specifications that are being read.
    pub fn spec_inbox_folder(&self) -> PathBuf {
        self.root.join("inbox").join("specs")
    }

    /// Files that operators send from the browser, until they are indexed.
    pub fn upload_inbox_folder(&self) -> PathBuf {
        self.root.join("inbox").join("uploads")
    }

    /// The mirror of 3GPP's files, if no other is configured.
    pub fn mirror_folder(&self) -> PathBuf {
        self.root.join("mirror")
    }

    /// Pictures of figures, each under the hash of its bytes.
    pub fn figures_folder(&self) -> PathBuf {
        self.index.join("figures")
    }

    /// tantivy's files for passages.
    pub fn lexical_folder(&self) -> PathBuf {
        self.index.join("lexical")
    }

    /// Segment files of the vectors of texts: passages, and the words of figures.
    pub fn text_vectors_folder(&self) -> PathBuf {
        self.index.join("vectors").join("text")
    }

    /// Segment files of the vectors of pictures.
    pub fn picture_vectors_folder(&self) -> PathBuf {
        self.index.join("vectors").join("figures")
    }

    /// Certificates.
    pub fn tls_folder(&self) -> PathBuf {
        self.root.join("tls")
    }

    /// Socket through which other commands reach the process that holds the folder.
    pub fn control_socket_path(&self) -> PathBuf {
        self.root.join("control.sock")
    }

    /// Takes the folder for this process.
    pub fn acquire_lock(&self) -> Result<FolderLock, StoreError> {
        let path = self.root.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(StoreError::io_error("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock { file }),
            Err(fs::TryLockError::WouldBlock) => Err(StoreError::Held { path: self.root.clone() }),
            Err(fs::TryLockError::Error(source)) => {
                Err(StoreError::Io { action: "lock", path, source })
            }
        }
    }
}

/// Bytes of the files directly in a folder; unreadable ones count as 0.
fn sum_file_bytes(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum()
}

/// Held for as long as this process may write; released by the system even after `kill -9`.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl Drop for FolderLock {
    /// Closing the file is not enough: a process that is being started at the same time has it open until its own
    /// program begins.
    fn drop(&mut self) {
        if let Err(error) = self.file.unlock() {
            tracing::debug!(%error, "the lock of the data folder goes with the file");
        }
    }
}

/// Makes the names in a folder survive a power loss.
pub(crate) fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(StoreError::io_error("sync", folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_held_by_one_lock_at_a_time() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = DataFolder::new(dir.path());
        folder.create_folders().expect("created");
        let held = folder.acquire_lock().expect("free");
        assert!(matches!(folder.acquire_lock(), Err(StoreError::Held { .. })));
        drop(held);
        folder.acquire_lock().expect("free again");
    }

    #[test]
    fn a_lock_ends_although_a_process_that_is_being_started_still_has_its_file() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = DataFolder::new(dir.path());
        folder.create_folders().expect("created");
        let held = folder.acquire_lock().expect("free");
        let inherited = held.file.try_clone().expect("cloned");
        drop(held);
        folder.acquire_lock().expect("free again");
        drop(inherited);
    }
}
