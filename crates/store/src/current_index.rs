//! Which index of a data folder is served, and which one is kept to go back to.
//!
//! The file `current` may be damaged, or a copy from another time. It is followed only if its checksum is right, the
//! index that it names exists, and there is no newer index beside it. An index that was never served, or was left on
//! the way back to the one before it, has the file `unserved`.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use durable_file::{Sealed, remove_if_there, seal, unfinished_path, unseal, write_file};
use serde::{Deserialize, Serialize};

use crate::{
    DataFolder, StoreError, belonging::has_listed_files, folder::sync_folder, trash::set_aside,
};

/// The file that names the index of a data folder.
const CURRENT: &str = "current";
/// The file in the folder of an index that says that it is not the newest one, whatever its number.
const UNSERVED: &str = "unserved";
/// Prefix of the names of indexes, except the first, which is in the data folder itself.
pub(crate) const PREFIX: &str = "index-";
/// Files of an index that is in the data folder itself. They are listed because the folder also has files of all
/// indexes, such as accounts and certificates.
const OWN_FILES: [&str; 7] = [
    "meta.redb",
    "lexical",
    "lexical-figures",
    "lexical-tdocs",
    "vectors",
    "figures",
    "applied.json",
];

/// Which index of a data folder is served.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CurrentIndex {
    /// Its folder; empty for the data folder itself.
    pub(crate) index: String,
    /// The one before it, as long as it is kept.
    pub(crate) before: Option<String>,
    /// The batch of the index when it took its place: later ones are changes since.
    pub(crate) batch: u64,
}

impl CurrentIndex {
    /// Reads which index a folder has.
    pub(crate) fn read(folder: &DataFolder) -> Result<Self, StoreError> {
        let path = folder.current_path();
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // `current` is written before a second index exists, so it can be missing only if there is none.
                return if list_indexes(folder).is_empty() {
                    Ok(Self::default())
                } else {
                    Err(lost(folder, "is missing".to_owned()))
                };
            }
            bytes => bytes.map_err(StoreError::io_error("read", &path))?,
        };
        let (Sealed::Whole(content) | Sealed::Unsealed(content)) = unseal(&bytes) else {
            return Err(lost(folder, "does not match its checksum".to_owned()));
        };
        let current: Self =
            serde_json::from_slice(content).map_err(|_| lost(folder, "is damaged".to_owned()))?;
        let names = std::iter::once(&current.index).chain(&current.before);
        if !names.into_iter().all(|name| is_index_name(name)) {
            return Err(lost(folder, "names no index".to_owned()));
        }
        current.check_against_folder(folder)?;
        Ok(current)
    }

    /// Whether the index is there, and the newest one.
    fn check_against_folder(&self, folder: &DataFolder) -> Result<(), StoreError> {
        let named = folder.with_index(&self.index);
        // If only the database is lost, opening the index reports it.
        if !named.metadata_path().exists() && !has_listed_files(&named) {
            let fault = format!("names {}, which is not there", describe(&self.index));
            return Err(lost(folder, fault));
        }
        let newer = list_indexes(folder).into_iter().find(|name| {
            let other = folder.with_index(name);
            number_of(name) > number_of(&self.index)
                && other.metadata_path().exists()
                && !unserved_path(&other).exists()
        });
        match newer {
            Some(newer) => {
                let named = describe(&self.index);
                Err(lost(folder, format!("names {named}, but {newer} is newer")))
            }
            None => Ok(()),
        }
    }

    /// Says that a folder has only the index that lies in it, before it gets a second one.
    pub(crate) fn write_first(folder: &DataFolder) -> Result<Self, StoreError> {
        let current = Self::read(folder)?;
        if !folder.current_path().exists() {
            current.write(folder)?;
        }
        Ok(current)
    }

    /// Makes it the index of a folder: from then on every process serves it.
    pub(crate) fn write(&self, folder: &DataFolder) -> Result<(), StoreError> {
        let (path, unfinished) = (folder.current_path(), unfinished_path(&folder.current_path()));
        let text = seal(&serde_json::to_vec(self).expect("names and numbers are JSON"));
        let written = fs::File::create(&unfinished).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        });
        written.map_err(StoreError::io_error("write", &path))?;
        // From here on it is the index: after an error, the caller would continue with the other one.
        if let Err(error) = sync_folder(folder.root()) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "the data folder could not be synced");
        }
        Ok(())
    }

    /// Completes a folder whose index has just been opened: the file gets a checksum if it has none, and what is
    /// beside the indexes that it names is moved to the trash.
    pub(crate) fn settle(&self, folder: &DataFolder) -> Result<(), StoreError> {
        let path = folder.current_path();
        if fs::read(&path).is_ok_and(|bytes| matches!(unseal(&bytes), Sealed::Unsealed(_))) {
            self.write(folder)?;
        }
        mark_served(&folder.with_index(&self.index))?;
        self.set_others_aside(folder);
        Ok(())
    }

    /// Moves the indexes that are neither served nor kept to the trash, including what a killed process left.
    pub(crate) fn set_others_aside(&self, folder: &DataFolder) {
        // A file that names a missing index may be from another time, so it does not prove that the other indexes are
        // superfluous.
        if self
            .before
            .as_ref()
            .is_some_and(|before| !folder.with_index(before).metadata_path().exists())
        {
            tracing::warn!("the index before the one that is served is not there");
            return;
        }
        for name in list_indexes(folder).into_iter().chain([String::new()]) {
            if !self.keeps(&name) {
                set_index_aside(folder, &name);
            }
        }
    }

    fn keeps(&self, name: &str) -> bool {
        self.index == name || self.before.as_deref() == Some(name)
    }
}

/// Whether a name is that of an index: a folder of its own, or the data folder itself.
fn is_index_name(name: &str) -> bool {
    let number = name.strip_prefix(PREFIX);
    name.is_empty() || number.is_some_and(|number| number.parse::<u64>().is_ok())
}

/// The names of the indexes that have folders of their own.
fn list_indexes(folder: &DataFolder) -> Vec<String> {
    let entries = fs::read_dir(folder.root()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().to_str().map(str::to_owned));
    names.filter(|name| name.starts_with(PREFIX) && is_index_name(name)).collect()
}

/// Indexes are numbered as they are made; the first one is the data folder itself.
fn number_of(name: &str) -> u64 {
    name.strip_prefix(PREFIX).and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn describe(name: &str) -> &str {
    if name.is_empty() { "the index in the data folder itself" } else { name }
}

/// The error for a file that cannot be followed, with its probable content: the newest index that was served, and the
/// one before it.
fn lost(folder: &DataFolder, fault: String) -> StoreError {
    let mut indexes = list_indexes(folder);
    indexes.push(String::new());
    indexes.retain(|name| {
        let index = folder.with_index(name);
        index.metadata_path().exists() && !unserved_path(&index).exists()
    });
    indexes.sort_by_key(|name| std::cmp::Reverse(number_of(name)));
    let mut names = indexes.into_iter();
    let current =
        CurrentIndex { index: names.next().unwrap_or_default(), before: names.next(), batch: 0 };
    let content = serde_json::to_string(&current).expect("names and numbers are JSON");
    StoreError::CurrentLost { path: folder.current_path(), fault, content }
}

fn unserved_path(index: &DataFolder) -> PathBuf {
    index.index().join(UNSERVED)
}

/// Marks an index as not the newest one: it is being made, or about to be left.
pub(crate) fn mark_unserved(index: &DataFolder) -> Result<(), StoreError> {
    let path = unserved_path(index);
    write_file(&path, b"this index was not served when this file was written\n")
        .map_err(StoreError::io_error("write", &path))
}

/// Removes the mark.
pub(crate) fn mark_served(index: &DataFolder) -> Result<(), StoreError> {
    let path = unserved_path(index);
    remove_if_there(&path).map_err(StoreError::io_error("remove", &path))
}

/// Moves the files of an index to the trash.
pub(crate) fn set_index_aside(folder: &DataFolder, name: &str) {
    if name.is_empty() {
        set_aside(folder, "first-index", &OWN_FILES.map(|file| folder.root().join(file)))
    } else {
        set_aside(folder, name, &[folder.root().join(name)])
    }
}

/// Removes a copy that this process has made and never served.
pub(crate) fn remove_unserved_index(folder: &Path) {
    if let Err(error) = fs::remove_dir_all(folder)
        && error.kind() != io::ErrorKind::NotFound
    {
        tracing::warn!(%error, path = %folder.display(), "a copy of the index could not be removed yet");
    }
}

impl DataFolder {
    /// The file that names the index.
    pub(crate) fn current_path(&self) -> PathBuf {
        self.root().join(CURRENT)
    }

    /// Whether it contains an index.
    pub fn has_index(&self) -> Result<bool, StoreError> {
        let current = CurrentIndex::read(self)?;
        Ok(self.with_index(&current.index).metadata_path().exists())
    }
}
