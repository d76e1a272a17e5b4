//! The shape of the program as a test: layers, engine crates, file sizes, words.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Modules and their layers; a module uses only modules of lower layers. Edges of the same layer
/// that share work are named below.
const LAYERS: [(&str, u32); 6] =
    [("service", 3), ("control", 4), ("http", 4), ("mcp", 5), ("ui", 6), ("cli", 7)];

/// Crates that only some modules of the program may know; those without a module belong to the crates
/// that the program is made of.
const ENGINES: [(&str, &[&str]); 19] = [
    ("redb", &[]),
    ("tantivy", &[]),
    ("index_format", &[]),
    ("cpu_encoder", &[]),
    ("candle_core", &[]),
    ("candle_nn", &[]),
    ("candle_transformers", &[]),
    ("tokenizers", &[]),
    ("hf_hub", &[]),
    ("axum", &["http", "mcp", "ui"]),
    ("axum_server", &["http"]),
    ("rustls", &["http"]),
    ("tokio", &["http", "cli"]),
    ("maud", &["ui", "cli"]),
    ("argon2", &[]),
    ("metrics_exporter_prometheus", &["http"]),
    ("serde_saphyr", &[]),
    ("rmcp", &["mcp"]),
    ("ureq", &["mcp"]),
];

/// Longest file; 400 lines are the habit.
const MAX_LINES: usize = 500;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The module a file of `src` belongs to; none for `lib.rs` and `main.rs`.
fn module_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix(root().join("src")).ok()?;
    let mut parts = inside.components();
    let first = parts.next()?.as_os_str().to_str()?.to_owned();
    parts.next().map(|_| first)
}

/// The code of a file without comments.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("readable");
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Modules of this crate that a file names, in `crate::x` paths and in `crate::{a, b}` groups.
fn used_modules(code: &str) -> Vec<String> {
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => used.push(word(rest)),
            Some(group) => used.extend(top_level_items(group).iter().map(|item| word(item))),
        }
    }
    used
}

/// The items of a `use` group, without what is nested in them.
fn top_level_items(group: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut depth = 0;
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(String::new()),
            _ if depth == 0 => items.last_mut().expect("never empty").push(c),
            _ => {}
        }
    }
    items
}

fn layer(module: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

#[test]
fn no_module_uses_one_of_its_own_or_a_higher_layer() {
    let mut upward = Vec::new();
    for path in rust_files(&root().join("src")) {
        let Some(module) = module_of(&path) else { continue };
        let own = layer(&module).unwrap_or_else(|| panic!("{module} has no layer"));
        for used in used_modules(&code(&path)) {
            let allowed = used == module || layer(&used).is_none_or(|other| other < own);
            if !allowed {
                upward.push(format!("{} uses {used}", path.display()));
            }
        }
    }
    assert!(upward.is_empty(), "{}", upward.join("\n"));
}

#[test]
fn engine_crates_stay_in_their_modules() {
    let mut strays = Vec::new();
    for path in rust_files(&root().join("src")) {
        let module = module_of(&path).unwrap_or_default();
        let code = code(&path);
        for (engine, homes) in ENGINES {
            let names = [format!("{engine}::"), format!("use {engine};")];
            let named = names.iter().any(|name| {
                code.match_indices(name.as_str()).any(|(at, _)| {
                    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':')
                })
            });
            if named && !homes.contains(&module.as_str()) {
                strays.push(format!("{} names {engine}", path.display()));
            }
        }
    }
    assert!(strays.is_empty(), "{}", strays.join("\n"));
}

#[test]
fn no_file_is_too_long_to_read() {
    let folders =
        ["src", "tests", "benches", "index-format", "crates"].map(|name| root().join(name));
    let files = folders.iter().filter(|folder| folder.exists()).flat_map(|f| rust_files(f));
    let long: Vec<String> = files
        .filter_map(|path| {
            let lines = fs::read_to_string(&path).expect("readable").lines().count();
            (lines > MAX_LINES).then(|| format!("{} has {lines} lines", path.display()))
        })
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_module_says_what_it_is() {
    for path in rust_files(&root().join("src")) {
        let text = fs::read_to_string(&path).expect("readable");
        assert!(text.starts_with("//!"), "{} has no module comment", path.display());
    }
}

#[test]
fn unsafe_code_stays_in_the_named_modules() {
    const NAMED: [&str; 4] = [
        "crates/cpu-encoder/src/kernels",
        "index-format/src/kernels",
        "index-format/src/mapped.rs",
        "src/main.rs",
    ];
    let crates = fs::read_dir(root().join("crates")).expect("readable").flatten();
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.path().join("src")).collect();
    folders.extend(["src", "index-format/src"].map(|name| root().join(name)));
    for path in folders.iter().flat_map(|folder| rust_files(folder)) {
        let inside = path.strip_prefix(root()).expect("inside").to_string_lossy().into_owned();
        let named = NAMED.iter().any(|module| inside.starts_with(module));
        let code = code(&path);
        let unsafe_code = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe("]
            .iter()
            .any(|form| code.contains(form));
        assert!(named || !unsafe_code, "{inside} holds unsafe code");
    }
}

#[test]
fn the_reader_of_use_lines_sees_groups_and_paths() {
    let code = "use crate::{access::{Caller, Key}, store::Store};\nfn f() { crate::wire::x() }";
    assert_eq!(used_modules(code), ["access", "store", "wire"]);
}
