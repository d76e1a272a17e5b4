//! The shape of the program as a test, as far as Cargo does not keep it.
//!
//! Cargo keeps the order of the crates. Kept here: the order of the modules inside `src`, external engines in their
//! crates, what every file and manifest has, and the counts of `scripts/code-metrics`.

mod durability;
mod engines;
mod files;
mod manifests;
mod metrics;
mod modules;
mod parsers;

use std::{
    fs,
    path::{Path, PathBuf},
};

use code_metrics::rust_files;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A path as it is written in this repository.
fn relative_path(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// The folders of all crates of the workspace, the program's first.
fn crate_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).expect("readable");
    let mut folders: Vec<PathBuf> = crates.flatten().map(|entry| entry.path()).collect();
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    let others =
        ["", "evaluation", "index-format", "scripts/code-metrics"].map(|name| root().join(name));
    others.into_iter().chain(folders).collect()
}

/// The sources of the program and its crates, without their tests.
fn source_files() -> Vec<PathBuf> {
    crate_folders().iter().flat_map(|folder| rust_files(&folder.join("src"))).collect()
}

/// The code of a file without comments.
fn read_code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("readable");
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The module of `src` that a file is in; none for `lib.rs` and `main.rs`.
fn module_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root().join("src")).ok()?;
    let mut parts = inside.components();
    let first = parts.next()?.as_os_str().to_str()?.to_owned();
    parts.next().map(|_| first)
}
