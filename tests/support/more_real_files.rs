//! Where the second round of real files is: a folder of its own, so that counts over the first one stay true.

use std::path::PathBuf;

use crate::{real_files::find_folder, trials::Missing};

/// A folder of these files (`SPECBOX_REAL2`, default `../shared/real2`).
pub(crate) fn more_real_files(inside: &str) -> Result<PathBuf, Missing> {
    find_folder("SPECBOX_REAL2", "../shared/real2", inside)
}
