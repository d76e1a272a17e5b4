//! Settings of a data folder.

use std::{fs, path::Path};

/// Sets a setting in a section that the configuration has.
pub(crate) fn set(data: &Path, section: &str, setting: &str) {
    let path = data.join("specbox.toml");
    let before = fs::read_to_string(&path).expect("there");
    let head = format!("[{section}]");
    assert!(before.contains(&head), "{before}");
    fs::write(&path, before.replacen(&head, &format!("{head}\n{setting}"), 1)).expect("written");
}
