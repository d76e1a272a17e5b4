//! A server that starts while a command holds the data folder.

use std::io::{BufReader, Read};

use libtest_mimic::Trial;
use serde_json::{Value, json};

use crate::{
    installed_models::models_installed,
    program::{json, run, specbox},
    server::RunningServer,
    stopping::{begin_ingest, read_until, write_short_and_long_document},
    trials::{TestResult, trials},
};

pub(crate) fn trials() -> Vec<Trial> {
    trials![an_ingest_continues_in_a_server_that_starts, a_second_server_names_the_first,]
}

fn an_ingest_continues_in_a_server_that_starts() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let files = write_short_and_long_document(folder.path());
    let data = folder.path().join("data");
    let mut ingest = begin_ingest(&data, &files);
    let mut stderr = BufReader::new(ingest.stderr.take().expect("piped"));
    let mut said = read_until(&mut stderr, "indexed  33.990");
    let server = RunningServer::start(&data, "off-behind-proxy");
    stderr.read_to_string(&mut said).expect("text");
    let mut printed = String::new();
    ingest.stdout.take().expect("piped").read_to_string(&mut printed).expect("text");
    assert!(ingest.wait().expect("it was ours").success(), "{said}");
    assert!(said.contains("handing over the data folder to the server that is starting"), "{said}");
    assert!(!said.contains("run the same command again"), "{said}");

    let report: Value = serde_json::from_str(&printed).expect("a report");
    let taken: Vec<_> = report["taken"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|taken| taken["doc_number"].as_str().expect("a number"))
        .collect();
    assert_eq!(taken, ["33.990", "38.999"], "each part of the run is in the report: {report:#}");
    assert_eq!(report["skipped"], json!([]), "what the first part took is not listed as skipped");
    assert_eq!(report["interrupted"], json!(false));

    let status = json(specbox(&data).args(["status", "--json"]));
    assert_eq!(status["server"]["url"], json!(server.base_url), "the server holds the folder");
    assert_eq!(status["index"]["versions"], json!(2));
    Ok(())
}

fn a_second_server_names_the_first() -> TestResult {
    models_installed()?;
    let folder = tempfile::tempdir().expect("temporary folder");
    let data = folder.path().join("data");
    let server = RunningServer::start(&data, "off-behind-proxy");
    let second = run(specbox(&data).args(["serve", "--listen", "127.0.0.1:0"]));
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success(), "{said}");
    assert!(
        said.contains(&format!("a server is already running at {}", server.base_url)),
        "{said}"
    );
    Ok(())
}
