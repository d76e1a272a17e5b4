//! Pictures of figures: one PNG file for each distinct picture, under the hash of its bytes.
//!
//! redb says which pictures there are. A file is written and synced before the commit that lists
//! it, and removed after the commit that does not list it any more. Meanwhile `unsettled` names the
//! files that may have to go: a process that is killed in between leaves nothing behind for ever.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::StoreError;

/// BLAKE3 of the bytes of a picture.
pub type PictureHash = [u8; 32];

/// The folder of pictures.
#[derive(Debug, Clone)]
pub(super) struct Pictures {
    folder: PathBuf,
}

impl Pictures {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The bytes of a picture; none where its file is not there.
    pub(super) fn read(&self, hash: &PictureHash) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(hash);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &path)(error)),
        }
    }

    /// Notes files that a commit is about to bring or to leave without a figure.
    pub(super) fn unsettle(&self, hashes: &[PictureHash]) -> Result<(), StoreError> {
        if hashes.is_empty() {
            return Ok(());
        }
        let path = self.unsettled();
        // What an earlier settling left is not forgotten.
        let mut lines: Vec<String> = self.noted()?.iter().chain(hashes).map(hex).collect();
        lines.sort_unstable();
        lines.dedup();
        write_whole(&path, lines.join("\n").as_bytes())?;
        sync_folder(&self.folder)
    }

    /// Writes pictures, each whole or not at all, and syncs them.
    pub(super) fn write(&self, pictures: &[(PictureHash, &[u8])]) -> Result<(), StoreError> {
        let mut folders = Vec::new();
        for (hash, bytes) in pictures {
            let path = self.path(hash);
            let folder = self.folder_of(hash);
            fs::create_dir_all(&folder).map_err(StoreError::io("create", &folder))?;
            write_whole(&path, bytes)?;
            folders.push(folder);
        }
        folders.sort();
        folders.dedup();
        if !folders.is_empty() {
            folders.push(self.folder.clone());
        }
        folders.iter().try_for_each(|folder| sync_folder(folder))
    }

    /// Removes the noted files that are not listed.
    pub(super) fn settle(
        &self,
        mut is_listed: impl FnMut(&PictureHash) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let mut failed = None;
        let noted = self.noted()?;
        for hash in &noted {
            let path = self.path(hash);
            let is_listed = is_listed(hash)?;
            let removed = remove(&unfinished(&path))
                .and_then(|()| if is_listed { Ok(()) } else { remove(&path) });
            failed = failed.or(removed.err());
        }
        match failed {
            Some(error) => Err(error),
            None if noted.is_empty() => Ok(()),
            None => remove(&self.unsettled()),
        }
    }

    /// The files that were noted.
    fn noted(&self) -> Result<Vec<PictureHash>, StoreError> {
        let path = self.unsettled();
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let hashes = text.lines().filter_map(|line| blake3::Hash::from_hex(line).ok());
        Ok(hashes.map(|hash| *hash.as_bytes()).collect())
    }

    fn unsettled(&self) -> PathBuf {
        self.folder.join("unsettled")
    }

    /// The first byte names the folder: 256 of them keep each small.
    fn folder_of(&self, hash: &PictureHash) -> PathBuf {
        self.folder.join(format!("{:02x}", hash[0]))
    }

    fn path(&self, hash: &PictureHash) -> PathBuf {
        self.folder_of(hash).join(format!("{}.png", hex(hash)))
    }
}

fn hex(hash: &PictureHash) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

/// The name of a file while it is written.
fn unfinished(path: &Path) -> PathBuf {
    path.with_extension("unfinished")
}

/// Writes and syncs a file, which gets its name when it is complete.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let new = unfinished(path);
    let mut file = File::create(&new).map_err(StoreError::io("create", &new))?;
    let written = file.write_all(bytes).and_then(|()| file.sync_data());
    written.map_err(StoreError::io("write", &new))?;
    fs::rename(&new, path).map_err(StoreError::io("rename", &new))
}

fn sync_folder(folder: &Path) -> Result<(), StoreError> {
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(StoreError::io("sync", folder))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_and_not_listed_goes() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = Pictures::new(dir.path().to_owned());
        let [kept, gone] = [b"kept", b"gone"].map(|bytes| *blake3::hash(bytes).as_bytes());
        pictures.unsettle(&[kept, gone]).expect("noted");
        pictures.write(&[(kept, b"kept"), (gone, b"gone")]).expect("written");
        pictures.settle(|hash| Ok(*hash == kept)).expect("settled");
        assert_eq!(pictures.read(&kept).expect("readable").as_deref(), Some(&b"kept"[..]));
        assert_eq!(pictures.read(&gone).expect("readable"), None);
        // What is not noted any more stays, whatever is listed.
        pictures.settle(|_| Ok(false)).expect("nothing to do");
        assert!(pictures.read(&kept).expect("readable").is_some());
    }

    #[test]
    fn what_one_settling_left_is_seen_to_by_the_next() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = Pictures::new(dir.path().to_owned());
        let [first, second] = [b"one", b"two"].map(|bytes| *blake3::hash(bytes).as_bytes());
        pictures.unsettle(&[first]).expect("noted");
        pictures.write(&[(first, b"one")]).expect("written");
        // Something that is no file cannot be removed as one.
        fs::create_dir_all(pictures.path(&second)).expect("created");
        pictures.unsettle(&[second]).expect("noted beside the other");
        pictures.settle(|_| Ok(false)).expect_err("a folder is in the way");
        assert_eq!(pictures.read(&first).expect("readable"), None);
        fs::remove_dir(pictures.path(&second)).expect("removed");
        pictures.settle(|_| Ok(false)).expect("settled");
        assert!(pictures.noted().expect("readable").is_empty());
    }

    #[test]
    fn a_note_that_was_tampered_with_removes_no_other_file() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let pictures = Pictures::new(dir.path().join("figures"));
        fs::create_dir(dir.path().join("figures")).expect("created");
        fs::write(dir.path().join("other"), "x").expect("written");
        fs::write(pictures.unsettled(), "../other\nzz\n\n").expect("written");
        pictures.settle(|_| Ok(false)).expect("settled");
        assert!(dir.path().join("other").exists());
    }
}
