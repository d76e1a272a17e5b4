//! Files, functions, types and crates that the documents for developers name exist.

use std::{collections::HashSet, fs};

use regex::Regex;

use super::markdown::{find_files, parse_markdown, read_text, root};

/// Pages that name code: the map, how to change it, its reasons, and the walks next to the code.
const PAGES: [&str; 14] = [
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "crates/accounts/README.md",
    "crates/comparison/README.md",
    "crates/contributions/README.md",
    "crates/minutes/README.md",
    "crates/names/README.md",
    "crates/packing/README.md",
    "crates/picture/README.md",
    "crates/quotation/README.md",
    "docs/design.md",
    "src/mcp/README.md",
    "src/service/watches/README.md",
    "src/ui/README.md",
];
/// Largest size of the map in bytes: what is longer is not read.
const MAX_MAP_BYTES: usize = 16 << 10;

/// Names of all functions and types of the workspace.
fn declared_names() -> (HashSet<String>, HashSet<String>) {
    let function = Regex::new(r"\bfn\s+(\w+)").expect("valid");
    let named_type = Regex::new(r"\b(?:struct|enum|trait|type|union)\s+(\w+)").expect("valid");
    let (mut functions, mut types) = (HashSet::new(), HashSet::new());
    for path in find_files(root(), "rs") {
        let text = fs::read_to_string(&path).expect("readable");
        functions.extend(function.captures_iter(&text).map(|found| found[1].to_owned()));
        types.extend(named_type.captures_iter(&text).map(|found| found[1].to_owned()));
    }
    (functions, types)
}

#[test]
fn the_map_is_short() {
    let bytes = read_text("ARCHITECTURE.md").len();
    assert!(bytes <= MAX_MAP_BYTES, "ARCHITECTURE.md has {bytes} bytes");
}

#[test]
fn files_functions_and_types_that_are_named_exist() {
    let path = Regex::new(r"^\.?[\w-]+(/[\w.-]+)+/?$").expect("valid");
    let bare_file = Regex::new(r"^[\w-]+\.rs$").expect("valid");
    let function = Regex::new(r"^(?:\w+::)*(\w+)\(\)$").expect("valid");
    let camel_case = Regex::new(r"^[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+$").expect("valid");
    let (functions, types) = declared_names();
    let mut stale = Vec::new();
    for page in PAGES {
        for span in parse_markdown(&read_text(page)).code_spans {
            let top = span.split('/').next().unwrap_or_default();
            // What is below `target` is there after a run.
            let is_path = path.is_match(&span) && top != "target" && root().join(top).exists();
            let is_known = if is_path {
                root().join(&span).exists()
            } else if bare_file.is_match(&span) {
                // A path from the root can be checked, and clicked.
                false
            } else if let Some(found) = function.captures(&span) {
                let owners = span.rsplit_once("::").map_or("", |(owners, _)| owners);
                let mut owners = owners.split("::").filter(|owner| camel_case.is_match(owner));
                functions.contains(&found[1]) && owners.all(|owner| types.contains(owner))
            } else {
                let first = span.split("::").next().unwrap_or_default();
                !camel_case.is_match(first) || types.contains(first)
            };
            if !is_known {
                stale.push(format!("{page} names {span}"));
            }
        }
    }
    assert!(stale.is_empty(), "{}", stale.join("\n"));
}

#[test]
fn functions_and_types_are_in_the_files_that_are_named_for_them() {
    // "`resolve()` in `src/x.rs`" and "`Resolver` (`src/x.rs`)".
    let located =
        Regex::new(r"`(?:\w+::)*(\w+)(?:\(\))?`\s+(?:in\s+|\()`([\w./-]+\.rs)`").expect("valid");
    let mut checked = 0;
    for page in PAGES {
        for found in located.captures_iter(&read_text(page)) {
            let word = Regex::new(&format!(r"\b{}\b", &found[1])).expect("valid");
            let is_there = word.is_match(&read_text(&found[2]));
            assert!(is_there, "{page}: {} is not in {}", &found[1], &found[2]);
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} were found");
}

/// A crate of the workspace: name, description, and the crates it needs.
struct Crate {
    name: String,
    description: String,
    needs: Vec<String>,
}

fn workspace_crates() -> Vec<Crate> {
    let folders = fs::read_dir(root().join("crates")).expect("readable").flatten();
    let folders = folders.map(|entry| entry.path()).chain([root().join("index-format")]);
    let manifests: Vec<toml::Table> = folders
        .filter_map(|folder| fs::read_to_string(folder.join("Cargo.toml")).ok())
        .map(|text| text.parse().expect("a manifest"))
        .collect();
    let name_of = |manifest: &toml::Table| manifest["package"]["name"].as_str().map(str::to_owned);
    let names: HashSet<String> = manifests.iter().filter_map(name_of).collect();
    let crates = manifests.iter().map(|manifest| Crate {
        name: name_of(manifest).expect("a name"),
        description: manifest["package"]["description"].as_str().expect("a text").to_owned(),
        needs: manifest
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .map(|needs| needs.keys().filter(|name| names.contains(*name)).cloned().collect())
            .unwrap_or_default(),
    });
    crates.collect()
}

#[test]
fn the_architecture_lists_the_crates_in_the_order_of_their_layers() {
    let text = read_text("ARCHITECTURE.md");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let row_of = |name: &str| rows.iter().position(|row| row.starts_with(&format!("| `{name}` |")));
    for declared in workspace_crates() {
        let Crate { name, description, needs } = declared;
        let row = row_of(&name).unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {name}"));
        let expected = format!("| `{name}` | {description} |");
        assert!(rows[row].starts_with(&expected), "ARCHITECTURE.md should say: {expected}");
        for needed in needs {
            let above = row_of(&needed).is_some_and(|other| other < row);
            assert!(above, "ARCHITECTURE.md lists {name} above {needed}, which it needs");
        }
    }
}
