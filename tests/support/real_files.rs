//! Where the real files lie.

use std::path::{Path, PathBuf};

/// A folder of the real files (`SPECBOX_REAL`, default `../shared/real`). Where it is absent this
/// says so, and fails in CI.
pub(crate) fn real_files(inside: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real");
    let root = std::env::var_os("SPECBOX_REAL").map_or(default, PathBuf::from);
    let folder = root.join(inside);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "CI has no real files: {}", folder.display());
    eprintln!("!!! NOT RUN: no real files at {}; set SPECBOX_REAL", folder.display());
    None
}
