//! `kill -9` in the middle of an ingest: nothing stored is lost, and the next run continues.

#[path = "support/installed_models.rs"]
mod installed_models;
#[path = "support/program.rs"]
mod program;
#[path = "support/trials.rs"]
mod trials;

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{ExitCode, Stdio},
    thread,
    time::Duration,
};

use installed_models::models_installed;
use program::{json, sample, specbox};
use serde_json::Value;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        a_killed_ingest_keeps_what_it_reported_and_the_next_one_finishes,
        a_document_killed_while_it_is_replaced_is_the_old_or_the_new_one,
        a_killed_optimization_leaves_every_vector_where_it_was_or_in_the_new_file,
    ]])
}

/// Starts an ingest of the sample and kills it a moment after more than `after` documents are reported as taken.
/// The moments differ, so that each round kills in another step. Returns the number of documents reported.
fn kill_after(data: &Path, options: &[&str], after: usize, moment: Duration) -> usize {
    let mut child = specbox(data)
        .args(["ingest", "--no-vectors"])
        .args(options)
        .arg(sample())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let stderr = child.stderr.take().expect("piped");
    let mut taken = 0;
    for line in BufReader::new(stderr).lines() {
        taken += usize::from(line.expect("text").starts_with("taken"));
        if taken > after {
            thread::sleep(moment);
            break;
        }
    }
    child.kill().expect("it runs, or has just ended");
    child.wait().expect("it was ours");
    taken
}

fn documents(data: &Path) -> Vec<String> {
    let listed = json(specbox(data).args(["call", "list_documents"]));
    let name = |d: &Value| format!("{} {}", d["doc_number"], d["version"]);
    listed.as_array().expect("a list").iter().map(name).collect()
}

fn a_killed_ingest_keeps_what_it_reported_and_the_next_one_finishes() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let mut before = 0;
    for (round, after) in [0, 1, 2, 1, 0].into_iter().enumerate() {
        let moment = Duration::from_micros(700 * (round as u64 * 37 % 11));
        let reported = kill_after(data.path(), &[], after, moment);
        let stored = documents(data.path()).len();
        assert!(stored >= before + reported, "reported {reported}, stored {stored} after {before}");
        let report = json(specbox(data.path()).arg("verify"));
        assert_eq!(report["faults"], serde_json::json!([]), "{report:#}");
        before = stored;
    }
    let report = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(sample()));
    let taken = report["taken"].as_array().expect("a list").len();
    assert_eq!(taken + before, 13, "nothing is done twice: {report:#}");
    assert_eq!(documents(data.path()).len(), 13);
    Ok(())
}

fn a_document_killed_while_it_is_replaced_is_the_old_or_the_new_one() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(sample()));
    let all = documents(data.path());
    for round in 0..4 {
        let moment = Duration::from_micros(900 * (round as u64 * 37 % 11));
        kill_after(data.path(), &["--force"], 2 * round, moment);
        assert_eq!(documents(data.path()), all);
        let report = json(specbox(data.path()).arg("verify"));
        assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
    }
    Ok(())
}

/// The ids of the passages nearest to a query.
fn nearest(data: &Path) -> Vec<Value> {
    let mut call = specbox(data);
    call.args(["call", "search_text", "--rerank", "false", "--query", "how are keys derived"]);
    let answer = json(&mut call);
    let results = answer["results"].as_array().expect("results");
    results.iter().map(|result| result["id"].clone()).collect()
}

fn a_killed_optimization_leaves_every_vector_where_it_was_or_in_the_new_file() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    for folder in ["33_series", "38_series"] {
        json(specbox(data.path()).arg("ingest").arg(sample().join(folder)));
    }
    let before = nearest(data.path());
    assert!(before.len() > 5);
    for round in 0..8 {
        let mut child = specbox(data.path())
            .arg("optimize")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // An optimization says nothing that could be waited for; each round kills it in another step.
        thread::sleep(Duration::from_millis(15 * round));
        child.kill().expect("it runs, or has just ended");
        child.wait().expect("it was ours");
        let report = json(specbox(data.path()).arg("verify"));
        assert_eq!(report["faults"], serde_json::json!([]), "round {round}: {report:#}");
        assert_eq!(nearest(data.path()), before, "round {round}");
    }
    let done = json(specbox(data.path()).arg("optimize"));
    assert_eq!(done["segments"], 1, "{done:#}");
    let files = std::fs::read_dir(data.path().join("vectors/text")).expect("readable").count();
    assert_eq!(files, 1, "nothing is left over");
    assert_eq!(nearest(data.path()), before);
    Ok(())
}
