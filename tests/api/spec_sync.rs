//! New versions of specifications are fetched from a file server and taken in.

use std::{fs, path::Path, time::Duration};

use libtest_mimic::Trial;

use crate::{
    file_server::file_server,
    own::set,
    program::{json, run, sample, specbox},
    trials::trials,
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![versions_that_the_index_lacks_are_fetched_and_no_others]
}

fn copy_version(root: &Path, file: &str) {
    let target = root.join("Specs/archive").join(file);
    fs::create_dir_all(target.parent().expect("a folder")).expect("made");
    fs::copy(sample().join(file), target).expect("copied");
}

fn versions_that_the_index_lacks_are_fetched_and_no_others() {
    let (root, data) = (tempfile::tempdir().expect("made"), tempfile::tempdir().expect("made"));
    for file in ["38990-h20.zip", "38990-i00.zip", "38990-i10.zip"] {
        copy_version(root.path(), &format!("38_series/38.990/{file}"));
    }
    copy_version(root.path(), "23_series/23.990/23990-i00.zip");
    let (base, counts) = file_server(root.path().to_owned(), Duration::ZERO);
    run(specbox(data.path()).arg("verify"));
    let settings = format!("source = \"{base}\"\nrequests_per_second = 200.0");
    set(data.path(), "mirror", &settings);
    let sync = |arguments: &[&str]| {
        let mut command = specbox(data.path());
        json(command.args(["sync", "specs", "--no-vectors"]).args(arguments))
    };
    let newest = sync(&["--number", "38.990", "--release", "18", "--newest"]);
    assert_eq!((&newest["fetched"], &newest["taken"]), (&1.into(), &1.into()), "{newest:#}");
    // What fails is told, and keeps nothing else from being taken.
    let damaged = root.path().join("Specs/archive/38_series/38.990/38990-h20.zip");
    fs::write(&damaged, "no archive").expect("written");
    let mut command = specbox(data.path());
    let output = run(command.args(["sync", "specs", "--no-vectors", "--series", "38,23"]));
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(
        (&all["known"], &all["taken"], &all["refused_count"]),
        (&1.into(), &2.into(), &1.into()),
        "{all:#}"
    );
    assert!(!output.status.success(), "a file was refused");
    let fetched: Vec<(String, usize)> = counts
        .lock()
        .expect("not poisoned")
        .iter()
        .filter(|(path, _)| path.ends_with(".zip"))
        .map(|(path, count)| (path.rsplit('/').next().unwrap_or_default().to_owned(), *count))
        .collect();
    let once = ["23990-i00.zip", "38990-h20.zip", "38990-i00.zip", "38990-i10.zip"];
    assert_eq!(fetched, once.map(|name| (name.to_owned(), 1)));
    let inbox = data.path().join("inbox/specs");
    assert_eq!(fs::read_dir(inbox).expect("there").count(), 0, "nothing is left");
    let mistyped = run(specbox(data.path()).args(["sync", "specs", "--series", "77"]));
    assert!(!mistyped.status.success());
}
