//! Modules of `src` stand in an order: each uses only those of lower layers.

use code_metrics::rust_files;

use crate::{module_of, read_code, relative_path, root};

/// Modules and their layers.
const LAYERS: [(&str, u32); 8] = [
    ("company_sign_in", 0),
    ("jobs", 0),
    ("service", 1),
    ("control", 2),
    ("http", 2),
    ("mcp", 3),
    ("ui", 4),
    ("cli", 5),
];

fn layer(module: &str) -> Option<u32> {
    LAYERS.iter().find(|(name, _)| *name == module).map(|(_, layer)| *layer)
}

#[test]
fn no_module_uses_one_of_its_own_or_a_higher_layer() {
    let mut upward = Vec::new();
    for path in rust_files(&root().join("src")) {
        let Some(module) = module_of(&path) else { continue };
        let own = layer(&module).unwrap_or_else(|| panic!("{module} has no layer"));
        for used in used_modules(&read_code(&path)) {
            let is_allowed = used == module || layer(&used).is_none_or(|other| other < own);
            if !is_allowed {
                upward.push(format!("{} uses {used}", relative_path(&path)));
            }
        }
    }
    assert!(upward.is_empty(), "{}", upward.join("\n"));
}

/// Modules of the crate that a file names, in `crate::x` paths and in `crate::{a, b}` groups.
fn used_modules(code: &str) -> Vec<String> {
    let first_word = |text: &str| -> String {
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let mut used = Vec::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => used.push(first_word(rest)),
            Some(group) => used.extend(top_level_items(group).iter().map(|item| first_word(item))),
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

#[test]
fn the_reader_of_use_lines_sees_groups_and_paths() {
    let code = "use crate::{jobs::{Fetch, Sync}, service::Service};\nfn f() { crate::http::x() }";
    assert_eq!(used_modules(code), ["jobs", "service", "http"]);
}
