//! Which index of a data folder is served, and which one is kept to go back to.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use serde::{Deserialize, Serialize};

use crate::{DataFolder, StoreError, folder::sync_folder};

/// The file that names the index of a data folder.
const CURRENT: &str = "current";
/// What the names of indexes begin with, but for the first, which lies in the data folder itself.
pub(crate) const PREFIX: &str = "index-";
/// What belongs to an index that lies in the data folder itself.
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
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Which one is served is written before there is a second one.
                return match list_indexes(folder).is_empty() {
                    true => Ok(Self::default()),
                    false => Err(lost(folder)),
                };
            }
            text => text.map_err(StoreError::io_error("read", &path))?,
        };
        let current: Self = serde_json::from_slice(&text).map_err(|_| lost(folder))?;
        let names = std::iter::once(&current.index).chain(&current.before);
        match names.into_iter().all(|name| is_index_name(name)) {
            true => Ok(current),
            false => Err(lost(folder)),
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
        let (path, unfinished) = (folder.current_path(), folder.root().join("current.unfinished"));
        let text = serde_json::to_vec(self).expect("names and numbers are JSON");
        let written = fs::File::create(&unfinished).and_then(|mut file| {
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        });
        written.map_err(StoreError::io_error("write", &path))?;
        // It is the index from here on: who reported a failure now would go on with the other one.
        if let Err(error) = sync_folder(folder.root()) {
            let error = &error as &dyn std::error::Error;
            tracing::error!(error, "the data folder could not be synced");
        }
        Ok(())
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

fn lost(folder: &DataFolder) -> StoreError {
    let mut indexes = list_indexes(folder);
    if folder.with_index("").metadata_path().exists() {
        indexes.push(String::new());
    }
    indexes.sort_by_key(|name| std::cmp::Reverse((name.len(), name.clone())));
    let mut names = indexes.into_iter();
    let current =
        CurrentIndex { index: names.next().unwrap_or_default(), before: names.next(), batch: 0 };
    let content = serde_json::to_string(&current).expect("names and numbers are JSON");
    StoreError::CurrentLost { path: folder.current_path(), content }
}

/// Removes indexes that are neither served nor kept: what a process left that was killed. What cannot be removed now is removed at the
/// next open.
pub(crate) fn remove_other_indexes(folder: &DataFolder, current: &CurrentIndex) {
    for name in list_indexes(folder) {
        if !current.keeps(&name) {
            remove_index(folder, &name);
        }
    }
    if !current.keeps("") {
        remove_index(folder, "");
    }
}

/// Removes the files of an index.
pub(crate) fn remove_index(folder: &DataFolder, name: &str) {
    let index = folder.root().join(name);
    let paths = match name.is_empty() {
        true => OWN_FILES.iter().map(|file| index.join(file)).collect(),
        false => vec![index],
    };
    for path in paths {
        let removed = match path.is_dir() {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
        match removed {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "an old index could not be removed yet");
            }
            _ => {}
        }
    }
}

impl DataFolder {
    /// The file that names the index.
    pub(crate) fn current_path(&self) -> PathBuf {
        self.root().join(CURRENT)
    }

    /// Whether it holds an index.
    pub fn has_index(&self) -> Result<bool, StoreError> {
        let current = CurrentIndex::read(self)?;
        Ok(self.with_index(&current.index).metadata_path().exists())
    }
}
