//! How long do searches take when several people search at once, and while the index grows?
//!
//! Reranked searches over HTTP, from a server on this machine: one client alone, four, and 64, each asking its next
//! question when it has its answer; then one client that thinks between its questions, alone and while the server makes
//! vectors of new documents. `SPECBOX_BENCH_DATA` names a data folder with vectors (it is changed: take a copy), else the
//! sample corpus is ingested first. `SPECBOX_BENCH_ARCHIVES` is a folder of archives that are new to it; without one the
//! last round is left out.

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
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

use client::Client;
use measure::{table, write_results};
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;

/// Questions, each made another one by a word of [`TOPICS`], so that no cache has its answer.
const QUESTIONS: [&str; 6] = [
    "what does the UE do on failure of",
    "which conditions start the procedure for",
    "where are the parameters defined of",
    "how does the network configure",
    "what is the maximum value for",
    "which message carries the information about",
];
const TOPICS: [&str; 8] = [
    "measurement reports",
    "radio resources",
    "a handover",
    "paging",
    "the session",
    "security keys",
    "random access",
    "the power of the device",
];
/// How long each round lasts.
const ROUND: Duration = Duration::from_secs(20);
/// How long a person thinks between two questions.
const THINKING: Duration = Duration::from_millis(500);

/// One answer.
#[derive(Debug, Clone, Copy)]
struct Answered {
    status: u16,
    reranked: bool,
    ms: f64,
}

/// The answers of a round.
struct Round(Vec<Answered>);

impl Round {
    /// Asks with some clients at once, for the length of a round. The next question of a client comes `pause` after its
    /// answer.
    fn run(server: &RunningServer, key: &str, clients: usize, pause: Duration) -> Self {
        let next = AtomicUsize::new(0);
        let end = Instant::now() + ROUND;
        let ask_until_end = || {
            let client = Client::new(&server.base_url, Some(key), None);
            let mut answers = Vec::new();
            while Instant::now() < end {
                answers.push(ask(&client, next.fetch_add(1, Ordering::Relaxed)));
                thread::sleep(pause);
            }
            answers
        };
        let answers = thread::scope(|scope| {
            let running: Vec<_> = (0..clients).map(|_| scope.spawn(ask_until_end)).collect();
            running.into_iter().flat_map(|client| client.join().expect("a client")).collect()
        });
        Self(answers)
    }

    /// The milliseconds of the answers with status 200, ascending.
    fn times_ms(&self) -> Vec<f64> {
        let answered = self.0.iter().filter(|answer| answer.status == 200);
        let mut times: Vec<f64> = answered.map(|answer| answer.ms).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    fn percentile_ms(&self, share: f64) -> f64 {
        let times = self.times_ms();
        let index = ((times.len() as f64 * share) as usize).min(times.len().saturating_sub(1));
        times.get(index).copied().unwrap_or(f64::NAN)
    }

    fn to_json(&self) -> Value {
        let answered = self.times_ms().len();
        json!({
            "answered": answered,
            "refused": self.0.len() - answered,
            "reranked": self.0.iter().filter(|answer| answer.reranked).count(),
            "p50_ms": self.percentile_ms(0.5),
            "p95_ms": self.percentile_ms(0.95),
            "max_ms": self.percentile_ms(1.0),
        })
    }
}

fn ask(client: &Client, number: usize) -> Answered {
    let (question, topic) = (number % QUESTIONS.len(), number / QUESTIONS.len() % TOPICS.len());
    let query = format!("{} {} {number}", QUESTIONS[question], TOPICS[topic]);
    let started = Instant::now();
    let answer =
        client.post("/search/text", &json!({"query": query, "include_section_text": false}));
    Answered {
        status: answer.status,
        reranked: answer.body["reranked"] == true,
        ms: started.elapsed().as_secs_f64() * 1000.0,
    }
}

fn main() {
    let temporary = tempfile::tempdir().expect("temporary folder");
    let path_of = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let given = path_of("SPECBOX_BENCH_DATA");
    let data = given.clone().unwrap_or_else(|| temporary.path().to_owned());
    if given.is_none() {
        command(specbox(&data).arg("ingest").arg(sample()));
    }
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let (key, id) = (made["key"].as_str().expect("a key"), made["record"]["id"].to_string());
    let mut rounds = measure_rounds(&data, key);
    if let Some(archives) = path_of("SPECBOX_BENCH_ARCHIVES") {
        command(specbox(&data).args(["ingest", "--no-vectors"]).arg(archives));
        rounds.push(("the same while vectors are made", measure_growing(&data, key)));
    }
    command(specbox(&data).args(["key", "deactivate", &id]));
    report(&rounds);
}

/// A round while the server makes vectors; says how many it made.
fn measure_growing(data: &Path, key: &str) -> Round {
    let server = RunningServer::start(data, "off-behind-proxy");
    let client = Client::new(&server.base_url, Some(key), None);
    ask(&client, 0);
    let with_vectors = || client.get("/health").body["vectors"]["with_vectors"].as_u64();
    let before = with_vectors();
    let round = Round::run(&server, key, 1, THINKING);
    println!("passages with vectors before and after: {before:?}, {:?}", with_vectors());
    round
}

/// The rounds with a complete index.
fn measure_rounds(data: &Path, key: &str) -> Vec<(&'static str, Round)> {
    let server = RunningServer::start(data, "off-behind-proxy");
    let run = |clients, pause| Round::run(&server, key, clients, pause);
    ask(&Client::new(&server.base_url, Some(key), None), 0);
    vec![
        ("one client", run(1, Duration::ZERO)),
        ("four clients", run(4, Duration::ZERO)),
        ("64 clients", run(64, Duration::ZERO)),
        ("one that thinks", run(1, THINKING)),
    ]
}

fn report(rounds: &[(&'static str, Round)]) {
    let rows = rounds.iter().map(|(name, round)| {
        let figures = round.to_json();
        let ms = |field: &str| format!("{:.0} ms", figures[field].as_f64().unwrap_or(f64::NAN));
        vec![
            (*name).to_owned(),
            format!("{} of {}", figures["reranked"], figures["answered"]),
            figures["refused"].to_string(),
            ms("p50_ms"),
            ms("p95_ms"),
            ms("max_ms"),
        ]
    });
    let head = ["clients", "reranked", "refused", "p50", "p95", "latest"];
    println!("{}", table(&head, &rows.collect::<Vec<_>>()));
    let figures = rounds.iter().map(|(name, round)| ((*name).to_owned(), round.to_json()));
    write_results("load", &Value::Object(figures.collect()));
}
