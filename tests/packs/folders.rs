//! Folders listed and copied.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// All files below a folder, in their order.
pub(crate) fn list_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        if entry.path().is_dir() {
            files.extend(list_files(&entry.path()))
        } else {
            files.push(entry.path())
        }
    }
    files.sort();
    files
}

/// Copies a folder with all below it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for path in list_files(from) {
        let target = to.join(path.strip_prefix(from).expect("below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("made");
        fs::copy(&path, &target).expect("copied");
    }
}
