//! A file that a mirror returns.

use std::path::PathBuf;

/// A file of a mirror on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorFile {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it was fetched, and may be removed once it is read.
    pub is_copy: bool,
    /// Where it came from: a URL, or a path.
    pub origin: String,
}
