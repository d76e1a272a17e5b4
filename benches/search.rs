//! How long does a search take? Over HTTP, from a server on this machine.
//!
//! `SPECBOX_BENCH_DATA` names a data folder with vectors, for example one made by
//! `specbox --data-dir DIR ingest FOLDER`; without it the sample corpus is ingested first.

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

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use client::Client;
use lexical::LexicalQuery;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use store::{DataFolder, DocumentFilter, Store};

/// Questions of the kind engineers ask; nothing is tuned for them.
const QUERIES: [&str; 12] = [
    "conditions for starting timer T310",
    "RRC reconfiguration with sync procedure",
    "how does the UE measure neighbour cells in idle mode",
    "maximum output power for band n77",
    "what happens when authentication fails",
    "PDSCH resource allocation type 1",
    "ciphering and integrity protection of user plane data",
    "paging occasion calculation",
    "handover failure",
    "QoS flow to DRB mapping",
    "power saving",
    "which parameters are in the session management policy",
];
const ROUNDS: usize = 20;
const RERANKED_QUERIES: usize = 6;
/// Hits asked of the lexical search, as many as a search would fuse.
const LEXICAL_HITS: usize = 100;

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let given = std::env::var_os("SPECBOX_BENCH_DATA").map(PathBuf::from);
    let data = given.clone().unwrap_or_else(|| temporary.path().to_owned());
    if given.is_none() {
        command(specbox(&data).arg("ingest").arg(sample()));
    }
    let key = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let key_text = key["key"].as_str().expect("a key");
    let lexical = measure_lexical_search(&data);
    let first_s = measure_first_answer(&data, key_text);
    let server = RunningServer::start(&data, "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(key_text), None);
    let documents = client.get("/documents").body.as_array().map_or(0, Vec::len);
    let plain = measure_searches(&client, ROUNDS * QUERIES.len(), false);
    let reranked = measure_searches(&client, RERANKED_QUERIES, true);
    let suggestions = measure_suggestions(&client);
    command(specbox(&data).args(["key", "deactivate", &key["record"]["id"].to_string()]));
    let rows = [
        vec!["first answer after `specbox serve`".into(), format!("{:.2} s", first_s)],
        vec!["lexical search, p50".into(), format!("{:.2} ms", lexical.p50_ms)],
        vec!["lexical search, p95".into(), format!("{:.2} ms", lexical.p95_ms)],
        vec!["suggestion at a keystroke, p50".into(), format!("{:.2} ms", suggestions.p50_ms)],
        vec!["suggestion at a keystroke, p95".into(), format!("{:.2} ms", suggestions.p95_ms)],
        vec!["rerank:false, p50".into(), format!("{:.1} ms", plain.p50_ms)],
        vec!["rerank:false, p95".into(), format!("{:.1} ms", plain.p95_ms)],
        vec!["rerank:true, p50".into(), format!("{:.0} ms", reranked.p50_ms)],
    ];
    println!("{documents} document versions\n{}", table(&["question", "time"], &rows));
    write_results(
        "search",
        &json!({
            "documents": documents,
            "first_answer_s": first_s,
            "words_ms": lexical.to_json(),
            "suggestion_ms": suggestions.to_json(),
            "rerank_false_ms": plain.to_json(),
            "rerank_true_ms": reranked.to_json(),
        }),
    );
}

/// Seconds from the start of the server to its first answer, models included.
fn measure_first_answer(data: &Path, key: &str) -> f64 {
    let started = Instant::now();
    let server = RunningServer::start(data, "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(key), None);
    search(&client, QUERIES[0], false);
    started.elapsed().as_secs_f64()
}

fn search(client: &Client, query: &str, rerank: bool) -> Value {
    let answer = client.post("/search/text", &json!({"query": query, "rerank": rerank}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

struct Latency {
    p50_ms: f64,
    p95_ms: f64,
    count: usize,
}

impl Latency {
    fn from_times_ms(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let count = times.len();
        Self { p50_ms: times[count / 2], p95_ms: times[count * 95 / 100], count }
    }

    fn to_json(&self) -> Value {
        json!({ "p50": self.p50_ms, "p95": self.p95_ms, "count": self.count })
    }
}

/// Suggestions for every beginning of the queries and of some names, as somebody types them.
fn measure_suggestions(client: &Client) -> Latency {
    const NAMES: [&str; 5] = [
        "38.331 5.3.5.13",
        "ssb-PositionsInBurst",
        "AMF region",
        "reestablishmnt",
        "38.331 rrc re",
    ];
    let mut times_ms = Vec::new();
    for text in QUERIES.iter().chain(&NAMES) {
        // A single letter asks for nothing, as on pages.
        for end in 2..=text.len() {
            let typed = text[..end].replace(' ', "%20");
            let started = Instant::now();
            let answer = client.get(&format!("/suggest?text={typed}"));
            assert_eq!(answer.status, 200, "{}", answer.body);
            times_ms.push(started.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Latency::from_times_ms(times_ms)
}

/// Lexical search in this process, without server, models and network.
fn measure_lexical_search(data: &Path) -> Latency {
    let store = Store::open(DataFolder::new(data)).expect("a data folder that is not in use");
    let snapshot = store.snapshot();
    let search_ms = |index: usize| {
        let text = QUERIES[index % QUERIES.len()].to_owned();
        let query = LexicalQuery { text, ..LexicalQuery::default() };
        let started = Instant::now();
        let hits = snapshot.contents().search_lexical(
            &query,
            &DocumentFilter::default(),
            None,
            LEXICAL_HITS,
        );
        assert!(!hits.expect("searched").is_empty());
        started.elapsed().as_secs_f64() * 1000.0
    };
    // Once before, which warms caches up.
    (0..QUERIES.len()).for_each(|index| {
        search_ms(index);
    });
    Latency::from_times_ms((0..ROUNDS * QUERIES.len()).map(search_ms).collect())
}

/// Searches over HTTP, after one that is not measured.
fn measure_searches(client: &Client, count: usize, rerank: bool) -> Latency {
    search(client, QUERIES[1], rerank);
    let times = (0..count).map(|index| {
        let started = Instant::now();
        search(client, QUERIES[index % QUERIES.len()], rerank);
        started.elapsed().as_secs_f64() * 1000.0
    });
    Latency::from_times_ms(times.collect())
}
