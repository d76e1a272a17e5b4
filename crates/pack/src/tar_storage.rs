//! A depot in one file, to be carried: a tar archive.
//!
//! The archive is written from beginning to end under another name and renamed when it is whole. If a name is written
//! twice, the later file counts.

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, File, OpenOptions},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tar::{Archive, EntryType, Header};

use crate::{DepotStorage, PackError};

/// Bytes of a block of an archive.
const BLOCK: u64 = 512;

/// The files of an archive.
pub struct TarStorage {
    path: PathBuf,
    file: File,
    contents: Mutex<TarContents>,
}

#[derive(Default)]
struct TarContents {
    /// Where each file begins, and its size.
    files: BTreeMap<String, (u64, u64)>,
    /// Where the next one is written; `None` in an archive that is only read.
    end: Option<u64>,
}

impl fmt::Debug for TarStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TarStorage").field("path", &self.path).finish_non_exhaustive()
    }
}

impl TarStorage {
    /// Opens an archive for reading.
    pub fn open(path: &Path) -> Result<Self, PackError> {
        let file = File::open(path).map_err(PackError::io("open", path))?;
        let length = file.metadata().map_err(PackError::io("read", path))?.len();
        let mut contents = TarContents::default();
        let mut archive = Archive::new(&file);
        for entry in archive.entries_with_seek().map_err(PackError::io("read", path))? {
            let entry = entry.map_err(PackError::io("read", path))?;
            if entry.header().entry_type() != EntryType::Regular {
                continue;
            }
            let (start, size) = (entry.raw_file_position(), entry.size());
            // A bundle that was cut during a copy ends inside a file.
            if start.checked_add(size).is_none_or(|end| end > length) {
                return Err(PackError::Length { what: "bundle" });
            }
            let name = entry.path_bytes();
            let name = std::str::from_utf8(&name).ok().map(|name| name.trim_start_matches("./"));
            let name = name.ok_or(PackError::Invalid { what: "name in a bundle" })?;
            contents.files.insert(name.to_owned(), (start, size));
        }
        Ok(Self { path: path.to_owned(), file, contents: Mutex::new(contents) })
    }

    /// Begins an archive; [`TarStorage::finish`] gives it its name.
    pub fn create(path: &Path) -> Result<Self, PackError> {
        let unfinished = unfinished_path(path);
        let folder = path.parent().unwrap_or(path);
        durable_file::create_folders(folder).map_err(PackError::io("create", folder))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(true);
        let file = options.open(&unfinished).map_err(PackError::io("create", &unfinished))?;
        let contents = TarContents { end: Some(0), ..TarContents::default() };
        Ok(Self { path: path.to_owned(), file, contents: Mutex::new(contents) })
    }

    /// Ends an archive that was begun. Until then, it is not an archive.
    pub fn finish(&self) -> Result<(), PackError> {
        let mut contents = self.lock();
        let end = contents.end.take().ok_or(PackError::Invalid { what: "end of a bundle" })?;
        let unfinished = unfinished_path(&self.path);
        let ended = self
            .file
            .write_all_at(&[0; 2 * BLOCK as usize], end)
            .and_then(|()| self.file.sync_all())
            .and_then(|()| durable_file::rename(&unfinished, &self.path));
        ended.map_err(PackError::io("write", &self.path))
    }

    fn lock(&self) -> MutexGuard<'_, TarContents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TarStorage {
    fn drop(&mut self) {
        if self.lock().end.is_some() {
            let _ = fs::remove_file(unfinished_path(&self.path));
        }
    }
}

fn unfinished_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".unfinished");
    path.with_file_name(name)
}

impl DepotStorage for TarStorage {
    fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, PackError> {
        let Some((start, size)) = self.lock().files.get(name).copied() else { return Ok(None) };
        if size > limit {
            return Err(PackError::TooLarge { what: "file of a bundle", limit });
        }
        let mut bytes = vec![0; size as usize];
        let read = self.file.read_exact_at(&mut bytes, start);
        read.map_err(PackError::io("read", &self.path))?;
        Ok(Some(bytes))
    }

    fn size(&self, name: &str) -> Result<Option<u64>, PackError> {
        Ok(self.lock().files.get(name).map(|(_, size)| *size))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), PackError> {
        let mut contents = self.lock();
        let end = contents.end.ok_or(PackError::Invalid { what: "bundle that is only read" })?;
        let mut header = Header::new_gnu();
        let size = bytes.len() as u64;
        header.set_entry_type(EntryType::Regular);
        header.set_size(size);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_path(name).map_err(PackError::io("name", &self.path))?;
        header.set_cksum();
        let start = end + BLOCK;
        let written = self
            .file
            .write_all_at(header.as_bytes(), end)
            .and_then(|()| self.file.write_all_at(bytes, start));
        written.map_err(PackError::io("write", &self.path))?;
        let padded = start + size.div_ceil(BLOCK) * BLOCK;
        self.file.set_len(padded).map_err(PackError::io("write", &self.path))?;
        contents.files.insert(name.to_owned(), (start, size));
        contents.end = Some(padded);
        Ok(())
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, PackError> {
        let contents = self.lock();
        let within = contents.files.keys().filter_map(|name| {
            let rest = name.strip_prefix(folder)?.strip_prefix('/')?;
            (!rest.contains('/')).then(|| rest.to_owned())
        });
        Ok(within.collect())
    }

    fn location(&self) -> String {
        self.path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_archive_holds_what_was_written_and_is_there_when_it_is_whole() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("delta.tar");
        let storage = TarStorage::create(&path).expect("begun");
        let long = vec![7u8; 1500];
        for (name, bytes) in
            [("latest", &b"one"[..]), ("packs/1f/a.pack", &long), ("latest", b"two")]
        {
            storage.write(name, bytes).expect("written");
        }
        assert_eq!(storage.read("latest", 9).expect("read").as_deref(), Some(&b"two"[..]));
        assert!(!path.exists());
        storage.finish().expect("ended");
        drop(storage);
        let storage = TarStorage::open(&path).expect("opened");
        assert_eq!(storage.read("latest", 9).expect("read").as_deref(), Some(&b"two"[..]));
        assert_eq!(storage.read("packs/1f/a.pack", 1500).expect("read"), Some(long));
        let refused = storage.read("packs/1f/a.pack", 9);
        assert!(matches!(refused, Err(PackError::TooLarge { limit: 9, .. })), "{refused:?}");
        assert_eq!(storage.size("none").expect("read"), None);
        assert_eq!(storage.list("packs/1f").expect("listed"), ["a.pack"]);
        let error = storage.write("latest", b"three").expect_err("it was finished");
        assert_eq!(error.to_string(), "bundle that is only read is not valid");
        // Another program reads it.
        let mut archive = Archive::new(File::open(&path).expect("opened"));
        assert_eq!(archive.entries().expect("an archive").count(), 3);
        // Cut off, it is refused or lacks files.
        let bytes = fs::read(&path).expect("read");
        fs::write(&path, &bytes[..1400]).expect("cut");
        let error = TarStorage::open(&path).expect_err("cut off");
        assert!(matches!(error, PackError::Io { action: "read", .. }), "{error:?}");
        drop(TarStorage::create(&dir.path().join("never.tar")).expect("begun"));
        assert_eq!(fs::read_dir(dir.path()).expect("there").count(), 1, "nothing is left");
    }
}
