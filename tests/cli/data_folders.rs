//! A misspelt data folder is an error, and no index is created in it unless that is asked for.

use std::{
    path::Path,
    process::{Command, Output},
};

use libtest_mimic::Trial;

use crate::{
    installed_models::models_installed,
    program::{run, sample},
    trials::{TestResult, trials},
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![
        commands_that_read_name_the_missing_folder,
        an_index_is_not_created_in_a_folder_that_does_not_exist,
        create_and_the_environment_begin_an_index,
        a_folder_without_an_index_is_told,
    ]
}

/// The program without the arguments that other tests have.
fn specbox(arguments: &[&str], path: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox"));
    run(command.arg("--data-dir").arg(path).args(arguments))
}

fn commands_that_read_name_the_missing_folder() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let missing = folder.path().join("mispelt");
    let commands: [&[&str]; 9] = [
        &["search", "x"],
        &["read", "38.331", "5"],
        &["status"],
        &["call", "health"],
        &["compare", "38.331"],
        &["user", "list"],
        &["models", "list"],
        &["verify"],
        &["remove", "38.331", "18.0.0"],
    ];
    for command in commands {
        let output = specbox(command, &missing);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        let words = format!("data folder {} does not exist; correct --data-dir", missing.display());
        assert!(said.contains(&words), "{command:?}: {said}");
        assert!(output.stdout.is_empty() && !missing.exists(), "{command:?}");
    }
}

fn an_index_is_not_created_in_a_folder_that_does_not_exist() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let missing = folder.path().join("mispelt");
    let archive = sample();
    let archive = archive.to_str().expect("UTF-8");
    let commands: [&[&str]; 4] = [
        &["ingest", archive],
        &["serve", "--listen", "127.0.0.1:0"],
        &["tdocs", "import", archive],
        &["key", "create"],
    ];
    for command in commands {
        let output = specbox(command, &missing);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}");
        assert!(said.contains("add --create to create a new index there"), "{command:?}: {said}");
        assert!(!missing.exists(), "{command:?}");
    }
}

fn create_and_the_environment_begin_an_index() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let archive = sample().join("33_series");
    let archive = archive.to_str().expect("UTF-8");
    let new = folder.path().join("new");
    let output = specbox(&["ingest", "--no-vectors", "--create", archive], &new);
    assert!(output.status.success() && new.exists());
    let named = folder.path().join("named");
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox"));
    command.args(["ingest", "--no-vectors", archive]).env("SPECBOX_DATA_DIR", &named);
    assert!(run(&mut command).status.success() && named.exists());
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox"));
    command.args(["ingest", "--no-vectors", archive]).env("XDG_DATA_HOME", folder.path());
    assert!(run(&mut command).status.success() && folder.path().join("specbox").exists());
    Ok(())
}

fn a_folder_without_an_index_is_told() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let output = specbox(&["search", "x"], folder.path());
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("there is no index in ") && said.contains("specbox ingest PATH"),
        "{said}"
    );
    let entries = folder.path().read_dir().expect("readable").count();
    assert_eq!(entries, 0, "the folder is as it was");
}
