//! How long does it take to look up a name, and is its own definition the first one?
//!
//! Over HTTP, from a server on this machine: names of every document, at even distances, alone, with their types, with their members,
//! and with all that is known of them. `SPECBOX_BENCH_DATA` names a data folder (words are enough), else the sample corpus is
//! ingested first.

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

use std::{collections::BTreeSet, path::PathBuf, time::Instant};

use client::Client;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;

/// Names of each document that are asked for.
const NAMES: usize = 100;
/// What is asked of each name: what it is called, and the parameters.
const REQUESTS: [(&str, &str); 4] = [
    ("alone", ""),
    ("types", "&expand=2"),
    ("members", "&structure=5"),
    ("all", "&expand=2&structure=5&used_in=true&history=true"),
];

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().to_owned());
    if given.is_none() {
        command(specbox(&data).args(["ingest", "--no-vectors"]).arg(sample()));
    }
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let mut times: [Vec<f64>; REQUESTS.len()] = Default::default();
    let (mut asked, mut first) = (0, 0);
    {
        let server = RunningServer::start(&data, "off-behind-proxy");
        let client = Client::new(&server.base_url, Some(key), None);
        for document in documents(&client) {
            for name in names(&client, &document) {
                let path = |rest: &str| {
                    let mut query = url::form_urlencoded::Serializer::new(String::new());
                    query.append_pair("name", name["name"].as_str().expect("a name"));
                    query.append_pair("doc_number", &document);
                    if let Some(within) = name["within"].as_str() {
                        query.append_pair("within", within);
                    }
                    format!("/names?{}{rest}", query.finish())
                };
                for (times, (_, rest)) in times.iter_mut().zip(REQUESTS) {
                    let started = Instant::now();
                    let answer = client.get(&path(rest));
                    times.push(started.elapsed().as_secs_f64() * 1000.0);
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    if rest.is_empty() {
                        asked += 1;
                        first += usize::from(answer.body["definitions"][0]["name"] == name["name"]);
                    }
                }
            }
        }
    }
    command(specbox(&data).args(["key", "deactivate", &id]));
    let mut figures = serde_json::Map::new();
    let mut rows = Vec::new();
    for (times, (what, _)) in times.iter_mut().zip(REQUESTS) {
        times.sort_by(f64::total_cmp);
        let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or(f64::NAN);
        rows.push(vec![what.to_owned(), format!("{:.1} ms", at(50)), format!("{:.1} ms", at(95))]);
        figures.insert(what.to_owned(), json!({"p50_ms": at(50), "p95_ms": at(95)}));
    }
    figures.insert("names".to_owned(), json!({"asked": asked, "own_definition_first": first}));
    println!("{}", table(&["asked for", "median", "95 %"], &rows));
    println!("{first} of {asked} names have a definition of their own spelling first");
    write_results("names", &Value::Object(figures));
}

fn documents(client: &Client) -> BTreeSet<String> {
    let documents = client.get("/documents").body;
    let documents = documents.as_array().expect("a list").iter();
    documents.filter_map(|of| of["doc_number"].as_str().map(str::to_owned)).collect()
}

/// Names of the newest version of a document, at even distances.
fn names(client: &Client, document: &str) -> Vec<Value> {
    let mut all: Vec<Value> = Vec::new();
    loop {
        let path = format!("/names/list?doc_number={document}&limit=1000&offset={}", all.len());
        let body = client.get(&path).body;
        let page = body["names"].as_array().cloned().unwrap_or_default();
        if page.is_empty() {
            break;
        }
        all.extend(page);
    }
    let step = (all.len() / NAMES).max(1);
    all.into_iter().step_by(step).take(NAMES).collect()
}
