//! A file that a mirror returns.

use std::path::PathBuf;

/// A file of a mirror, available on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorFile {
    /// Its path on this machine.
    pub path: PathBuf,
    /// Whether it was downloaded, so that it may be removed once it is read.
    pub is_copy: bool,
    /// Where it came from: a URL, or a path.
    pub origin: String,
}
