//! What the manifest of every crate says.

use std::{fs, path::Path};

use toml::{Table, Value};

use crate::{crate_folders, relative_path};

/// The manifest of the crate in a folder.
pub(crate) fn read_manifest(folder: &Path) -> Table {
    let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
}

/// The names of what a crate is built with, for any target; tests may use more.
pub(crate) fn dependency_names(manifest: &Table) -> Vec<String> {
    let of_targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let tables = of_targets.filter_map(|(_, target)| target.as_table()).chain([manifest]);
    let sections = tables.flat_map(|table| {
        ["dependencies", "build-dependencies"].map(|key| table.get(key).and_then(Value::as_table))
    });
    sections.flatten().flat_map(|section| section.keys().cloned()).collect()
}

#[test]
fn no_crate_can_be_published_by_accident() {
    let is_closed = |folder: &Path| {
        read_manifest(folder)["package"].get("publish").and_then(Value::as_bool) == Some(false)
    };
    let folders = crate_folders();
    let open: Vec<String> =
        folders.iter().filter(|f| !is_closed(f)).map(|f| relative_path(f)).collect();
    assert!(open.is_empty(), "no `publish = false` in the manifest of {open:?}");
}

#[test]
fn every_crate_says_what_it_is_and_takes_its_lints_from_the_workspace() {
    for folder in crate_folders() {
        let manifest = read_manifest(&folder);
        let name = relative_path(&folder);
        let description = manifest["package"].get("description").and_then(Value::as_str);
        assert!(description.is_some_and(|text| text.len() > 20), "{name} has no description");
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        assert_eq!(lints.and_then(Value::as_bool), Some(true), "{name} has lints of its own");
    }
}
