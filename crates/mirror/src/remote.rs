//! A mirror of 3GPP's files: its server, or a folder of the same layout.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    time::SystemTime,
};

use super::{
    error::MirrorError,
    listing::ListingEntry,
    mirror_file::MirrorFile,
    server::{FileServer, FileServerSettings},
};

/// A mirror. Paths are those below `/ftp/` of the 3GPP server, with `/` between folders.
#[derive(Debug, Default)]
pub enum Mirror {
    /// No mirror: it has no file and no folder.
    #[default]
    None,
    /// A folder on this machine.
    Folder(PathBuf),
    /// A file server.
    Server(Box<FileServer>),
}

impl Mirror {
    /// A folder, or a server if `source` is a URL.
    pub fn new(source: &str, settings: FileServerSettings) -> io::Result<Self> {
        if source.contains("://") {
            return Ok(Self::Server(Box::new(FileServer::new(source, settings)?)));
        }
        Ok(Self::Folder(PathBuf::from(source)))
    }

    /// The name of the mirror in messages.
    pub fn name(&self) -> String {
        match self {
            Self::None => String::from("no mirror"),
            Self::Folder(path) => path.display().to_string(),
            Self::Server(server) => server.name(),
        }
    }

    /// The entries of a folder.
    pub fn list_folder(&self, path: &str) -> Result<Vec<ListingEntry>, MirrorError> {
        match self {
            Self::None => Err(MirrorError::NotFound { path: path.to_owned() }),
            Self::Folder(root) => list_local_folder(root, path),
            Self::Server(server) => server.list_folder(path),
        }
    }

    /// A file, fetched into `folder` if the mirror is a server.
    pub fn fetch_file(&self, path: &str, folder: &Path) -> Result<MirrorFile, MirrorError> {
        match self {
            Self::None => Err(MirrorError::NotFound { path: path.to_owned() }),
            Self::Folder(root) => {
                let file = resolve_below(root, path)?;
                let is_file = fs::metadata(&file).is_ok_and(|metadata| metadata.is_file());
                if !is_file {
                    return Err(MirrorError::NotFound { path: path.to_owned() });
                }
                let origin = file.display().to_string();
                Ok(MirrorFile { path: file, is_copy: false, origin })
            }
            Self::Server(server) => server.fetch_file(path, folder),
        }
    }
}

/// A path below the root of a mirror; never one that leads out of it.
fn resolve_below(root: &Path, path: &str) -> Result<PathBuf, MirrorError> {
    let inside = Path::new(path);
    let is_plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return Err(MirrorError::NotFound { path: path.to_owned() });
    }
    // A symbolic link that leads out of the root is rejected: paths come from registers and pages of other servers.
    let root = root.canonicalize().map_err(|_| MirrorError::NotFound { path: path.to_owned() })?;
    let resolved = resolve_ignoring_case(&root, inside);
    let resolved =
        resolved.and_then(|path| path.canonicalize().ok()).filter(|f| f.starts_with(&root));
    resolved.ok_or_else(|| MirrorError::NotFound { path: path.to_owned() })
}

/// The path as it is spelled on the disk: the server's file names are case-insensitive, so links may differ in case.
fn resolve_ignoring_case(root: &Path, inside: &Path) -> Option<PathBuf> {
    let exact = root.join(inside);
    if exact.exists() {
        return Some(exact);
    }
    let mut resolved = root.to_owned();
    for part in inside.components() {
        let lowercase = part.as_os_str().to_string_lossy().to_lowercase();
        let entries = fs::read_dir(&resolved).ok()?.flatten();
        let mut names = entries.map(|entry| entry.file_name());
        let name = names.find(|name| name.to_string_lossy().to_lowercase() == lowercase)?;
        resolved.push(name);
    }
    Some(resolved)
}

fn list_local_folder(root: &Path, path: &str) -> Result<Vec<ListingEntry>, MirrorError> {
    let folder = if path.is_empty() { root.to_owned() } else { resolve_below(root, path)? };
    let entries =
        fs::read_dir(folder).map_err(|_| MirrorError::NotFound { path: path.to_owned() })?;
    let mut listed = Vec::new();
    for entry in entries.flatten() {
        let Ok(metadata) = fs::metadata(entry.path()) else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        let modified = metadata.modified().ok().and_then(format_date);
        listed.push(ListingEntry { name, is_folder: metadata.is_dir(), modified });
    }
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(listed)
}

/// The day of a time, in UTC. A copy of the server keeps the dates of its files; other folders have those of copying.
fn format_date(time: SystemTime) -> Option<String> {
    let time = jiff::Timestamp::try_from(time).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).date().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_only_below_its_root() {
        let folder = tempfile::tempdir().expect("temporary");
        let docs = folder.path().join("tsg_ran/WG1_RL1/TSGR1_118/Docs");
        fs::create_dir_all(&docs).expect("made");
        fs::write(docs.join("R1-2405790.zip"), b"x").expect("written");
        std::os::unix::fs::symlink("/etc/hostname", docs.join("R1-2405791.zip")).expect("linked");
        let mirror = Mirror::Folder(folder.path().to_owned());
        let path = "tsg_ran/WG1_RL1/TSGR1_118/docs/r1-2405790.ZIP";
        let obtained = mirror.fetch_file(path, Path::new("/nowhere")).expect("there");
        assert!(!obtained.is_copy && obtained.path.ends_with("R1-2405790.zip"));
        for path in [
            "../etc/passwd",
            "/etc/passwd",
            "tsg_ran/WG1_RL1/TSGR1_118/Docs/R1-2405791.zip",
            "tsg_ran/WG1_RL1/TSGR1_118/Docs",
            "nothing",
            "",
        ] {
            let refused = mirror.fetch_file(path, Path::new("/nowhere"));
            assert!(matches!(refused, Err(MirrorError::NotFound { .. })), "{path}");
        }
        let listed = mirror.list_folder("tsg_ran/WG1_RL1").expect("there");
        assert_eq!((listed[0].name.as_str(), listed[0].is_folder), ("TSGR1_118", true));
        assert_eq!((listed.len(), listed[0].modified.as_ref().map(String::len)), (1, Some(10)));
    }
}
