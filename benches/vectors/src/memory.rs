//! Memory of this process, size of folders, and their eviction from the page cache.

use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::Advice;

/// Memory of this process at one moment.
pub struct ProcessMemory {
    /// Bytes of anonymous memory, which is part of no file.
    pub anonymous_bytes: u64,
    /// Bytes of all resident memory, mapped files included.
    pub resident_bytes: u64,
}

/// Memory of this process now.
pub fn process_memory() -> ProcessMemory {
    let status = process_status();
    ProcessMemory {
        anonymous_bytes: status_field(&status, "RssAnon:"),
        resident_bytes: status_field(&status, "VmRSS:"),
    }
}

/// Peak resident memory in bytes, mapped files included.
pub fn peak_resident_bytes() -> u64 {
    status_field(&process_status(), "VmHWM:")
}

fn process_status() -> String {
    fs::read_to_string("/proc/self/status").expect("/proc/self/status")
}

fn status_field(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or_else(|| panic!("no field {name} in /proc/self/status")) * 1024
}

/// Evicts the files of a folder from the page cache.
pub fn evict_folder(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            evict_folder(&path)?;
            continue;
        }
        let file = File::open(&path)?;
        file.sync_all()?;
        rustix::fs::fadvise(&file, 0, None, Advice::DontNeed)?;
    }
    Ok(())
}

/// Bytes of the files in a folder and below.
pub fn folder_size_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        let size =
            if kind.is_dir() { folder_size_bytes(&entry.path())? } else { entry.metadata()?.len() };
        bytes += size;
    }
    Ok(bytes)
}
