//! The real program as tests drive it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// The program. Cargo names it to the tests of its package; to those of another package, it names that program beside it.
pub(crate) fn specbox_path() -> PathBuf {
    let named = option_env!("CARGO_BIN_EXE_specbox").or(option_env!("CARGO_BIN_EXE_specbox-eval"));
    Path::new(named.expect("a test of a package with a program")).with_file_name("specbox")
}

/// A specbox command over a data folder.
pub(crate) fn specbox(data_dir: &Path) -> Command {
    let mut command = Command::new(specbox_path());
    command.arg("--data-dir").arg(data_dir).arg("--create");
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Output {
    command.stdin(Stdio::null()).output().expect("the program starts")
}

/// The JSON that a command prints, when it ends well.
pub(crate) fn json(command: &mut Command) -> Value {
    let output = run(command);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    serde_json::from_slice(&output.stdout).expect("JSON on standard output")
}

/// The folder of the sample corpus.
pub(crate) fn sample() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = package.ancestors().map(|folder| folder.join("data/sample/archive"));
    folders.find(|folder| folder.is_dir()).expect("it is part of the repository")
}
