//! A memory cgroup for the processes that are measured.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A memory cgroup; it is removed when this value is dropped.
pub(crate) struct MemoryCgroup {
    folder: PathBuf,
}

impl MemoryCgroup {
    /// One of so many GiB; none where it cannot be made, which is reported.
    pub(crate) fn new(gib: u64) -> Option<Self> {
        let name = format!("specbox-scale-all-{}-{gib}", std::process::id());
        let version_1 = Path::new("/sys/fs/cgroup/memory");
        let (folder, limit) = if version_1.is_dir() {
            (version_1.join(name), "memory.limit_in_bytes")
        } else {
            (Path::new("/sys/fs/cgroup").join(name), "memory.max")
        };
        let made = fs::create_dir(&folder)
            .and_then(|()| fs::write(folder.join(limit), (gib << 30).to_string()));
        if let Err(error) = &made {
            eprintln!("no memory cgroup, memory is not limited: {error}");
            let _ = fs::remove_dir(&folder);
        }
        made.ok().map(|()| Self { folder })
    }

    /// A command that runs in it; in none it runs as it is.
    pub(crate) fn command(cgroup: Option<&Self>, program: &Path) -> Command {
        let Some(cgroup) = cgroup else { return Command::new(program) };
        let mut command = Command::new("sh");
        let script = "echo $$ > \"$0\" && exec \"$@\"";
        command.args(["-c", script]).arg(cgroup.folder.join("cgroup.procs")).arg(program);
        command
    }
}

impl Drop for MemoryCgroup {
    fn drop(&mut self) {
        // The processes that were in it have ended.
        let _ = fs::remove_dir(&self.folder);
    }
}
