//! What was read is found by its words at once; vectors follow, and replies say what is missing.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::{Value, json as value};

use crate::{
    client::Client,
    installed_models::models_installed,
    own,
    program::{json, sample, specbox},
    server::RunningServer,
    trials::{TestResult, trials},
    wait::wait_until,
};

/// The tests of this file.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        without_models_everything_is_found_by_its_words,
        a_server_makes_the_vectors_that_an_ingest_left_out,
        vectors_that_a_killed_server_had_not_made_are_made_by_the_next_one,
        decisions_that_were_imported_without_vectors_get_them_in_a_server,
    ]
}

const QUESTION: &str = "how are keys derived";

fn search(client: &Client, rerank: bool) -> Value {
    let answer = client.post("/search/text", &value!({"query": QUESTION, "rerank": rerank}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn connect(data: &Path, server: &RunningServer) -> Client {
    let key = json(specbox(data).args(["key", "create"]))["key"].clone();
    Client::new(&server.base_url, key.as_str(), None)
}

fn without_models_everything_is_found_by_its_words() -> TestResult {
    let data = tempfile::tempdir().expect("temporary folder");
    let nowhere = data.path().join("no-models");
    let models = ["--models-dir", nowhere.to_str().expect("UTF-8")];
    let report = json(specbox(data.path()).args(["ingest"]).args(models).arg(sample()));
    assert_eq!(report["taken"].as_array().map(Vec::len), Some(13), "{report:#}");
    assert!(report["vectors_failed"].as_str().is_some_and(|why| !why.is_empty()), "{report:#}");
    assert!(report["without_vectors"].as_u64() > Some(100), "{report:#}");
    let arguments = ["--tls", "off-behind-proxy", models[0], models[1]];
    let server = RunningServer::start_with(data.path(), &arguments);
    let client = connect(data.path(), &server);
    for rerank in [true, false] {
        let reply = search(&client, rerank);
        assert!(reply["total"].as_u64() > Some(3), "{reply:#}");
        assert_eq!(reply["reranked"], false);
        let degraded = reply["degraded"].as_array().expect("a list");
        assert!(degraded.contains(&"text_model".into()), "{degraded:?}");
        assert_eq!(degraded.contains(&"reranker".into()), rerank, "{degraded:?}");
        assert_eq!(reply["coverage"]["with_vectors"], 0);
        let first = reply["results"][0]["content"].as_str().expect("a passage").to_lowercase();
        assert!(first.contains("key"), "{first}");
    }
    let figures =
        client.post("/search/images", &value!({"query": "key hierarchy", "match_threshold": 0.0}));
    assert!(figures.body["total"].as_u64() > Some(0), "{}", figures.body);
    let health = client.get("/health").body;
    assert_eq!(
        (&health["status"], &health["vectors"]["with_vectors"]),
        (&"degraded".into(), &0.into())
    );
    Ok(())
}

/// Waits until every passage has vectors, by `/health`.
fn wait_for_vectors(client: &Client) {
    wait_until("every passage has vectors", || {
        let vectors = client.get("/health").body["vectors"].clone();
        vectors["passages"].as_u64() > Some(0) && vectors["passages"] == vectors["with_vectors"]
    });
}

fn a_server_makes_the_vectors_that_an_ingest_left_out() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = connect(data.path(), &server);
    let report = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(sample()));
    assert_eq!(report["embedded"], 0, "{report:#}");
    // A list that a client has seen before the vectors were there says afterwards that they are.
    assert_eq!(client.get("/documents").body.as_array().map(Vec::len), Some(13));
    // However far the vectors are, the words are there.
    assert!(search(&client, true)["total"].as_u64() > Some(3));
    wait_for_vectors(&client);
    let reply = search(&client, true);
    assert_eq!((&reply["degraded"], &reply["coverage"]), (&value!([]), &Value::Null), "{reply:#}");
    assert_eq!(reply["reranked"], true);
    let documents = client.get("/documents").body;
    let states = documents.as_array().expect("a list").iter().map(|row| &row["status"]);
    assert!(states.into_iter().all(|state| state == "indexed"), "{documents:#}");
    let verified = json(specbox(data.path()).arg("verify"));
    assert_eq!(verified["faults"], value!([]));
    Ok(())
}

fn vectors_that_a_killed_server_had_not_made_are_made_by_the_next_one() -> TestResult {
    models_installed()?;
    let data = tempfile::tempdir().expect("temporary folder");
    let report = json(specbox(data.path()).args(["ingest", "--no-vectors"]).arg(sample()));
    let total = report["without_vectors"].as_u64().expect("a number");
    let with_vectors =
        |client: &Client| client.get("/health").body["vectors"]["with_vectors"].as_u64();
    for round in 0..3 {
        let mut server = RunningServer::start(data.path(), "off-behind-proxy");
        let client = connect(data.path(), &server);
        // Each round ends the server a little later: before, while and after its first vectors are stored.
        std::thread::sleep(std::time::Duration::from_millis(400 * round));
        let before = with_vectors(&client);
        // The shell kills the server with signal 9.
        drop(server.child.stdin.take());
        server.child.wait().expect("it was ours");
        let verified = json(specbox(data.path()).arg("verify"));
        assert_eq!(verified["faults"], value!([]), "round {round}");
        let after =
            json(specbox(data.path()).args(["call", "health"]))["vectors"]["with_vectors"].as_u64();
        assert!(after >= before, "round {round}: {after:?} < {before:?} of {total}");
    }
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    wait_for_vectors(&connect(data.path(), &server));
    Ok(())
}

fn decisions_that_were_imported_without_vectors_get_them_in_a_server() -> TestResult {
    let data = own::data()?;
    // As a process leaves them that is killed between the import and the vectors.
    let reports = sample().with_file_name("mirror/tsg_ran/WG1_RL1/TSGR1_190/Report");
    let report = reports.join("Final_Minutes_report_RAN1#190_v100.zip");
    let nowhere = data.path().join("no-models");
    let import = ["meetings", "import", "--models-dir"];
    json(specbox(data.path()).args(import).arg(nowhere).arg(report));
    let server = RunningServer::start(data.path(), "off-behind-proxy");
    let client = connect(data.path(), &server);
    wait_until("every decision has vectors", || {
        let found = client.get("/decisions?group=R1&q=beacon").body;
        assert!(found["total"].as_u64() > Some(0), "{found:#}");
        found["coverage"]["by_words_only"] == value!([])
    });
    Ok(())
}
