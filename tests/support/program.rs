//! The real program as tests drive it.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;

/// A specbox command over a data folder.
pub(crate) fn specbox(data_dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specbox"));
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample/archive")
}
