//! A file that does not exist until it is complete.
//!
//! It is written under a temporary name in the folder it will stay in, and gets its own name in one
//! step when it is safely on disk. Dropped before that, it is removed. A process that is killed in
//! between leaves a file whose name ends in `.partial`, which may be deleted at any time.

use std::ffi::OsString;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

use crate::error::SegmentError;

/// The temporary file's name and the name it will get.
#[derive(Debug)]
pub(crate) struct PendingFile {
    path: PathBuf,
    temporary: PathBuf,
    committed: bool,
}

impl PendingFile {
    /// Creates the temporary file, open for writing.
    pub(crate) fn create(path: &Path) -> Result<(PendingFile, File), SegmentError> {
        loop {
            let temporary = temporary_name(path)?;
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    let path = path.to_owned();
                    return Ok((PendingFile { path, temporary, committed: false }, file));
                }
                // Left by a killed process of the same number, as in a container that restarts.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(SegmentError::from_io(&temporary, "create", error)),
            }
        }
    }

    /// The name the file will get.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the temporary file a second time, to read back what was written.
    pub(crate) fn open_for_reading(&self) -> io::Result<File> {
        File::open(&self.temporary)
    }

    /// Brings the file to disk and gives it its name, replacing a file of that name.
    pub(crate) fn commit(mut self, file: File) -> io::Result<()> {
        file.sync_all()?;
        drop(file);
        std::fs::rename(&self.temporary, &self.path)?;
        self.committed = true;
        sync_folder(folder_of(&self.path))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.committed {
            // Nothing can be done about a failure here; the name shows that the file is not a segment.
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// A name in the same folder that no other writer of this process uses, another one at each call.
fn temporary_name(path: &Path) -> Result<PathBuf, SegmentError> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| {
        let reason = io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
        SegmentError::from_io(path, "create", reason)
    })?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    temporary.push(format!(".{}-{number}.partial", std::process::id()));
    Ok(folder_of(path).join(temporary))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

/// The new name is on disk only when the folder is.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_of_a_killed_process_of_the_same_number_are_passed_over() {
        let folder = tempfile::tempdir().expect("a folder");
        let process = std::process::id();
        for number in 0..200 {
            let leftover = format!(".a.seg.{process}-{number}.partial");
            std::fs::write(folder.path().join(leftover), "left over").expect("a leftover");
        }
        let (pending, file) = PendingFile::create(&folder.path().join("a.seg")).expect("a name");
        pending.commit(file).expect("committed");
        let committed = std::fs::read(folder.path().join("a.seg")).expect("the file");
        assert!(committed.is_empty(), "a leftover is not taken for the new file");
    }
}
