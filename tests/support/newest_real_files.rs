//! Where the third round of real files is: a folder of its own, so that counts over the others stay true.

use std::path::PathBuf;

use crate::{real_files::find_folder, trials::Missing};

/// A folder of these files (`SPECBOX_REAL3`, default `../shared/real3`).
pub(crate) fn newest_real_files(inside: &str) -> Result<PathBuf, Missing> {
    find_folder("SPECBOX_REAL3", "../shared/real3", inside)
}
