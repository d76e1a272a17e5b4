//! Commands beside a running server go through it, and it sees what they did.

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixStream,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use libtest_mimic::Trial;

use crate::{
    client::Client,
    fixture::fixture,
    installed_models::models_installed,
    person::Person,
    program::{json, run, sample, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_call_on_the_command_line_answers_as_http_does,
        a_refused_call_prints_the_body_and_ends_with_1,
        the_server_sees_an_ingest_and_a_removal_without_a_restart,
        ctrl_c_beside_a_server_ends_the_run_with_its_report,
        pages_of_a_version_are_there_while_it_is_ingested_again,
        a_reindexing_switches_the_vectors_under_a_running_server,
        a_reranker_without_time_leaves_the_order_of_the_first_stage_and_says_so,
        an_optimization_under_a_running_server_changes_no_answer_and_is_explained,
    ]
}

/// What the process that holds a data folder answers to a line on its control socket.
pub(crate) fn socket_reply(socket: &Path, line: &str) -> String {
    let mut stream = UnixStream::connect(socket).expect("it listens");
    stream.write_all(line.as_bytes()).expect("sent");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("answered");
    reply
}

fn a_call_on_the_command_line_answers_as_http_does() -> TestResult {
    let fixture = fixture()?;
    let over_http = fixture.client().get("/sections?doc_number=33.990&section_number=6.3").body;
    let on_line = json(specbox(&fixture.data).args([
        "call",
        "get_sections",
        "--doc_number",
        "33.990",
        "--section_number",
        "6.3",
    ]));
    assert_eq!(on_line, over_http);
    Ok(())
}

fn a_refused_call_prints_the_body_and_ends_with_1() -> TestResult {
    let fixture = fixture()?;
    let mut command = specbox(&fixture.data);
    let output = run(command.args(["call", "search_text", "--query", "x", "--match_count", "0"]));
    assert_eq!(output.status.code(), Some(1));
    let body: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(body["detail"][0]["type"], "greater_than_equal");
    Ok(())
}

fn the_server_sees_an_ingest_and_a_removal_without_a_restart() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let key = json(specbox(data.path()).args(["key", "create"]))["key"].clone();
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, key.as_str(), None);
    let documents = || client.get("/documents").body.as_array().map(Vec::len);
    assert_eq!(documents(), Some(0));
    let bare = sample().join("33_series/33.990");
    let report = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(&bare));
    assert_eq!(report["taken"][0]["doc_number"], "33.990", "{report:#}");
    assert_eq!(documents(), Some(1));
    let again = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(&bare));
    assert_eq!(again["taken"].as_array().map(Vec::len), Some(0));
    assert_eq!(again["skipped"][0]["reason"], "already indexed");
    json(specbox(data.path()).args(["remove", "33.990", "18.2.0"]));
    assert_eq!(documents(), Some(0));
    let verified = json(specbox(data.path()).arg("verify"));
    assert_eq!(verified["faults"], serde_json::json!([]));
    Ok(())
}

fn ctrl_c_beside_a_server_ends_the_run_with_its_report() -> TestResult {
    models_installed()?;
    // A run of the sample is short: now and then it ends before the signal comes.
    let report = (0..10).find_map(|_| interrupt_an_ingest()).expect("a run is interrupted");
    let taken = report["taken"].as_array().map(Vec::len);
    assert!(taken.is_some_and(|taken| taken <= 7), "{report:#}");
    Ok(())
}

/// Sends Ctrl-C to an ingest beside a server as soon as it says something; the report, unless the run had ended.
fn interrupt_an_ingest() -> Option<serde_json::Value> {
    let data = tempfile::tempdir().expect("temporary folder");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let mut client = specbox(data.path())
        .arg("ingest")
        .arg(sample().join("38_series"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stderr = BufReader::new(client.stderr.take().expect("piped"));
    let mut line = String::new();
    // The first line names the sources; the run has begun and has most of them before it.
    assert!(stderr.read_line(&mut line).expect("text") > 0, "the run ended by itself");
    let id = client.id().to_string();
    // It may have ended just now.
    let _ = Command::new("kill").args(["-INT", &id]).status().expect("kill is there");
    std::io::copy(&mut stderr, &mut std::io::sink()).expect("readable");
    let output = client.wait_with_output().expect("it was ours");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the report");
    let is_interrupted = report["interrupted"] == true;
    let expected = if is_interrupted { 130 } else { 0 };
    assert_eq!(output.status.code(), Some(expected), "{report:#}");
    let client = Client::new(&server.base_url, None, None);
    assert_eq!(client.get("/health").status, 200);
    is_interrupted.then_some(report)
}

fn pages_of_a_version_are_there_while_it_is_ingested_again() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let bare = sample().join("33_series/33.990");
    json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(&bare));
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let person = Person::operator(&server, data.path());
    let is_ingested = AtomicBool::new(false);
    thread::scope(|scope| {
        let read = || {
            let mut pages = 0;
            while !is_ingested.load(Ordering::Acquire) {
                for path in ["/read/33.990/18.2.0?section=6.3", "/read/33.990/18.2.0/find?q=the"] {
                    assert_eq!(person.get(path).status, 200, "{path}");
                    pages += 1;
                }
            }
            pages
        };
        let readers: Vec<_> = (0..4).map(|_| scope.spawn(read)).collect();
        for _ in 0..6 {
            json(specbox(data.path()).args(["ingest", "--no-vectors", "--force"]).arg(&bare));
        }
        is_ingested.store(true, Ordering::Release);
        for reader in readers {
            assert!(reader.join().expect("all pages were there") > 0);
        }
    });
    Ok(())
}

fn a_reindexing_switches_the_vectors_under_a_running_server() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let key = json(specbox(data.path()).args(["key", "create"]))["key"].clone();
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, key.as_str(), None);
    let bare = sample().join("33_series/33.990");
    json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(&bare));
    let body = serde_json::json!({"query": "keys", "rerank": false});
    let total = || client.post("/search/text", &body).body["total"].as_u64();
    assert!(total().is_some_and(|total| total > 0), "by words, if there are no vectors yet");
    let report = json(specbox(data.path()).args(["reindex", "--model", "all-MiniLM-L6-v2"]));
    assert_eq!((&report["switched"], &report["pending"]), (&true.into(), &0.into()), "{report:#}");
    assert!(report["embedded"].as_u64().is_some_and(|embedded| embedded > 0), "{report:#}");
    assert!(total().is_some_and(|total| total > 0));
    let unknown = run(specbox(data.path()).args(["reindex", "--model", "no-such-model"]));
    assert_eq!(unknown.status.code(), Some(1));
    Ok(())
}

fn a_reranker_without_time_leaves_the_order_of_the_first_stage_and_says_so() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    json(specbox(data.path()).arg("ingest").arg(sample().join("33_series/33.990")));
    let path = data.path().join("specbox.toml");
    let settings = std::fs::read_to_string(&path).expect("the template");
    let settings = settings.replace("#:rerank_deadline_ms = 5000", "rerank_deadline_ms = 0");
    std::fs::write(&path, settings).expect("written");
    let mut call = specbox(data.path());
    let answer = json(call.args(["call", "search_text", "--query", "how are keys derived"]));
    assert_eq!((&answer["reranked"], &answer["rerank_scored"]), (&false.into(), &0.into()));
    let results = answer["results"].as_array().expect("results");
    assert!(results.len() > 1 && results.iter().all(|r| r["relevance_score"].is_null()));
    assert_eq!(answer["degraded"], serde_json::json!(["busy"]));
    let first = results[0]["content"].as_str().expect("a passage").to_lowercase();
    assert!(first.contains("key"), "{first}");
    Ok(())
}

fn an_optimization_under_a_running_server_changes_no_answer_and_is_explained() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    for bare in ["33_series/33.990", "38_series/38.990"] {
        json(specbox(data.path()).arg("ingest").arg(sample().join(bare)));
    }
    let key = json(specbox(data.path()).args(["key", "create"]))["key"].clone();
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = Client::new(&server.base_url, key.as_str(), None);
    let search = |explain: bool| {
        let body = serde_json::json!({"query": "keys", "rerank": false, "explain": explain});
        client.post("/search/text", &body).body
    };
    let before = search(true);
    let plans = |answer: &serde_json::Value| answer["explain"].as_array().map(Vec::len);
    let files = plans(&before).expect("one for each vector file");
    assert!(files > 1, "{before:#}");
    let report = json(specbox(data.path()).arg("optimize"));
    assert_eq!((&report["merged"], &report["segments"]), (&files.into(), &1.into()), "{report:#}");
    let after = search(true);
    assert_eq!(after["results"], before["results"]);
    let plan = &after["explain"][0];
    assert_eq!(plans(&after), Some(1));
    // The rows of figures are not for a search for passages.
    let count = |what: &str| plan[what].as_u64().expect("a count");
    assert!(count("allowed") < count("rows") && count("allowed") > 80, "{plan:#}");
    assert!(plan["codes_scored"].as_u64().is_some_and(|scored| scored > 0), "{plan:#}");
    assert!(search(false).get("explain").is_none(), "only on request");
    let again = json(specbox(data.path()).arg("optimize"));
    assert_eq!(again["merged"], 0);
    Ok(())
}
