//! What every source file has, where `unsafe` is allowed, and what lies at the top of the repository.

use std::{
    fs,
    path::{Path, PathBuf},
};

use code_metrics::{MAX_FILE_LINES, rust_files};

use crate::{crate_folders, read_code, relative_path, root, source_files};

/// Where `unsafe` is allowed; each says why it is needed.
const UNSAFE_HOMES: [&str; 4] = [
    "crates/cpu-encoder/src/kernels",
    "index-format/src/kernels",
    "index-format/src/mapped.rs",
    "src/allocator.rs",
];

/// What lies at the top of the repository, and what tools put there that git ignores.
const TOP_LEVEL: [&str; 32] = [
    ".ci",
    ".dockerignore",
    ".editorconfig",
    ".git",
    ".github",
    ".gitignore",
    ".venv",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "benches",
    "clients",
    "clippy.toml",
    "crates",
    "data",
    "deny.toml",
    "docs",
    "evaluation",
    "fuzz",
    "index-format",
    "justfile",
    "packaging",
    "rust-toolchain.toml",
    "rustfmt.toml",
    "scripts",
    "src",
    "target",
    "tests",
];

fn all_rust_files() -> Vec<PathBuf> {
    let folders =
        ["src", "crates", "evaluation", "index-format", "tests", "benches", "fuzz", "scripts"];
    folders.iter().flat_map(|folder| rust_files(&root().join(folder))).collect()
}

#[test]
fn no_file_is_too_long_to_read() {
    let files = all_rust_files();
    let lengths = files
        .iter()
        .map(|path| (path, fs::read_to_string(path).expect("readable").lines().count()));
    let long: Vec<String> = lengths
        .filter(|(_, lines)| *lines > MAX_FILE_LINES)
        .map(|(path, lines)| format!("{} has {lines} lines", relative_path(path)))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_file_says_what_it_is() {
    let says_nothing =
        |path: &PathBuf| !fs::read_to_string(path).expect("readable").starts_with("//!");
    let silent: Vec<String> = all_rust_files()
        .iter()
        .filter(|path| says_nothing(path))
        .map(|p| relative_path(p))
        .collect();
    assert!(silent.is_empty(), "no module comment in {silent:#?}");
}

#[test]
fn no_filter_ignores_its_value() {
    let files = source_files().into_iter().filter(|path| read_code(path).contains("filter(|_|"));
    let strays: Vec<String> = files.map(|path| relative_path(&path)).collect();
    assert!(strays.is_empty(), "write a condition in {strays:#?}");
}

fn holds_unsafe_code(path: &Path) -> bool {
    let code = read_code(path);
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern", "unsafe("]
        .iter()
        .any(|form| code.contains(form))
}

#[test]
fn unsafe_code_stays_in_the_named_modules() {
    let is_home = |path: &str| UNSAFE_HOMES.iter().any(|home| path.starts_with(home));
    let unsafe_files = source_files().into_iter().filter(|path| holds_unsafe_code(path));
    let strays: Vec<String> =
        unsafe_files.map(|path| relative_path(&path)).filter(|path| !is_home(path)).collect();
    assert!(strays.is_empty(), "unsafe code in {strays:#?}");
}

/// A library forbids what it does not need: then no later change brings it in unseen.
#[test]
fn libraries_without_unsafe_code_forbid_it() {
    let mut lax = Vec::new();
    // Programs are crates of their own, and have the allocator.
    let libraries = crate_folders().into_iter().map(|folder| folder.join("src/lib.rs"));
    for library in libraries.filter(|library| library.is_file()) {
        let files = rust_files(library.parent().expect("it is in a folder"));
        let is_needed =
            files.iter().any(|path| !path.ends_with("src/allocator.rs") && holds_unsafe_code(path));
        if !is_needed && !read_code(&library).contains("#![forbid(unsafe_code)]") {
            lax.push(relative_path(&library));
        }
    }
    assert!(lax.is_empty(), "no `#![forbid(unsafe_code)]` in {lax:#?}");
}

#[test]
fn the_top_of_the_repository_holds_nothing_else() {
    let entries = fs::read_dir(root()).expect("readable").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let strays: Vec<String> = names.filter(|name| !TOP_LEVEL.contains(&name.as_str())).collect();
    assert!(strays.is_empty(), "{strays:?} lie at the top of the repository");
}
