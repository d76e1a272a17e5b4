//! Files and folders that survive a power loss, and small files with a checksum over their content.
//!
//! Owns the order of writing, syncing and renaming: a file is the old one or the new one, whole, and a folder that
//! was made exists. Promises that a sealed file contains what was written into it. Knows nothing of what files mean.
//!
//! POSIX allows a name to be lost in a power loss although the file was synced: its folder must be synced too, and
//! for a new folder the folder above it.

#![forbid(unsafe_code)]

mod sealed;

use std::{
    ffi::OsString,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

pub use sealed::{Sealed, seal, unseal};

/// What the name of a file ends with until it is complete.
pub const UNFINISHED: &str = "unfinished";

/// Permissions of files and folders that only their owner may read.
const OWNER_FILE: u32 = 0o600;
const OWNER_FOLDER: u32 = 0o700;

/// Writes a file that has either the old content or all of the new one, even after a power loss. Creates the folders
/// above it.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_file_with(path, OpenOptions::new(), |file| file.write_all(bytes))
}

/// The same for a file that only its owner may read and write.
pub fn write_private_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.mode(OWNER_FILE);
    write_file_with(path, options, |file| file.write_all(bytes))
}

/// The same with a function that writes the content; `options` may carry permissions.
pub fn write_file_with(
    path: &Path,
    mut options: OpenOptions,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    create_folders(folder_of(path))?;
    let unfinished = unfinished_path(path);
    // One that was left behind may have other permissions.
    remove_if_there(&unfinished)?;
    let mut file = options.write(true).create_new(true).open(&unfinished)?;
    let written =
        write(&mut file).and_then(|()| file.sync_all()).and_then(|()| rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Writes a file that must not exist yet, with these permissions. If it cannot be written whole, it does not exist.
pub fn write_new_file(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().create_new(true).write(true).mode(mode).open(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| sync_folder(folder_of(path)));
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

/// Renames a file or folder; the change of both names survives a power loss.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    sync_folder(folder_of(to))?;
    if folder_of(from) == folder_of(to) { Ok(()) } else { sync_folder(folder_of(from)) }
}

/// Makes a folder and those above it that are missing.
pub fn create_folders(path: &Path) -> io::Result<()> {
    create_missing(path, &fs::DirBuilder::new())
}

/// The same; folders that are made can be read by their owner only.
pub fn create_private_folders(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.mode(OWNER_FOLDER);
    create_missing(path, &builder)
}

fn create_missing(path: &Path, builder: &fs::DirBuilder) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let above = folder_of(path);
    create_missing(above, builder)?;
    match builder.create(path) {
        // Another process was faster; the name may be that of a file.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
        made => made?,
    }
    sync_folder(above)
}

/// Makes the names in a folder survive a power loss.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    File::open(folder)?.sync_all()
}

/// Syncs every file and folder below a folder, and its own name: for what other code has written.
pub fn sync_tree(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            sync_tree(&entry.path())?;
        } else if kind.is_file() {
            File::open(entry.path())?.sync_all()?;
        }
    }
    sync_folder(folder)?;
    sync_folder(folder_of(folder))
}

/// Removes a file; it is not a failure if it does not exist.
pub fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// The name that a file has until it is complete.
pub fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".");
    name.push(UNFINISHED);
    path.with_file_name(name)
}

/// The folder that contains a name; empty for the working folder.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_written_whole_with_the_folders_above_it() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("a/b/notes.json");
        for content in ["first", "2"] {
            write_file(&path, content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
        }
        let left: Vec<_> = fs::read_dir(dir.path().join("a/b")).expect("there").flatten().collect();
        assert_eq!(left.len(), 1, "nothing unfinished is left");
    }

    #[test]
    fn a_failed_write_leaves_the_old_content_and_nothing_else() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("notes.json");
        write_file(&path, b"old").expect("written");
        let failed = write_file_with(&path, OpenOptions::new(), |file| {
            file.write_all(b"ne")?;
            Err(io::Error::other("no room"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).expect("there"), b"old");
        assert!(!unfinished_path(&path).exists());
    }

    #[test]
    fn private_files_and_folders_are_for_their_owner() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let folder = dir.path().join("keys/own");
        create_private_folders(&folder).expect("made");
        let path = folder.join("key");
        // What an earlier attempt left could be read by others.
        fs::write(unfinished_path(&path), "x").expect("written");
        write_private_file(&path, b"secret").expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(&folder)), (OWNER_FILE, OWNER_FOLDER));
    }

    #[test]
    fn a_new_file_replaces_nothing() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("key");
        write_new_file(&path, b"secret", OWNER_FILE).expect("written");
        let refused = write_new_file(&path, b"other", OWNER_FILE).expect_err("it is there");
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).expect("there"), b"secret");
    }

    #[test]
    fn a_file_in_the_way_of_a_folder_is_an_error() {
        let dir = tempfile::tempdir().expect("temporary folder");
        fs::write(dir.path().join("a"), "a file").expect("written");
        assert!(create_folders(&dir.path().join("a/b")).is_err());
        assert!(create_folders(&dir.path().join("a")).is_err());
    }

    #[test]
    fn trees_are_synced_and_renamed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let (from, to) = (dir.path().join("from"), dir.path().join("other/to"));
        write_file(&from.join("deep/file"), b"1").expect("written");
        sync_tree(&from).expect("synced");
        create_folders(&dir.path().join("other")).expect("made");
        rename(&from, &to).expect("renamed");
        assert_eq!(fs::read(to.join("deep/file")).expect("there"), b"1");
    }
}
