//! A mirror of the standards body's files: its server, or a folder of the same layout.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use super::{
    listing::Listed,
    server::{Server, ServerSettings},
};

/// Why something could not be had from a mirror.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// There is no such file or folder.
    #[error("there is no '{path}' on the mirror")]
    NotThere {
        /// What was asked for.
        path: String,
    },
    /// The mirror could not be asked, or did not answer as it should.
    #[error("the mirror did not give '{path}': {reason}")]
    Failed {
        /// What was asked for.
        path: String,
        /// What happened.
        reason: String,
    },
    /// The file is larger than what is fetched.
    #[error("'{path}' is larger than {limit} bytes, the most that is fetched")]
    TooLarge {
        /// What was asked for.
        path: String,
        /// The limit.
        limit: u64,
    },
    /// The mirror leads to a host that may not be asked.
    #[error("the mirror leads to '{host}', which mirror.hosts does not name")]
    ForbiddenHost {
        /// The host.
        host: String,
    },
    /// The data folder failed.
    #[error("storing what came from the mirror failed")]
    Io(#[from] io::Error),
}

/// A file of a mirror on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obtained {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was fetched, and may be removed once it is read.
    pub is_copy: bool,
    /// Where it came from: a URL, or a path.
    pub origin: String,
}

/// A mirror. Paths are those below `/ftp/` of the standards body's server, with `/` between folders.
#[derive(Debug)]
pub enum Mirror {
    /// A folder on this machine.
    Folder(PathBuf),
    /// A file server.
    Server(Box<Server>),
}

impl Default for Mirror {
    /// None: a folder that is not there.
    fn default() -> Self {
        Self::Folder(PathBuf::new())
    }
}

impl Mirror {
    /// A folder, or a server where `source` is a URL.
    pub fn new(source: &str, settings: ServerSettings) -> io::Result<Self> {
        if source.contains("://") {
            return Ok(Self::Server(Box::new(Server::new(source, settings)?)));
        }
        Ok(Self::Folder(PathBuf::from(source)))
    }

    /// What the mirror is, for people.
    pub fn name(&self) -> String {
        match self {
            Self::Folder(path) => path.display().to_string(),
            Self::Server(server) => server.name(),
        }
    }

    /// The entries of a folder.
    pub fn list(&self, path: &str) -> Result<Vec<Listed>, MirrorError> {
        match self {
            Self::Folder(root) => list_folder(root, path),
            Self::Server(server) => server.list(path),
        }
    }

    /// A file, fetched into `folder` where the mirror is a server.
    pub fn obtain(&self, path: &str, folder: &Path) -> Result<Obtained, MirrorError> {
        match self {
            Self::Folder(root) => {
                let found = below(root, path)?;
                let is_file = fs::metadata(&found).is_ok_and(|metadata| metadata.is_file());
                if !is_file {
                    return Err(MirrorError::NotThere { path: path.to_owned() });
                }
                let origin = found.display().to_string();
                Ok(Obtained { path: found, is_copy: false, origin })
            }
            Self::Server(server) => server.obtain(path, folder),
        }
    }
}

/// A path below the root of a mirror; never one that leads out of it.
fn below(root: &Path, path: &str) -> Result<PathBuf, MirrorError> {
    let inside = Path::new(path);
    let is_plain = inside.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain {
        return Err(MirrorError::NotThere { path: path.to_owned() });
    }
    // A link that leads out is not followed.
    let root = root.canonicalize().map_err(|_| MirrorError::NotThere { path: path.to_owned() })?;
    let found = resolve(&root, inside);
    let found = found.and_then(|found| found.canonicalize().ok()).filter(|f| f.starts_with(&root));
    found.ok_or_else(|| MirrorError::NotThere { path: path.to_owned() })
}

/// The path as it is written on the disk: the server does not tell capitals from small letters.
fn resolve(root: &Path, inside: &Path) -> Option<PathBuf> {
    let exact = root.join(inside);
    if exact.exists() {
        return Some(exact);
    }
    let mut found = root.to_owned();
    for part in inside.components() {
        let wanted = part.as_os_str().to_string_lossy().to_lowercase();
        let entries = fs::read_dir(&found).ok()?.flatten();
        let mut names = entries.map(|entry| entry.file_name());
        let name = names.find(|name| name.to_string_lossy().to_lowercase() == wanted)?;
        found.push(name);
    }
    Some(found)
}

fn list_folder(root: &Path, path: &str) -> Result<Vec<Listed>, MirrorError> {
    let folder = if path.is_empty() { root.to_owned() } else { below(root, path)? };
    let entries =
        fs::read_dir(folder).map_err(|_| MirrorError::NotThere { path: path.to_owned() })?;
    let mut listed = Vec::new();
    for entry in entries.flatten() {
        let Ok(metadata) = fs::metadata(entry.path()) else { continue };
        let name = entry.file_name().to_string_lossy().into_owned();
        listed.push(Listed { name, is_folder: metadata.is_dir() });
    }
    listed.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_read_below_its_root_alone() {
        let folder = tempfile::tempdir().expect("temporary");
        let docs = folder.path().join("tsg_ran/WG1_RL1/TSGR1_118/Docs");
        fs::create_dir_all(&docs).expect("made");
        fs::write(docs.join("R1-2405790.zip"), b"x").expect("written");
        std::os::unix::fs::symlink("/etc/hostname", docs.join("R1-2405791.zip")).expect("linked");
        let mirror = Mirror::Folder(folder.path().to_owned());
        let path = "tsg_ran/WG1_RL1/TSGR1_118/docs/r1-2405790.ZIP";
        let obtained = mirror.obtain(path, Path::new("/nowhere")).expect("there");
        assert!(!obtained.is_copy && obtained.path.ends_with("R1-2405790.zip"));
        for path in [
            "../etc/passwd",
            "/etc/passwd",
            "tsg_ran/WG1_RL1/TSGR1_118/Docs/R1-2405791.zip",
            "tsg_ran/WG1_RL1/TSGR1_118/Docs",
            "nothing",
            "",
        ] {
            let refused = mirror.obtain(path, Path::new("/nowhere"));
            assert!(matches!(refused, Err(MirrorError::NotThere { .. })), "{path}");
        }
        let listed = mirror.list("tsg_ran/WG1_RL1").expect("there");
        assert_eq!(listed, [Listed { name: "TSGR1_118".to_owned(), is_folder: true }]);
    }
}
