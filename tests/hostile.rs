//! Hostile files of every kind through the real program: each gets one clear line in the report,
//! and harms nothing else.

#[path = "support/installed_models.rs"]
mod installed_models;
#[path = "support/program.rs"]
mod program;
#[path = "support/trials.rs"]
mod trials;

use std::{
    path::Path,
    process::{Command, ExitCode, Stdio},
};

use installed_models::models_installed;
use program::{json, sample, specbox};
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![every_hostile_file_has_its_line_and_the_good_ones_are_taken,]])
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
