//! A depot in a folder, on a disk or a stick, to which any number of programs add.
//!
//! A file is written under another name, synced and renamed.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{DepotStorage, PackError};

/// Files in a folder, which need not exist yet.
#[derive(Debug, Clone)]
pub struct FolderStorage {
    root: PathBuf,
}

impl FolderStorage {
    /// A storage in a folder.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl DepotStorage for FolderStorage {
    fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, PackError> {
        read_bounded(&self.root.join(name), limit)
    }

    fn size(&self, name: &str) -> Result<Option<u64>, PackError> {
        let path = self.root.join(name);
        match fs::metadata(&path) {
            Ok(file) => Ok(file.is_file().then_some(file.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PackError::io("read", &path)(error)),
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError> {
        write_atomically(&self.root.join(name), bytes)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, PackError> {
        let path = self.root.join(folder);
        let entries = match fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(PackError::io("read", &path)(error)),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    fn location(&self) -> String {
        self.root.display().to_string()
    }

    fn local_folder(&self) -> Option<&Path> {
        Some(&self.root)
    }
}

/// The bytes of a file; `None` if there is none.
fn read_bounded(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, PackError> {
    use std::io::Read;
    // Opening a pipe would wait for somebody to write into it.
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(PackError::Invalid { what: "file of a depot" });
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(PackError::io("open", path)(error)),
    };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(PackError::io("read", path))?;
    if bytes.len() as u64 > limit {
        Err(PackError::TooLarge { what: "object", limit })
    } else {
        Ok(Some(bytes))
    }
}

/// Writes and syncs a file under a name of its own, then renames it.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), PackError> {
    let folder = path.parent().expect("objects lie in folders");
    durable_file::create_folders(folder).map_err(PackError::io("create", folder))?;
    // Several programs may write the same object at once, on several machines.
    let new = path.with_extension(format!("{:016x}.unfinished", rand::random::<u64>()));
    let written = File::create_new(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written
        .map_err(PackError::io("write", &new))
        .and_then(|()| durable_file::rename(&new, path).map_err(PackError::io("rename", &new)));
    if renamed.is_err() {
        // Nothing would ever read the rest, and a full disk gets the space back.
        let _ = fs::remove_file(&new);
    }
    renamed
}
