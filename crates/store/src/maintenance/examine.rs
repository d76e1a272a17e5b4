//! What is wrong with the files of a data folder, even of one that cannot be opened. Nothing is changed.

use std::{
    fs,
    path::{Path, PathBuf},
};

use index_format::Segment;
use lexical::find_damaged_files;

use crate::{
    DataFolder, StoreError, belonging::check_database_is_there, current_index::CurrentIndex,
    drawing_file::unpack_drawing,
};
use database_file::check_file;

/// Remedy for a damaged database.
const CURE_DATABASE: &str = "restore the last backup into a new folder (specbox restore), or copy everything that can \
                             be read into a new folder (specbox doctor --repair DIR)";
/// Remedy for damaged accounts.
const CURE_ACCOUNTS: &str = "restore the file from a copy or a backup with accounts, or remove it to start with new accounts";
/// Remedy for a damaged word index.
const CURE_WORDS: &str =
    "remove the folder; the next start rebuilds the word index from the database";
/// Remedy for a damaged vector file.
const CURE_VECTORS: &str =
    "start the server: it skips the file and recomputes its vectors in the background";
/// Remedy for a damaged picture.
const CURE_PICTURE: &str =
    "run `specbox verify`, which names the archive; then ingest that archive again with --force";

/// A fault of a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FolderFault {
    /// The file, below the data folder.
    pub file: PathBuf,
    /// What is wrong.
    pub fault: String,
    /// What to do.
    pub cure: String,
}

/// The faults of a data folder's files.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FolderExamination {
    /// Files that were read whole.
    pub files: usize,
    /// What is wrong with them.
    pub faults: Vec<FolderFault>,
    /// Whether the index can be opened, as far as its files show.
    pub can_open: bool,
}

impl FolderExamination {
    /// Reads all files of a data folder whose lock is held; accounts only if they are stored in it.
    pub fn of_folder(folder: &DataFolder, has_accounts: bool) -> Result<Self, StoreError> {
        let mut found = Self { can_open: true, ..Self::default() };
        let index = match CurrentIndex::read(folder) {
            Ok(current) => folder.with_index(&current.index),
            Err(error) => {
                found.refuse(folder, &folder.current_path(), &error);
                return Ok(found);
            }
        };
        if let Err(error) = check_database_is_there(&index) {
            found.refuse(folder, &index.metadata_path(), &error);
            return Ok(found);
        }
        if let Err(error) = index.read_applied_list() {
            found.add(folder, &index.applied_path(), "damaged".to_owned(), &error.to_string());
        }
        found.check_database(folder, &index.metadata_path(), CURE_DATABASE)?;
        let accounts = folder.accounts_path();
        if has_accounts && let Err(error) = folder.check_accounts() {
            let fault = if accounts.exists() { "empty" } else { "missing" };
            found.add(folder, &accounts, fault.to_owned(), &error.to_string());
        } else if has_accounts && accounts.exists() {
            found.check_database(folder, &accounts, CURE_ACCOUNTS)?;
        }
        let words =
            [index.lexical_folder(), index.figure_lexical_folder(), index.tdoc_lexical_folder()];
        for words in words {
            found.check_words(folder, &words);
        }
        for vectors in [index.text_vectors_folder(), index.picture_vectors_folder()] {
            for path in list_files(&vectors, "seg") {
                found.files += 1;
                let checked = Segment::open(path.clone()).and_then(|segment| segment.verify());
                if let Err(error) = checked {
                    found.add(folder, &path, error.to_string(), CURE_VECTORS);
                }
            }
        }
        let groups = fs::read_dir(index.figures_folder()).into_iter().flatten().flatten();
        for group in groups {
            for path in list_files(&group.path(), "png") {
                found.check_picture(folder, &path);
            }
            for path in list_files(&group.path(), "gz") {
                found.check_drawing(folder, &path);
            }
        }
        Ok(found)
    }

    fn add(&mut self, folder: &DataFolder, path: &Path, fault: String, cure: &str) {
        let file = path.strip_prefix(folder.root()).unwrap_or(path).to_owned();
        self.faults.push(FolderFault { file, fault, cure: cure.to_owned() });
    }

    /// A fault that keeps the index from opening; its error says what to do.
    fn refuse(&mut self, folder: &DataFolder, path: &Path, error: &StoreError) {
        self.can_open = false;
        self.add(folder, path, "missing, empty or damaged".to_owned(), &error.to_string());
    }

    fn check_database(
        &mut self,
        folder: &DataFolder,
        path: &Path,
        cure: &str,
    ) -> Result<(), StoreError> {
        if !path.is_file() {
            return Ok(());
        }
        self.files += 1;
        if let Err(fault) = check_file(path)? {
            self.add(folder, path, fault, cure);
        }
        Ok(())
    }

    fn check_words(&mut self, folder: &DataFolder, words: &Path) {
        match find_damaged_files(words) {
            Ok((checked, damaged)) => {
                self.files += checked;
                for file in damaged {
                    let fault =
                        "is missing, damaged, or has the content of another file".to_owned();
                    self.add(folder, &words.join(file), fault, CURE_WORDS);
                }
            }
            Err(error) => self.add(folder, words, error.to_string(), CURE_WORDS),
        }
    }

    /// Drawings have a checksum of their own.
    fn check_drawing(&mut self, folder: &DataFolder, path: &Path) {
        self.files += 1;
        let fault = match fs::read(path) {
            Ok(bytes) if unpack_drawing(&bytes).is_some() => return,
            Ok(_) => "cannot be decompressed".to_owned(),
            Err(error) => error.to_string(),
        };
        self.add(folder, path, fault, CURE_PICTURE);
    }

    /// Pictures are named by their hashes.
    fn check_picture(&mut self, folder: &DataFolder, path: &Path) {
        self.files += 1;
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let fault = match fs::read(path) {
            Ok(bytes) if blake3::hash(&bytes).to_hex().as_str() == name => return,
            Ok(_) => "does not match the hash in its name".to_owned(),
            Err(error) => error.to_string(),
        };
        self.add(folder, path, fault, CURE_PICTURE);
    }
}

/// The regular files of a folder whose names end so, in order: reading a pipe or a device would not end.
fn list_files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|found| found == ending) && path.is_file())
        .collect();
    files.sort();
    files
}
