//! How long does it take to fetch a contribution that nobody has read yet, what do many concurrent callers get, and
//! does a question find the document that answers it?
//!
//! The real contributions of two meetings below `SPECBOX_REAL` lie, zipped, behind a file server on loopback.
//! Some of about a megabyte are fetched one after another; then 200 concurrent callers ask for the others. The
//! questions of `data/questions/tdocs.jsonl` are then asked over HTTPS, reranked and not, in turn.

#[path = "support/bench_client.rs"]
mod bench_client;
#[path = "../tests/support/file_server.rs"]
mod file_server;
#[path = "support/measure.rs"]
mod measure;
#[expect(dead_code, reason = "tests use the rest")]
#[path = "../tests/support/program.rs"]
mod program;
#[path = "../tests/support/server.rs"]
mod server;
#[path = "support/statistics.rs"]
mod statistics;

use std::{
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use bench_client::BenchClient;
use file_server::{RequestCounts, file_server};
use measure::{table, write_results};
use program::{json as command, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use statistics::median;
use zip::{ZipWriter, write::SimpleFileOptions};

/// Folders of real contributions, and where their meetings lie on the file server.
const MEETINGS: [(&str, &str); 2] =
    [("ran1_125", "tsg_ran/WG1_RL1/TSGR1_125"), ("ran4_119", "tsg_ran/WG4_Radio/TSGR4_119")];
/// Contributions that are fetched alone: those whose size is nearest to a megabyte.
const ALONE: usize = 5;
/// Concurrent callers.
const CALLERS: usize = 200;
/// The number of first results that must hold the document.
const DEPTH: usize = 5;

fn main() {
    let real =
        env::var_os("SPECBOX_REAL").map_or_else(|| PathBuf::from("../shared/real"), PathBuf::from);
    if !real.join("tdocs").is_dir() {
        eprintln!("NOT MEASURED: there are no real contributions below {}", real.display());
        return;
    }
    let temporary = tempfile::tempdir().expect("temporary folder");
    let mut contributions = write_mirror(&real, &temporary.path().join("mirror"));
    contributions.sort_by_key(|(_, bytes)| bytes.abs_diff(1_000_000));
    let (base, request_counts) = file_server(temporary.path().join("mirror"), Duration::ZERO);
    let data = temporary.path().join("data");
    command(
        specbox(&data).env("SPECBOX_MIRROR", &base).args(["sync", "meetings", "--group", "R1,R4"]),
    );
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    configure(&data, &base);
    let server = RunningServer::start(&data, "auto");
    let client = BenchClient::new(&server, made["key"].as_str().expect("a key"));
    let (first, rest) = contributions.split_at(1);
    // The first loads the models.
    let loading_s = measure_fetch(&client, &first[0].0);
    let (alone, rest) = rest.split_at(ALONE);
    let alone: Vec<(usize, f64)> =
        alone.iter().map(|(id, bytes)| (*bytes, measure_fetch(&client, id))).collect();
    let concurrent = fetch_concurrently(&client, rest, &request_counts);
    let searches = [true, false].map(|rerank| ask_questions(&client, rerank));
    report(loading_s, &alone, &concurrent, &searches, contributions.len());
}

/// Zips the real contributions into the layout of the file server; gives their numbers and sizes in bytes.
fn write_mirror(real: &Path, to: &Path) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    for (folder, meeting) in MEETINGS {
        let docs = to.join(meeting).join("Docs");
        fs::create_dir_all(&docs).expect("made");
        for entry in fs::read_dir(real.join("tdocs").join(folder)).expect("readable").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // Without LibreOffice a .doc is read in part only.
            let (Some((id, _)), true) = (name.split_once('_'), name.ends_with(".docx")) else {
                continue;
            };
            let content = fs::read(entry.path()).expect("readable");
            let file = fs::File::create(docs.join(format!("{id}.zip"))).expect("made");
            let mut archive = ZipWriter::new(file);
            archive.start_file(name.as_str(), SimpleFileOptions::default()).expect("begun");
            archive.write_all(&content).expect("written");
            archive.finish().expect("finished");
            all.push((id.to_owned(), content.len()));
        }
    }
    all
}

fn configure(data: &Path, base: &str) {
    let path = data.join("specbox.toml");
    let settings = fs::read_to_string(&path).expect("there");
    let mirror = format!("[mirror]\nsource = {base:?}\nrequests_per_second = 1000.0\n");
    let settings = if settings.contains("\n[mirror]\n") {
        settings.replacen("\n[mirror]\n", &format!("\n{mirror}"), 1)
    } else {
        format!("{settings}\n{mirror}")
    };
    fs::write(path, settings).expect("written");
}

/// Fetches one contribution and searches for it; gives the seconds until it was found.
fn measure_fetch(client: &BenchClient, id: &str) -> f64 {
    let began = Instant::now();
    let record = client.ask(&format!("/tdocs/{id}/fetch"), Some(&json!({})));
    assert_eq!(record["content"]["status"], "complete", "{record:#}");
    let search = json!({"query": id, "rerank_top_k": 1, "rerank": false});
    let found = client.ask("/tdocs/search", Some(&search));
    assert_eq!(found["results"][0]["tdoc_id"], id, "{found:#}");
    began.elapsed().as_secs_f64()
}

/// What concurrent callers got.
struct ConcurrentFetches {
    documents: usize,
    downloads: usize,
    retries: usize,
    seconds: f64,
}

/// All callers ask at once, for the documents in turn; a caller that must wait retries.
fn fetch_concurrently(
    client: &BenchClient,
    contributions: &[(String, usize)],
    request_counts: &RequestCounts,
) -> ConcurrentFetches {
    let began = Instant::now();
    let retries: usize = thread::scope(|scope| {
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| {
                let (id, _) = &contributions[caller % contributions.len()];
                scope.spawn(move || fetch_with_retries(client, id))
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().expect("answered")).sum()
    });
    let seconds = began.elapsed().as_secs_f64();
    let request_counts = request_counts.lock().expect("not poisoned");
    let count = |id: &str| {
        let file = format!("/{id}.zip");
        request_counts
            .iter()
            .filter(|(path, _)| path.ends_with(&file))
            .map(|(_, count)| *count)
            .sum::<usize>()
    };
    let downloads = contributions.iter().map(|(id, _)| count(id)).sum();
    ConcurrentFetches { documents: contributions.len(), downloads, retries, seconds }
}

/// Asks for a document until it is there; gives the number of retries.
fn fetch_with_retries(client: &BenchClient, id: &str) -> usize {
    for retries in 0.. {
        let (status, answer) = client.send_request(&format!("/tdocs/{id}/fetch"), Some(&json!({})));
        if status == 200 {
            assert_eq!(answer["content"]["status"], "complete", "{answer:#}");
            return retries;
        }
        assert!(matches!(status, 202 | 503), "{id}: {status} {answer:#}");
        thread::sleep(Duration::from_secs(answer["detail"]["retry_after"].as_u64().unwrap_or(2)));
    }
    unreachable!("asked without end")
}

/// How many questions found their document and their unit.
struct QuestionResults {
    rerank: bool,
    documents: usize,
    units: usize,
    questions: usize,
    p50_ms: f64,
}

fn ask_questions(client: &BenchClient, rerank: bool) -> QuestionResults {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/questions/tdocs.jsonl");
    let text = fs::read_to_string(path).expect("readable");
    let (mut times, mut documents, mut units) = (Vec::new(), 0, 0);
    for line in text.lines() {
        let question: Value = serde_json::from_str(line).expect("JSON");
        let mut body = json!({"query": question["query"], "rerank_top_k": DEPTH, "rerank": rerank});
        if let Some(filters) = question.get("filters") {
            body["filters"] = filters.clone();
        }
        let sent = Instant::now();
        let answer = client.ask("/tdocs/search", Some(&body));
        times.push(sent.elapsed().as_secs_f64() * 1000.0);
        let results = answer["results"].as_array().expect("results");
        let of_document = || results.iter().filter(|result| result["tdoc_id"] == question["tdoc"]);
        documents += usize::from(of_document().next().is_some());
        let labelled = |result: &Value| {
            let labels = result["unit_labels"].as_array().map_or(&[][..], Vec::as_slice);
            labels.iter().any(|label| label == &question["label"])
        };
        units += usize::from(
            of_document().any(|result| question["label"].is_null() || labelled(result)),
        );
    }
    QuestionResults { rerank, documents, units, questions: times.len(), p50_ms: median(times) }
}

fn report(
    loading_s: f64,
    alone: &[(usize, f64)],
    concurrent: &ConcurrentFetches,
    searches: &[QuestionResults; 2],
    read: usize,
) {
    println!("{read} contributions; the first, with the models' loading: {loading_s:.1} s\n");
    let rows: Vec<Vec<String>> = alone
        .iter()
        .map(|(bytes, seconds)| vec![format!("{bytes}"), format!("{seconds:.2} s")])
        .collect();
    println!("{}", table(&["bytes of the file", "fetched, read, found"], &rows));
    println!(
        "{CALLERS} callers at once for {} documents: {} downloads, all answered in {:.0} s, asked again {} times\n",
        concurrent.documents, concurrent.downloads, concurrent.seconds, concurrent.retries,
    );
    let rows: Vec<Vec<String>> = searches
        .iter()
        .map(|results| {
            let share = |hits: usize| format!("{:.2}", hits as f64 / results.questions as f64);
            vec![
                if results.rerank { "reranked" } else { "not reranked" }.to_owned(),
                share(results.documents),
                share(results.units),
                format!("{:.0} ms", results.p50_ms),
            ]
        })
        .collect();
    println!("{}", table(&["search", "Recall@5", "with the unit", "p50"], &rows));
    write_results(
        "contributions",
        &json!({
            "contributions": read,
            "first_s": loading_s,
            "alone": alone.iter().map(|(bytes, s)| json!({"bytes": bytes, "s": s})).collect::<Vec<_>>(),
            "at_once": {
                "callers": CALLERS, "documents": concurrent.documents,
                "downloads": concurrent.downloads, "asked_again": concurrent.retries,
                "s": concurrent.seconds,
            },
            "search": searches.iter().map(|results| json!({
                "rerank": results.rerank, "questions": results.questions,
                "document_in_first_5": results.documents, "unit_in_first_5": results.units,
                "p50_ms": results.p50_ms,
            })).collect::<Vec<_>>(),
        }),
    );
}
