//! Counts what the house rules limit, over all Rust files of the workspace.
//!
//! - type names: structs, enums, unions, traits and type aliases at any depth outside `#[cfg(test)]`;
//!   associated types are not counted. The share is distinct names defined more than once, of all
//!   distinct names.
//! - function names: free functions and inherent methods outside `#[cfg(test)]` and `#[test]`;
//!   implementations of traits are not counted, for their names are given.
//! - cycles: strongly connected components of files, by the `crate::` and `super::` paths in them.
//!
//! `code-metrics [--list] FOLDER...` prints the counts, with `--list` the offenders too, and with the
//! variable CODE_METRICS_EDGES set which file imports which.

mod cycles;
mod names;

use std::{
    fs,
    path::{Path, PathBuf},
};

use names::Names;

/// What was asked for on the command line.
struct Arguments {
    list: bool,
    folders: Vec<PathBuf>,
}

fn arguments() -> Arguments {
    let mut folders = Vec::new();
    let mut list = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--list" => list = true,
            other => folders.push(PathBuf::from(other)),
        }
    }
    Arguments { list, folders }
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            let skipped = ["target", "node_modules", "corpus"];
            if !path.file_name().is_some_and(|name| skipped.iter().any(|s| name == *s)) {
                rust_files(&path, files);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn main() {
    let arguments = arguments();
    let mut files = Vec::new();
    for folder in &arguments.folders {
        rust_files(folder, &mut files);
    }
    files.sort();
    let mut names = Names::default();
    let mut graph = cycles::Graph::default();
    let mut long = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).expect("a source file is readable text");
        let lines = text.lines().count();
        if lines > 400 {
            long.push(format!("{lines} {}", path.display()));
        }
        let file = syn::parse_file(&text).expect("a source file parses");
        names.add_file(path, &file);
        graph.add_file(path, &file);
    }
    names.print(arguments.list);
    println!("files over 400 lines: {} of {}", long.len(), files.len());
    if arguments.list {
        long.iter().for_each(|line| println!("  {line}"));
    }
    graph.print(arguments.list);
}
