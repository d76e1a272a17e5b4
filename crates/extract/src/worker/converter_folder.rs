//! The folder of one converting child: the files it reads, and everything it writes.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use super::protocol::WorkerRequest;

/// Beginning of the names of these folders; the id of the process that created one follows, so that the folders of
/// killed processes can be recognised.
const PREFIX: &str = "specbox-convert-";
/// The folder of the copies within.
const INPUT: &str = "input";

/// A folder that is removed with everything in it on drop.
#[derive(Debug)]
pub(super) struct ConverterFolder(TempDir);

impl ConverterFolder {
    /// Creates a folder, and removes those that killed processes left behind.
    pub(super) fn create() -> io::Result<Self> {
        remove_abandoned(&std::env::temp_dir());
        let prefix = format!("{PREFIX}{}-", std::process::id());
        tempfile::Builder::new().prefix(&prefix).tempdir().map(Self)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Copies the files of a request into the folder, because the child sees nothing else; returns the request with
    /// their paths from there.
    pub(super) fn take_in(&self, request: WorkerRequest) -> io::Result<WorkerRequest> {
        let mut count = 0;
        let mut copy = |path: &Path| {
            let name = path.file_name().unwrap_or(path.as_os_str());
            // Each in a folder of its own: files of several folders may have the same name.
            let folder = Path::new(INPUT).join(count.to_string());
            count += 1;
            fs::create_dir_all(self.path().join(&folder))?;
            let copied = folder.join(name);
            fs::copy(path, self.path().join(&copied)).map(|_| copied)
        };
        Ok(match request {
            WorkerRequest::Documents(paths) => {
                let paths: io::Result<Vec<PathBuf>> = paths.iter().map(|path| copy(path)).collect();
                WorkerRequest::Documents(paths?)
            }
            WorkerRequest::Register(path) => WorkerRequest::Register(copy(&path)?),
            WorkerRequest::SpecificationList(path) => {
                WorkerRequest::SpecificationList(copy(&path)?)
            }
            WorkerRequest::Contribution(path, id, title) => {
                WorkerRequest::Contribution(copy(&path)?, id, title)
            }
            WorkerRequest::Definitions(..) => request,
        })
    }
}

fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        let is_running = |id: u32| Path::new("/proc").join(id.to_string()).exists();
        let maker = maker.and_then(|id| id.parse().ok());
        if maker.is_some_and(|id| !is_running(id)) {
            // Folders of other users cannot be removed and stay.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_ended_processes_are_removed_and_others_stay() {
        let parent = tempfile::tempdir().expect("a folder");
        // Process IDs are below 2^22 (proc(5), pid_max).
        let abandoned = parent.path().join(format!("{PREFIX}99999999-a"));
        let used = parent.path().join(format!("{PREFIX}{}-a", std::process::id()));
        let other = parent.path().join("convert-99999999-a");
        for folder in [&abandoned, &used, &other] {
            fs::create_dir(folder).expect("writable");
        }
        remove_abandoned(parent.path());
        assert_eq!([&abandoned, &used, &other].map(|f| f.exists()), [false, true, true]);
    }
}
