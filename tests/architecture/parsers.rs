//! Libraries that parse documents are used where docs/security.md says.

use std::{collections::BTreeMap, collections::BTreeSet, fs};

use regex::Regex;

use crate::{crate_folders, read_code, relative_path, root, source_files};

/// Libraries that parse files, whether the program uses them or not: one that is added must be listed with where it runs.
const PARSERS: [&str; 30] = [
    "calamine",
    "cfb",
    "csv",
    "docx-rs",
    "encoding_rs",
    "html5ever",
    "image",
    "infer",
    "kuchiki",
    "lopdf",
    "mail-parser",
    "pdf",
    "pdf-extract",
    "png",
    "quick-xml",
    "resvg",
    "roxmltree",
    "rtf-parser",
    "saphyr",
    "saphyr-parser",
    "scraper",
    "serde_yaml",
    "sevenz-rust",
    "svg",
    "tiff",
    "unrar",
    "usvg",
    "xml-rs",
    "yaml-rust2",
    "zip",
];

/// The crates that depend on each parser, their tests left out.
fn users_of_parsers() -> BTreeMap<String, BTreeSet<String>> {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for folder in crate_folders() {
        let text = fs::read_to_string(folder.join("Cargo.toml")).expect("readable");
        let manifest: toml::Table = text.parse().expect("TOML");
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        for parser in manifest
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .into_iter()
            .flat_map(toml::Table::keys)
        {
            if PARSERS.contains(&parser.as_str()) {
                users.entry(parser.clone()).or_default().insert(name.clone());
            }
        }
    }
    users
}

/// What reads the texts of documents for something that is looked up later, with the crate that has it.
const DERIVING: [(&str, &str); 9] = [
    ("asn1", "read_notation"),
    ("change_history", "read_history"),
    ("citation", "CitationFinder"),
    ("citation", "ReferenceList"),
    ("definitions", "DocumentDefinitions::read"),
    ("minutes", "read_minutes"),
    ("names", "find_disagreements"),
    ("names", "read_names"),
    ("names", "read_version"),
];
/// What cuts a text into passages: a method.
const CUTTING: &str = ".cut_passages(";
/// The crates that may call it: they run in the worker.
const WORKER_CRATES: [&str; 7] =
    ["asn1", "change-history", "citation", "definitions", "extract", "minutes", "names"];

/// Whether code uses a function of a crate, or calls a method: by its path, or after an import.
fn calls(code: &str, (of, item): (&str, &str)) -> bool {
    let imported = item.split("::").next().unwrap_or(item);
    let import = format!(r"(?s)\buse {of}::[^;]*\b{imported}\b|\b{of}::{imported}\b");
    let found = |pattern: &str| Regex::new(pattern).expect("valid").is_match(code);
    found(&import) && found(&format!(r"\b{item}\b"))
}

#[test]
fn what_is_looked_up_is_derived_in_the_worker() {
    let mut users = BTreeSet::new();
    for path in source_files() {
        let code = read_code(&path);
        let code = code.split("\n#[cfg(test)]").next().unwrap_or_default();
        let is_of = |name: &&str| path.starts_with(root().join("crates").join(name));
        let is_test = path.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name == "tests.rs");
        if !WORKER_CRATES.iter().any(is_of) && !is_test {
            let called = DERIVING.iter().filter(|item| calls(code, **item)).map(|item| item.1);
            let cuts = code.contains(CUTTING).then_some(CUTTING);
            users.extend(called.chain(cuts).map(|item| (relative_path(&path), item)));
        }
    }
    assert_eq!(users, BTreeSet::new(), "they read texts of documents in the server");
    let of_worker = read_code(&root().join("crates/definitions/src/lib.rs"));
    assert!(calls(&of_worker, ("names", "read_version")), "it is found where it is");
}

#[test]
fn parsers_of_documents_are_used_only_where_the_documentation_says() {
    let page = fs::read_to_string(root().join("docs/security.md")).expect("readable");
    let table = page.split("Parsers of documents, and where they run:").nth(1).expect("a table");
    let table = table.split("\n\nOther parsers").next().unwrap_or_default();
    let name = Regex::new("`([A-Za-z0-9_-]+)`").expect("valid");
    let names = |cell: &str| -> BTreeSet<String> {
        name.captures_iter(cell).map(|found| found[1].to_owned()).collect()
    };
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for row in table.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').collect();
        for parser in names(cells[1]) {
            listed.entry(parser).or_default().extend(names(cells[2]));
        }
    }
    for (parser, crates) in users_of_parsers() {
        let places = listed.get(&parser).cloned().unwrap_or_default();
        let unlisted: Vec<&String> = crates.difference(&places).collect();
        assert!(
            unlisted.is_empty(),
            "docs/security.md does not say where {parser} runs in {unlisted:?}"
        );
    }
    let unused: Vec<&String> =
        listed.keys().filter(|parser| !users_of_parsers().contains_key(*parser)).collect();
    assert!(unused.is_empty(), "docs/security.md lists parsers that nothing uses: {unused:?}");
}
