//! Files are removed where docs/reliability.md says what proves that they may, and written where they are synced.

use std::collections::BTreeSet;

use regex::Regex;

use crate::{read_code, relative_path, root, source_files};

/// Writers of their own, beside `crates/durable-file`, and why they do not use it.
const WRITERS: [(&str, &str); 21] = [
    ("crates/contributions/src/catalog/saved.rs", "a cache that is built again"),
    ("crates/database-file/src/lib.rs", "a database that gets the identity of a new file"),
    ("crates/extract/src/converter.rs", "the folder of a converter, which goes with it"),
    ("crates/extract/src/worker/sandbox/namespaces.rs", "files of the kernel"),
    ("crates/lexical/src/fingerprints.rs", "a cache that is built again"),
    ("crates/mirror/src/server.rs", "a download, which is fetched again"),
    ("crates/neural/src/added.rs", "a folder from which a model is then installed"),
    ("crates/neural/src/install.rs", "a folder that replaces another one, and is synced"),
    ("crates/pack/src/folder_storage.rs", "several machines write the same object at once"),
    ("crates/store/src/belonging.rs", "a note that each start writes again"),
    ("crates/store/src/current_index.rs", "a failed sync after the rename must not be a failure"),
    (
        "crates/store/src/picture_folder.rs",
        "many pictures are synced with one call for each folder",
    ),
    ("crates/store/src/reading_copy.rs", "a copy that goes when its process ends"),
    ("crates/store/src/vectors/damage.rs", "a note that each start writes again"),
    ("crates/table-export/src/table_file.rs", "all tables are put in place together, and synced"),
    ("evaluation/src", "files that a person asked for by name, and can ask for again"),
    ("index-format/src/pending.rs", "a format that other programs use without this workspace"),
    (
        "src/cli/configuration/file.rs",
        "settings in their first form, which each start writes again",
    ),
    ("src/jobs/fetch/fetcher.rs", "a download that is fetched again"),
    ("src/jobs/uploads.rs", "a stream of bytes; the folder is synced before it is acknowledged"),
    ("src/cli", "files that a person asked for by name, and can ask for again"),
];

/// The code of a file without its tests.
fn code_of(path: &std::path::Path) -> String {
    read_code(path).split("\n#[cfg(test)]").next().unwrap_or_default().to_owned()
}

fn files_with(pattern: &str) -> BTreeSet<String> {
    let pattern = Regex::new(pattern).expect("valid");
    let is_test = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    let found = source_files().into_iter().filter(|path| pattern.is_match(&code_of(path)));
    found.map(|path| relative_path(&path)).filter(|path| !is_test(path)).collect()
}

#[test]
fn files_are_removed_only_where_the_documentation_says_what_proves_that_they_may() {
    let found = files_with(r"\b(remove_file|remove_dir|remove_dir_all)\(");
    let page = std::fs::read_to_string(root().join("docs/reliability.md")).expect("readable");
    let section = page.split("## What removes files").nth(1).expect("a section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let row = Regex::new(r"(?m)^\| `([\w/.-]+\.rs)` \|").expect("valid");
    let listed: BTreeSet<String> =
        row.captures_iter(section).map(|found| found[1].to_owned()).collect();
    let unlisted: Vec<&String> = found.difference(&listed).collect();
    let stale: Vec<&String> = listed.difference(&found).collect();
    assert!(unlisted.is_empty(), "docs/reliability.md does not list {unlisted:?}");
    assert!(stale.is_empty(), "docs/reliability.md lists {stale:?}, which remove nothing");
}

#[test]
fn files_are_written_by_the_crate_that_syncs_them() {
    let found = files_with(r"\b(fs::rename|File::create|File::create_new|fs::write)\(");
    let own = "crates/durable-file/";
    let is_listed = |path: &String| {
        path.starts_with(own) || WRITERS.iter().any(|(home, _)| path.starts_with(home))
    };
    let strays: Vec<&String> = found.iter().filter(|path| !is_listed(path)).collect();
    assert!(strays.is_empty(), "use durable_file in {strays:?}");
    let unused: Vec<&str> = WRITERS
        .iter()
        .map(|(home, _)| *home)
        .filter(|home| !found.iter().any(|path| path.starts_with(home)))
        .collect();
    assert!(unused.is_empty(), "{unused:?} write no files");
}
