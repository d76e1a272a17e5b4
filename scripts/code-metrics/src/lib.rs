//! Counts what the house rules limit, over the Rust files of some folders.
//!
//! - type names: structs, enums, unions, traits and type aliases at any depth outside `#[cfg(test)]`;
//!   associated types are not counted. The share is distinct names defined more than once, of all
//!   distinct names.
//! - function names: free functions and inherent methods outside `#[cfg(test)]` and `#[test]`;
//!   implementations of traits are not counted, for their names are given.
//! - cycles: strongly connected components of files, by the paths in them that begin with `crate`, `super`, `self` or a child module, in
//!   macros too. What a file takes from the face of a folder that it is in does not count.
//! - twins: enums that share 80 % of their variants (3 at least), and structs that share 80 % of their named fields (5 at least),
//!   outside tests.

#![forbid(unsafe_code)]

mod cycles;
mod names;
mod twins;

use std::{
    fs,
    path::{Path, PathBuf},
};

use cycles::Graph;
use names::Names;
use twins::Twins;

/// Longest function.
pub const MAX_FUNCTION_LINES: usize = 80;

/// Longest file.
pub const MAX_FILE_LINES: usize = 400;

/// What was counted, and which names and files are over a limit.
#[derive(Debug, Default)]
pub struct CodeMetrics {
    /// Distinct names of types.
    pub type_count: usize,
    /// Definitions of types.
    pub definition_count: usize,
    /// Names that are defined more than once, with the files that define them.
    pub repeated_types: Vec<(String, Vec<PathBuf>)>,
    /// Functions and methods.
    pub function_count: usize,
    /// Those whose name is one word: name, file and line.
    pub one_word_functions: Vec<String>,
    /// Those over the limit: lines, file, line and name.
    pub long_functions: Vec<String>,
    /// Files that were read.
    pub file_count: usize,
    /// Those over the limit: lines and file.
    pub long_files: Vec<String>,
    /// Circles of files that import each other, longest first.
    pub cycles: Vec<Vec<PathBuf>>,
    /// Pairs of enums with the same variants, and of structs with the same fields, by name.
    pub twins: Vec<(String, String)>,
}

impl CodeMetrics {
    /// Share of the distinct type names that are defined more than once, in percent.
    pub fn repeated_type_percent(&self) -> f64 {
        percent(self.repeated_types.len(), self.type_count)
    }

    /// Share of the functions whose name is one word, in percent.
    pub fn one_word_percent(&self) -> f64 {
        percent(self.one_word_functions.len(), self.function_count)
    }

    /// Definitions whose name is defined more than once.
    pub fn repeated_definition_count(&self) -> usize {
        self.repeated_types.iter().map(|(_, files)| files.len()).sum()
    }
}

/// A part of a whole in percent.
pub fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Reads every Rust file below the folders.
///
/// # Panics
///
/// Where a file is no text or does not parse.
pub fn measure_folders(folders: &[PathBuf]) -> CodeMetrics {
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|folder| rust_files(folder)).collect();
    files.sort();
    let (mut names, mut graph) = (Names::default(), Graph::default());
    let mut twins = Twins::default();
    let mut long_files = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).expect("a source file is readable text");
        let lines = text.lines().count();
        if lines > MAX_FILE_LINES {
            long_files.push(format!("{lines} {}", path.display()));
        }
        let file =
            syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        names.add_file(path, &file);
        graph.add_file(path, &file);
        twins.add_file(path, &file);
    }
    CodeMetrics {
        file_count: files.len(),
        long_files,
        cycles: graph.cycles(),
        twins: twins.into_pairs(),
        ..names.into_metrics()
    }
}

/// The Rust files below a folder, but for what is built or fetched there.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return files };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            let skipped = ["target", "node_modules", "corpus"];
            if !path.file_name().is_some_and(|name| skipped.iter().any(|s| name == *s)) {
                files.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
