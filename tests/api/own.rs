//! Data folders with the sample corpus, made once and copied for each test that changes something.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    client::Client,
    installed_models::models_installed,
    program::{json, sample, specbox},
    server::RunningServer,
    trials::Missing,
};

pub(crate) use crate::configuration::set;

/// A data folder of its own, where the models are installed.
pub(crate) fn data() -> Result<TempDir, Missing> {
    static MADE: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(|| {
        models_installed().map(|()| {
            let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("edge");
            let _ = fs::remove_dir_all(&made);
            json(specbox(&made).arg("ingest").arg(sample()));
            import_meetings(&made);
            made
        })
    });
    let made = MADE.as_ref().map_err(Missing::clone)?;
    let copy = tempfile::tempdir().expect("temporary folder");
    copy_folder(made, copy.path());
    Ok(copy)
}

/// Imports the calendar and the registers of the sample's meeting.
pub(crate) fn import_meetings(data_dir: &Path) {
    let mirror = sample().with_file_name("mirror");
    let calendar = mirror.join("meetings.csv");
    let calendar = json(specbox(data_dir).args(["meetings", "import"]).arg(calendar));
    assert_eq!(calendar["meetings"], 2, "{calendar:#}");
    let registers = json(specbox(data_dir).args(["tdocs", "import"]).arg(mirror));
    assert_eq!(registers["imported"][0]["rows"], 14, "{registers:#}");
}

/// Fetches and reads the documents of that meeting.
pub(crate) fn sync_tdocs(data_dir: &Path) {
    let mirror = sample().with_file_name("mirror");
    let mut sync = specbox(data_dir);
    sync.env("SPECBOX_MIRROR", mirror).args(["sync", "tdocs", "--meeting", "R1-190"]);
    let report = json(&mut sync);
    assert_eq!(report["taken"], 9, "{report:#}");
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("readable").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type().expect("known");
        if kind.is_dir() {
            copy_folder(&path, &target);
        } else if kind.is_file() {
            fs::copy(&path, &target).expect("copied");
        }
    }
}

/// Adds settings to the configuration of a data folder.
pub(crate) fn configure(data: &Path, settings: &str) {
    let path = data.join("specbox.toml");
    let before = fs::read_to_string(&path).expect("there");
    fs::write(&path, format!("{before}\n{settings}\n")).expect("written");
}

/// A key of an account, or of the first operator.
pub(crate) fn key(data: &Path, user: Option<&str>) -> String {
    let mut command = specbox(data);
    command.args(["key", "create", "--name", "test"]);
    if let Some(user) = user {
        command.args(["--user", user]);
    }
    json(&mut command)["key"].as_str().expect("a key").to_owned()
}

/// A new account on the free plan.
pub(crate) fn add_user(data: &Path, name: &str) -> Value {
    json(specbox(data).args(["user", "add", name, "--plan", "free"]))
}

/// A client of a server with a key.
pub(crate) fn client(server: &RunningServer, key: &str) -> Client {
    Client::new(&server.base_url, Some(key), server.authority.as_deref())
}

/// The standard error of a server so far.
pub(crate) fn stderr_text(server: &RunningServer) -> String {
    server.stderr_text.lock().expect("not poisoned").clone()
}

/// Sends a server a signal, such as `TERM`.
pub(crate) fn signal(server: &RunningServer, name: &str) {
    let pid = process_id(server);
    let sent = Command::new("sh").args(["-c", &format!("kill -{name} {pid}")]).status();
    assert!(sent.is_ok_and(|status| status.success()), "the server runs");
}

/// Whether a signal waits to be delivered to the server's process.
pub(crate) fn is_signal_pending(server: &RunningServer) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/status", process_id(server)));
    let status = status.expect("the server runs");
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:"));
    pending.expect("the field ShdPnd").trim().chars().any(|digit| digit != '0')
}

/// The process below the shell.
pub(crate) fn process_id(server: &RunningServer) -> String {
    let shell = server.child.id();
    let children = fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
    let children = children.expect("readable");
    let is_server = |pid: &&str| {
        fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "specbox")
    };
    children.split_whitespace().find(is_server).expect("the server runs").to_owned()
}
