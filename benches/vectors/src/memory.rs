//! Memory of this process, and files that are in none.

use std::fs;
use std::fs::File;
use std::io;
use std::path::Path;

use rustix::fs::Advice;

/// Bytes of anonymous memory, and of all resident memory.
pub fn memory_bytes() -> (u64, u64) {
    let status = process_status();
    (status_field(&status, "RssAnon:"), status_field(&status, "VmRSS:"))
}

/// The most bytes that were resident at once, mapped files included.
pub fn peak_resident_bytes() -> u64 {
    status_field(&process_status(), "VmHWM:")
}

fn process_status() -> String {
    fs::read_to_string("/proc/self/status").unwrap_or_default()
}

fn status_field(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// Takes the files of a folder out of the page cache.
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
pub fn file_bytes(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        bytes += if kind.is_dir() { file_bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}
