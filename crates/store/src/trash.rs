//! What is no longer needed, until a later process has served without it.
//!
//! Which index a folder has, and which files an index lists, is read from files that may be wrong. What they do not
//! name is therefore moved, not removed: it stays in `trash` in the data folder until a later process has opened the
//! index and serves it, or until another index has replaced it. Until then it can be moved back by hand.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use durable_file::{create_private_folders, rename};

use crate::DataFolder;

/// The folder of what was set aside.
const TRASH: &str = "trash";

/// What was in the trash at one moment.
#[derive(Debug, Default)]
pub(crate) struct OldTrash {
    entries: Vec<PathBuf>,
}

impl OldTrash {
    /// What is in the trash now.
    pub(crate) fn list(folder: &DataFolder) -> Self {
        let entries = fs::read_dir(folder.root().join(TRASH)).into_iter().flatten().flatten();
        Self { entries: entries.map(|entry| entry.path()).collect() }
    }

    /// Removes it. What cannot be removed now is removed later.
    pub(crate) fn remove(self) {
        for path in self.entries {
            let removed =
                if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            if let Err(error) = removed {
                tracing::warn!(%error, path = %path.display(), "trash could not be removed yet");
            }
        }
    }
}

/// Moves files or folders of an index into the trash, together, in a folder with a name that is free. What cannot be moved
/// stays where it is.
pub(crate) fn set_aside(folder: &DataFolder, name: &str, paths: &[PathBuf]) {
    let paths: Vec<&PathBuf> = paths.iter().filter(|path| path.exists()).collect();
    if paths.is_empty() {
        return;
    }
    match move_to_trash(folder, name, &paths) {
        Ok(place) => tracing::info!(
            place = %place.display(),
            "{name} is not part of the index that is served; it was moved to the trash"
        ),
        Err(error) => {
            tracing::warn!(%error, "{name} is not part of the index that is served, and could not be moved");
        }
    }
}

fn move_to_trash(folder: &DataFolder, name: &str, paths: &[&PathBuf]) -> io::Result<PathBuf> {
    let trash = folder.root().join(TRASH);
    let free = |number: u64| {
        let place = trash.join(format!("{name}.{number}"));
        (!place.exists()).then_some(place)
    };
    let place = (1..).find_map(free).expect("numbers do not end");
    create_private_folders(&place)?;
    for path in paths {
        rename(path, &place.join(path.file_name().unwrap_or(path.as_os_str())))?;
    }
    Ok(place)
}

/// The files of a folder that are not among `kept`; folders in it are not looked at.
pub(crate) fn list_others(folder: &Path, kept: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut others = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_kept = entry.file_name().to_str().is_some_and(&kept);
        if !is_kept && !entry.path().is_dir() {
            others.push(entry.path());
        }
    }
    Ok(others)
}
