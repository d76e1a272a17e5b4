//! Opens a data folder that cannot be written, for reading.
//!
//! The database is copied into a separate folder, with links to everything else: opening an index writes to it. What
//! is written goes into the copy, and is removed with it.

use std::{fs, io, os::unix::fs::symlink, path::Path};

use crate::{DataFolder, StoreError, current_index::CurrentIndex};
use database_file::{check_file, restore_length};

/// What a data folder contains besides its index.
const OTHER_FILES: [&str; 5] =
    ["accounts.redb", "specbox.toml", "vocabulary.toml", "minutes", "tls"];

impl DataFolder {
    /// Whether this process may write into the folder, or create it if it does not exist.
    pub fn is_writable(&self) -> bool {
        let probe = self.root().join(format!(".probe-{}", std::process::id()));
        let created = fs::OpenOptions::new().write(true).create_new(true).open(&probe);
        match created {
            Ok(_) => fs::remove_file(&probe).is_ok(),
            Err(error) => !matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
            ),
        }
    }

    /// Makes a folder of another one's contents, to read them.
    pub fn copy_for_reading(&self, scratch: &Path) -> Result<Self, StoreError> {
        let current = CurrentIndex::read(self)?;
        let (from, to) = (self.with_index(&current.index), Self::new(scratch));
        to.create_folders()?;
        copy(&from.metadata_path(), &to.metadata_path())?;
        for name in OTHER_FILES {
            copy_if_there(&self.root().join(name), &scratch.join(name))?;
        }
        copy_if_there(&from.applied_path(), &to.applied_path())?;
        copy_if_there(&from.change_count_path(), &to.change_count_path())?;
        for (from, to) in from.index_folders().iter().zip(&to.index_folders()) {
            link_entries(from, to)?;
        }
        Ok(to)
    }
}

impl DataFolder {
    /// The same, to repair what can be repaired: the databases get their full length, and accounts that cannot be
    /// read are left out. Returns what is lost, one sentence each.
    pub fn copy_for_repair(&self, scratch: &Path) -> Result<(Self, Vec<String>), StoreError> {
        let copied = self.copy_for_reading(scratch)?;
        let accounts = copied.accounts_path();
        let restored =
            |path: &Path| restore_length(path).map_err(StoreError::io_error("repair", path));
        restored(&copied.metadata_path())?;
        let mut lost = Vec::new();
        let fault = if accounts.is_file() {
            restored(&accounts)?;
            check_file(&accounts)?.err()
        } else {
            self.accounts_note_path().exists().then(|| "missing".to_owned())
        };
        if let Some(fault) = fault {
            lost.push(format!("accounts, keys and passwords (accounts.redb: {fault})"));
            let _ = fs::remove_file(&accounts);
        }
        Ok((copied, lost))
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let bytes = fs::File::open(from).and_then(|mut source| {
        let mut target = fs::File::create(to)?;
        io::copy(&mut source, &mut target)
    });
    bytes.map(|_| ()).map_err(StoreError::io_error("copy", from))
}

fn copy_if_there(from: &Path, to: &Path) -> Result<(), StoreError> {
    if from.is_dir() {
        fs::create_dir_all(to).map_err(StoreError::io_error("create", to))?;
        for entry in fs::read_dir(from).map_err(StoreError::io_error("read", from))?.flatten() {
            copy_if_there(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if from.is_file() { copy(from, to) } else { Ok(()) }
}

/// Links what a folder holds. The lists that are replaced when words are committed are copied, and locks are left out.
fn link_entries(from: &Path, to: &Path) -> Result<(), StoreError> {
    // If it is missing, `verify` reports what is lost with it.
    let from = match from.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        from_root => from_root.map_err(StoreError::io_error("read", from))?,
    };
    for entry in fs::read_dir(&from).map_err(StoreError::io_error("read", &from))?.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending {
            Some("lock" | "unfinished") => {}
            Some("json") => copy(&path, &target)?,
            _ => symlink(&path, &target).map_err(StoreError::io_error("link", &target))?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store,
        tests::{commit, document, folder, open},
    };

    #[test]
    fn a_copy_is_read_and_leaves_the_folder_as_it_is() {
        let (dir, scratch) = (folder(), folder());
        let store = open(&dir);
        commit(&store, &document("38.331", "18.0.0", &["The first timer."]));
        let replacement = store.begin_replacement().expect("begun");
        commit(replacement.store(), &document("38.331", "18.1.0", &["The second timer."]));
        replacement.publish().expect("published");
        drop(store);
        let data = DataFolder::new(dir.path());
        assert!(data.is_writable());
        let copied = data.copy_for_reading(scratch.path()).expect("copied");
        let copy = Store::open(copied).expect("opened");
        assert_eq!(copy.snapshot().catalog().document_entries().count(), 2);
        assert_eq!(copy.snapshot().contents().count_occurrences("second", 9).expect("searched"), 1);
        commit(&copy, &document("38.331", "18.2.0", &["The third timer."]));
        drop(copy);
        assert_eq!(open(&dir).snapshot().catalog().document_entries().count(), 2);
    }
}
