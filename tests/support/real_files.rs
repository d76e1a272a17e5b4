//! Where the real files are.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::trials::{Missing, is_quick_run};

/// A folder of the real files (`SPECBOX_REAL`, default `../shared/real`).
pub(crate) fn real_files(inside: &str) -> Result<PathBuf, Missing> {
    find_folder("SPECBOX_REAL", "../shared/real", inside)
}

/// A folder below the one that an environment variable names.
pub(crate) fn find_folder(variable: &str, default: &str, inside: &str) -> Result<PathBuf, Missing> {
    if is_quick_run() {
        return Err("quick run".into());
    }
    let root = env::var_os(variable).map_or_else(|| workspace().join(default), PathBuf::from);
    let folder = root.join(inside);
    if folder.is_dir() {
        return Ok(folder);
    }
    Err(format!("no real files in {}: set {variable}", folder.display()).into())
}

/// The folder with the lock file, of whichever crate the test is.
fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("a workspace")
}
