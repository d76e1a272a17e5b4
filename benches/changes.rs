//! How long does it take to see what changed?
//!
//! Over HTTP, from a server on this machine: the changes of a document as a whole, of a clause, the history of a clause, and the
//! recorded changes, of every document with several versions. `SPECBOX_BENCH_DATA` names a data folder (words are
//! enough; `scripts/make-versions` makes further versions), else the sample corpus is ingested first. The first comparison of two versions pairs their sections; it is
//! measured apart.

#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/client.rs"]
mod client;
#[path = "support/measure.rs"]
mod measure;
#[path = "../tests/support/program.rs"]
mod program;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/server.rs"]
mod server;

use std::{collections::BTreeMap, path::PathBuf, time::Instant};

use client::Client;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;

/// Clauses of each document that are asked for, at even distances.
const CLAUSES: usize = 40;

/// What was measured, in milliseconds, and of how many clauses.
#[derive(Default)]
struct Times {
    clauses: usize,
    first_comparison: Vec<f64>,
    document: Vec<f64>,
    clause: Vec<f64>,
    first_history: Vec<f64>,
    history: Vec<f64>,
    recorded: Vec<f64>,
}

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().to_owned());
    if given.is_none() {
        command(specbox(&data).args(["ingest", "--no-vectors"]).arg(sample()));
    }
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let mut figures = serde_json::Map::new();
    let mut rows = Vec::new();
    {
        let server = RunningServer::start(&data, "off-behind-proxy");
        let client = Client::new(&server.base_url, Some(key), None);
        for (document, versions) in documents(&client) {
            let times = measure_document(&client, &document);
            let row = describe(&times);
            let name = format!("{document} ({versions} versions)");
            rows.push(
                std::iter::once(name.clone())
                    .chain(row.iter().map(|(_, ms)| format!("{ms:.1} ms")))
                    .collect::<Vec<_>>(),
            );
            let mut record: serde_json::Map<String, Value> =
                row.into_iter().map(|(what, ms)| (what.to_owned(), json!(ms))).collect();
            record.insert("clauses".to_owned(), json!(times.clauses));
            figures.insert(name, Value::Object(record));
        }
    }
    command(specbox(&data).args(["key", "deactivate", &id]));
    let head = [
        "document",
        "first",
        "document again",
        "clause",
        "slowest",
        "first history",
        "history",
        "slowest",
        "recorded",
    ];
    println!("{}", table(&head, &rows));
    write_results("changes", &Value::Object(figures));
}

/// The documents of which there are several versions, with their number.
fn documents(client: &Client) -> BTreeMap<String, usize> {
    let mut versions: BTreeMap<String, usize> = BTreeMap::new();
    for document in client.get("/documents").body.as_array().expect("a list") {
        let number = document["doc_number"].as_str().expect("a number").to_owned();
        *versions.entry(number).or_default() += 1;
    }
    versions.retain(|_, count| *count > 1);
    versions
}

fn measure_document(client: &Client, document: &str) -> Times {
    let ask = |path: String| {
        let started = Instant::now();
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        (answer.body, started.elapsed().as_secs_f64() * 1000.0)
    };
    let mut times = Times::default();
    let compared = format!("/documents/compare?doc_number={document}&limit=1000");
    times.first_comparison.push(ask(compared.clone()).1);
    let contents = ask(format!("/sections/toc?doc_number={document}&version=latest")).0;
    let contents = contents.as_array().expect("a list").iter();
    let all: Vec<String> = contents
        .filter_map(|section| section["section_number"].as_str())
        .filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect();
    let step = (all.len() / CLAUSES).max(1);
    let numbers: Vec<String> = all.into_iter().step_by(step).take(CLAUSES).collect();
    times.clauses = numbers.len();
    for number in &numbers {
        times.document.push(ask(compared.clone()).1);
        let of = format!("doc_number={document}&section_number={number}");
        times.clause.push(ask(format!("/sections/compare?{of}")).1);
        times.history.push(ask(format!("/sections/history?{of}")).1);
        times.recorded.push(ask(format!("/documents/changes?doc_number={document}")).1);
    }
    if !times.history.is_empty() {
        times.first_history.push(times.history.remove(0));
    }
    times
}

fn describe(times: &Times) -> [(&'static str, f64); 8] {
    let median = |list: &[f64]| {
        let mut sorted = list.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let slowest = |list: &[f64]| list.iter().copied().fold(f64::NAN, f64::max);
    [
        ("first_comparison_ms", median(&times.first_comparison)),
        ("document_p50_ms", median(&times.document)),
        ("clause_p50_ms", median(&times.clause)),
        ("clause_max_ms", slowest(&times.clause)),
        ("first_history_ms", median(&times.first_history)),
        ("history_p50_ms", median(&times.history)),
        ("history_max_ms", slowest(&times.history)),
        ("recorded_p50_ms", median(&times.recorded)),
    ]
}
