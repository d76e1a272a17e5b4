//! Libraries that parse documents are used where docs/security.md says.

use std::{collections::BTreeMap, collections::BTreeSet, fs};

use regex::Regex;

use crate::{crate_folders, root};

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
