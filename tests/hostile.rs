//! Hostile files of every kind through the real program: each gets one clear line in the report,
//! and harms nothing else.

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "support/client.rs"]
mod client;
#[path = "support/installed_models.rs"]
mod installed_models;
#[path = "support/program.rs"]
mod program;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "support/server.rs"]
mod server;
#[path = "support/trials.rs"]
mod trials;

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode, Stdio},
};

use client::Client;
use installed_models::models_installed;
use program::{json, sample, specbox};
use serde_json::Value;
use server::RunningServer;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        every_hostile_file_has_its_line_and_the_good_ones_are_taken,
        archives_of_a_grammar_leave_the_server_as_it_is,
    ]])
}

fn make_hostile(folder: &Path) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/make-hostile");
    let made = Command::new(script).arg(folder).stdout(Stdio::null()).status();
    assert!(made.expect("python3 is there").success());
    let index = std::fs::read(folder.join("hostile.json")).expect("the index");
    serde_json::from_slice(&index).expect("JSON")
}

/// The entries of the index: file name and expectation.
fn expectations(index: &Value) -> Vec<(String, String)> {
    let files = index.get("files").unwrap_or(index).as_object().expect("files");
    let expectation = |value: &Value| {
        let word = value.get("expect").or(value.get("expectation")).unwrap_or(value);
        word.as_str().unwrap_or_default().to_owned()
    };
    files.iter().map(|(name, value)| (name.clone(), expectation(value))).collect()
}

fn mentions(list: &Value, name: &str) -> bool {
    list.as_array().expect("a list").iter().any(|entry| entry.to_string().contains(name))
}

fn every_hostile_file_has_its_line_and_the_good_ones_are_taken() -> TestResult {
    models_installed()?;
    let hostile = tempfile::tempdir().expect("temporary folder");
    let index = make_hostile(hostile.path());
    let data = tempfile::tempdir().expect("temporary folder");
    let report = json(
        specbox(data.path())
            .args(["ingest", "--no-vectors"])
            .arg(hostile.path())
            .arg(sample().join("33_series")),
    );
    let expected = expectations(&index);
    assert!(expected.len() >= 20, "the set has every kind");
    for (name, expectation) in expected {
        let taken = mentions(&report["taken"], &name);
        let refused = mentions(&report["refused"], &name) || mentions(&report["skipped"], &name);
        assert!(taken || refused, "{name} is in no list of the report");
        match expectation.as_str() {
            "refused" => assert!(!taken, "{name} was taken"),
            "taken" => assert!(taken, "{name} was not taken: {report:#}"),
            _ => {}
        }
    }
    for refused in report["refused"].as_array().expect("a list") {
        let reason = refused["reason"].as_str().expect("a reason");
        assert!(reason.len() > 10 && !reason.contains('\n'), "{refused}");
        // Other limits catch each file long before the one of time does.
        assert!(!reason.contains("took longer than"), "{refused}");
    }
    assert!(mentions(&report["taken"], "33.990"), "the good file beside them is taken");
    assert_eq!(json(specbox(data.path()).arg("verify"))["faults"], serde_json::json!([]));
    Ok(())
}

/// Archives that the grammar makes, five of each kind; `SPECBOX_HOSTILE_ARCHIVES` sets another number and `SPECBOX_HOSTILE_SEED` another
/// seed.
const ARCHIVES: u64 = 45;
/// Memory that the server may need beyond what it needs idle, in KiB.
const MAX_GROWTH_KIB: u64 = 300 << 10;
/// Documents of which all that is derived is looked up.
const LOOKED_UP: usize = 30;

fn number_of(variable: &str, default: u64) -> u64 {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A figure of `/proc/PID/status` in KiB.
fn memory_kib(process: u32, field: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
    line.trim_matches(|c: char| !c.is_ascii_digit()).parse().expect("a number")
}

fn archives_of_a_grammar_leave_the_server_as_it_is() -> TestResult {
    let (count, seed) =
        (number_of("SPECBOX_HOSTILE_ARCHIVES", ARCHIVES), number_of("SPECBOX_HOSTILE_SEED", 1));
    println!("{count} archives of seed {seed}");
    let (hostile, data) =
        (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/make-hostile-archives");
    let arguments = [seed.to_string(), count.to_string()];
    let made = Command::new(script).args(arguments).arg(hostile.path()).status();
    assert!(made.expect("python3 is there").success());
    let key = json(specbox(data.path()).args(["key", "create", "--name", "test"]));
    // Without models, whose memory would be taken for that of the archives.
    let none = data.path().join("no-models").display().to_string();
    let arguments = ["--tls", "off-behind-proxy", "--models-dir", &none];
    let server = RunningServer::start_with(data.path(), &arguments);
    let shell = server.child.id();
    let children = fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
    let process =
        children.expect("readable").split_whitespace().next().expect("the server").parse();
    let process: u32 = process.expect("a process ID");
    let idle = memory_kib(process, "VmRSS:");
    let report = json(
        specbox(data.path())
            .args(["ingest", "--no-vectors"])
            .arg(hostile.path())
            .arg(sample().join("33_series")),
    );
    assert!(mentions(&report["taken"], "33.990"), "the good file beside them is taken");
    for entry in fs::read_dir(hostile.path()).expect("readable") {
        let name = entry.expect("an entry").file_name().into_string().expect("ASCII");
        let is_named =
            ["taken", "refused", "skipped"].iter().any(|list| mentions(&report[list], &name));
        assert!(is_named, "{name} is in no list of the report");
    }
    let client = Client::new(&server.base_url, key["key"].as_str(), None);
    let taken = report["taken"].as_array().expect("a list");
    for document in taken.iter().step_by(1 + taken.len() / LOOKED_UP) {
        let number = document["doc_number"].as_str().expect("a number");
        let version = document["version"].as_str().expect("a version");
        for path in [
            "names/list",
            "names/findings",
            "names/module",
            "documents/changes",
            "sections/references",
        ] {
            let answer = client
                .get(&format!("/{path}?doc_number={number}&version={version}&section_number=1"));
            assert!(matches!(answer.status, 200 | 503), "{path} of {number}: {}", answer.status);
        }
    }
    let grown = memory_kib(process, "VmHWM:").saturating_sub(idle);
    println!("{} taken of {count}; the server grew by {} MiB", taken.len(), grown >> 10);
    assert!(grown < MAX_GROWTH_KIB, "the server grew by {grown} KiB");
    drop(server);
    assert_eq!(json(specbox(data.path()).arg("verify"))["faults"], serde_json::json!([]));
    Ok(())
}
