//! The work under which faults come: every kind of change of a data folder, by the real program.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::program::{sample, specbox};

/// One step: a run of the program that ends by itself.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    /// The data folder, on the disk under test.
    folder: &'static str,
    pub(crate) arguments: Vec<String>,
}

/// The name of the data folder that most steps work on.
pub(crate) const DATA: &str = "data";

/// Data folders that other steps make.
pub(crate) const OTHER_DATA: [&str; 2] = ["restored", "upgraded"];

/// That folder on the disk under test.
pub(crate) fn data_folder(mount: &Path) -> PathBuf {
    mount.join(DATA)
}

/// The steps, in the order of their run. What is read lies elsewhere; what is written lies on the disk under test.
pub(crate) fn steps(mount: &Path) -> Vec<Step> {
    let step_in = |folder, name, arguments: &[&str]| Step {
        name,
        folder,
        arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
    };
    let step = |name, arguments: &[&str]| step_in(DATA, name, arguments);
    let of_sample = |path: &str| sample().join(path).display().to_string();
    let mirror = sample().with_file_name("mirror");
    let of_mirror = |path: &str| mirror.join(path).display().to_string();
    let minutes =
        of_mirror("tsg_ran/WG1_RL1/TSGR1_190/Report/Final_Minutes_report_RAN1#190_v100.zip");
    let [depot, bundle, tables, key, upgraded] =
        ["depot", "bundle", "tables", "signing-key", "upgraded"]
            .map(|name| mount.join(name).display().to_string());
    vec![
        step("a first document", &["ingest", "--no-vectors", &of_sample("38_series/38.992")]),
        step("an account", &["user", "add", "ann"]),
        step("documents", &["ingest", "--no-vectors", &of_sample("38_series/38.990")]),
        step("a key", &["key", "create", "--name", "first"]),
        step("vectors", &["ingest", &of_sample("29_series")]),
        step("a calendar", &["meetings", "import", &of_mirror("meetings.csv")]),
        step("a register", &["tdocs", "import", &mirror.display().to_string()]),
        step("contributions", &["sync", "tdocs", "--meeting", "R1-190"]),
        step("a removal", &["remove", "38.992", "18.0.0"]),
        step("minutes", &["meetings", "import", &minutes]),
        step("vectors for the rest", &["ingest", &of_sample("38_series")]),
        step("a backup", &["backup", &depot, "--without-accounts"]),
        step("documents again", &["ingest", "--force", &of_sample("38_series/38.990")]),
        step("one file of vectors", &["optimize"]),
        step("another plan", &["user", "plan", "ann", "paid"]),
        step("documents of another series", &["ingest", "--no-vectors", &of_sample("33_series")]),
        step("a second backup", &["backup", &depot, "--without-accounts"]),
        step("an account is refused", &["user", "disable", "ann"]),
        step("a document that was backed up is removed", &["remove", "38.990", "17.2.0"]),
        step("packs", &["pack", "take", "--allow-unsigned", &depot]),
        step("a bundle", &["bundle", "create", &bundle, "--from", &depot, "--allow-unsigned"]),
        step("a document of the bundle is removed", &["remove", "29.990", "18.0.0"]),
        step("the bundle is applied", &["bundle", "apply", &bundle, "--allow-unsigned"]),
        step("a key for signatures", &["keys", "create", &key]),
        step("tables", &["export", "tables", "--out", &tables]),
        step_in("restored", "a restore", &["restore", &depot, "--allow-unsigned"]),
        step("an upgrade", &["upgrade", &upgraded]),
    ]
}

/// The program for a step.
pub(crate) fn command_of(step: &Step, mount: &Path) -> Command {
    let mut command = specbox(&mount.join(step.folder));
    command
        .args(&step.arguments)
        .env("SPECBOX_MIRROR", sample().with_file_name("mirror"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}
