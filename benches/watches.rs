//! What does it cost that a thousand things are watched?
//!
//! The versions of a specification are taken in one by one beside two servers, one where nobody watches anything and one
//! with a thousand watches. `SPECBOX_BENCH_VERSIONS` names a folder of versions (`scripts/make-versions` makes some), else
//! those of the sample corpus are taken. What the events say is compared with `compare_documents`.

#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/client.rs"]
mod client;
#[path = "support/measure.rs"]
mod measure;
#[expect(dead_code, reason = "other programs use the rest")]
#[path = "../tests/api/person.rs"]
mod person;
#[path = "../tests/support/program.rs"]
mod program;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/server.rs"]
mod server;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use client::Client;
use measure::{table, write_results};
use person::Person;
use program::{json as command, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use tempfile::TempDir;

/// Things that are watched beside the document.
const WATCHED: usize = 999;

/// What `tests/api/person.rs` needs of its own program.
mod own {
    use std::path::Path;

    use serde_json::Value;

    use crate::program::{json, specbox};

    pub(crate) fn add_user(data: &Path, name: &str) -> Value {
        json(specbox(data).args(["user", "add", name]))
    }
}

/// A server with its data folder.
struct BenchServer {
    server: RunningServer,
    client: Client,
    data: TempDir,
}

impl BenchServer {
    fn start() -> Self {
        let data = tempfile::tempdir().expect("temporary folder");
        let made = command(specbox(data.path()).args(["key", "create", "--name", "bench"]));
        let server = RunningServer::start(data.path(), "off-behind-proxy");
        let client = Client::new(&server.base_url, made["key"].as_str(), None);
        Self { server, client, data }
    }

    /// Takes a version in; how long that took, in milliseconds.
    fn ingest(&self, file: &Path) -> f64 {
        let started = Instant::now();
        let report = command(specbox(self.data.path()).args(["ingest", "--no-vectors"]).arg(file));
        assert_eq!(report["taken"].as_array().map(Vec::len), Some(1), "{report:#}");
        started.elapsed().as_secs_f64() * 1000.0
    }
}

fn main() {
    let files = versions();
    let (plain, watched) = (BenchServer::start(), BenchServer::start());
    let person = Person::new(&watched.server, watched.data.path(), "ann");
    let number = document_number(&files[0]);
    // Its feed holds the last hundred events: a person of their own has those of the document.
    let reader = Person::new(&watched.server, watched.data.path(), "bob");
    watch(&reader, "document", &number);
    for index in 0..WATCHED {
        let (kind, subject) = match index % 4 {
            0 => ("clause", format!("{number} {}.{}", 1 + index % 15, index / 60)),
            1 => ("name", format!("T{}", 300 + index)),
            2 => ("query", format!("beam failure {index}")),
            _ => ("work_item", format!("WI_{index}")),
        };
        watch(&person, kind, &subject);
    }
    let feed = feed_path(&reader);
    let (mut without, mut with, mut delays) = (Vec::new(), Vec::new(), Vec::new());
    for (index, file) in files.iter().enumerate() {
        without.push(plain.ingest(file));
        with.push(watched.ingest(file));
        let taken = Instant::now();
        while document_events(&watched.client, &feed, &number).len() <= index {
            assert!(taken.elapsed() < Duration::from_secs(60), "no event of {}", file.display());
            std::thread::sleep(Duration::from_millis(5));
        }
        delays.push(taken.elapsed().as_secs_f64() * 1000.0);
    }
    let agreeing = compare_events(&watched.client, &feed, &number);
    let figures = json!({
        "versions": files.len(),
        "ingest_without_p50_ms": median(&without),
        "ingest_with_p50_ms": median(&with),
        "event_after_p50_ms": median(&delays),
        "event_after_max_ms": delays.iter().copied().fold(0.0, f64::max),
        "events_that_say_what_a_comparison_says": agreeing,
    });
    let rows: Vec<Vec<String>> = figures
        .as_object()
        .expect("an object")
        .iter()
        .map(|(what, value)| vec![what.clone(), format!("{:.1}", value.as_f64().unwrap_or(0.0))])
        .collect();
    println!("{}", table(&["what", "value"], &rows));
    write_results("watches", &figures);
}

fn versions() -> Vec<PathBuf> {
    let folder = std::env::var_os("SPECBOX_BENCH_VERSIONS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| sample().join("38_series/38.990"));
    let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// `38.300` of `38300-g00.docx`.
fn document_number(file: &Path) -> String {
    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
    format!("{}.{}", &name[..2], &name[2..5])
}

fn watch(person: &Person, kind: &str, subject: &str) {
    let fields = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("kind", kind)
        .append_pair("subject", subject)
        .finish();
    assert_eq!(person.post("/dashboard/watches", &fields).status, 303, "{kind} {subject}");
}

fn feed_path(person: &Person) -> String {
    let page = String::from_utf8(person.post("/dashboard/watches/feed", "").bytes).expect("text");
    let (_, rest) = page.split_once("/feeds/").expect("an address");
    format!("/feeds/{}.json", rest.split('.').next().expect("a secret"))
}

/// The version and the text of each event of the document as a whole.
fn document_events(client: &Client, feed: &str, number: &str) -> Vec<(String, String)> {
    let body = client.get(feed).body;
    let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
    let items = body["items"].as_array().expect("items").iter();
    items
        .filter_map(|item| {
            let title = text(item, "title");
            let version = title.strip_prefix(&format!("{number} "))?.to_owned();
            (!version.contains(',')).then(|| (version, text(item, "content_text")))
        })
        .collect()
}

/// How many of the events say what `compare_documents` says.
fn compare_events(client: &Client, feed: &str, number: &str) -> usize {
    let says = |(version, text): &(String, String)| {
        let path = format!("/documents/compare?doc_number={number}&to={version}&limit=1");
        let answer = client.get(&path);
        if answer.status == 400 {
            return text.contains("First indexed");
        }
        let counts = &answer.body["section_counts"];
        let changed = counts["changed"].as_u64().expect("a number");
        let added = counts["added"].as_u64().expect("a number");
        let since =
            format!("Since {}: {changed} section", answer.body["from"].as_str().unwrap_or(""));
        let has_added = added == 0 || text.contains(&format!("{added} added"));
        (changed == 0 || text.starts_with(&since)) && has_added
    };
    document_events(client, feed, number).iter().filter(|event| says(event)).count()
}

fn median(list: &[f64]) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
