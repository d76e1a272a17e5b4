//! How long does it take to import the registers of ten years, and to list their documents?
//!
//! The real registers below `SPECBOX_REAL` are repeated under other groups and years until there are 120,000
//! documents. Then one client with a persistent connection asks for pages with each filter in turn, over HTTPS,
//! metered, and walks all pages of the whole list.

#[path = "support/bench_client.rs"]
mod bench_client;
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
    collections::HashSet,
    env, fs,
    io::{Cursor, Read, Write},
    path::{Path, PathBuf},
    time::Instant,
};

use bench_client::BenchClient;
use measure::{table, write_results};
use program::{json as command, specbox};
use regex::{Captures, Regex};
use serde_json::{Value, json};
use server::RunningServer;
use statistics::median;
use zip::{ZipArchive, ZipWriter, write::SimpleFileOptions};

/// The number of documents to reach.
const DOCUMENTS: usize = 120_000;
/// Calls with each filter that are measured.
const CALLS: usize = 100;
/// Calls before these, which warm caches up.
const WARM_UP_CALLS: usize = 5;

/// Filters, with the query that asks for them.
const FILTERS: [(&str, &str); 14] = [
    ("none", ""),
    ("source", "source=Ericsson"),
    ("source, misspelled", "source=Erricson"),
    ("source and role", "source=Huawei&role=submitter,co_submitter"),
    ("meeting", "meeting=R1-118"),
    ("group", "group=R1,S2"),
    ("agenda_item", "agenda_item=8.1"),
    ("doc_kind", "doc_kind=cr,summary"),
    ("status", "status=agreed,approved"),
    ("work_item", "work_item=NR_AIML_air-Core"),
    ("spec", "spec=38.214"),
    ("since and until", "since=2020-01-01&until=2026-12-31"),
    ("q", "q=beam+management"),
    (
        "all together",
        "source=Samsung&group=R1&status=not+treated&q=beam&since=2020-01-01&agenda_item=9",
    ),
];

fn main() {
    let real =
        env::var_os("SPECBOX_REAL").map_or_else(|| PathBuf::from("../shared/real"), PathBuf::from);
    let registers = real.join("registers");
    if !registers.is_dir() {
        eprintln!("NOT MEASURED: there are no real registers below {}", real.display());
        return;
    }
    let temporary = tempfile::tempdir().expect("temporary folder");
    let made = temporary.path().join("registers");
    let (files, rows) = write_repeated_registers(&registers, &made);
    let data = temporary.path().join("data");
    let began = Instant::now();
    let report = command(specbox(&data).args(["tdocs", "import"]).arg(&made));
    let import_s = began.elapsed().as_secs_f64();
    let imported: u64 =
        list(&report["imported"]).iter().filter_map(|one| one["new"].as_u64()).sum();
    assert_eq!((imported as usize, list(&report["refused"]).len()), (rows, 0), "{report:#}");
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let server = RunningServer::start(&data, "auto");
    let client = BenchClient::new(&server, made["key"].as_str().expect("a key"));
    let filters: Vec<FilterMeasurement> =
        FILTERS.iter().map(|(name, query)| measure_filter(&client, name, query)).collect();
    let (pages, walk_s) = walk_pages(&client, rows);
    let cells: Vec<Vec<String>> = filters
        .iter()
        .map(|FilterMeasurement { name, p50_ms, total }| {
            vec![(*name).to_owned(), total.to_string(), format!("{p50_ms:.2} ms")]
        })
        .collect();
    println!("{files} registers, {rows} documents imported in {import_s:.1} s");
    println!("{pages} pages of 200 give each document once, in {walk_s:.1} s\n");
    println!("{}", table(&["filter", "documents", "page of 50, p50"], &cells));
    let filters: Vec<Value> = filters
        .iter()
        .map(|FilterMeasurement { name, p50_ms, total }| {
            json!({"filter": name, "documents": total, "p50_ms": p50_ms})
        })
        .collect();
    write_results(
        "tdocs",
        &json!({
            "registers": files, "documents": rows, "import_s": import_s, "pages": pages,
            "walk_s": walk_s, "calls": CALLS, "filters": filters,
        }),
    );
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A filter and what asking with it gave.
struct FilterMeasurement {
    name: &'static str,
    /// Median time of one page.
    p50_ms: f64,
    /// Documents that match.
    total: u64,
}

fn measure_filter(client: &BenchClient, name: &'static str, query: &str) -> FilterMeasurement {
    let mut times = Vec::with_capacity(CALLS);
    let mut total = 0;
    for round in 0..WARM_UP_CALLS + CALLS {
        let sent = Instant::now();
        let reply = client.ask(&format!("/tdocs?{query}"), None);
        total = reply["total"].as_u64().expect("a number");
        if round >= WARM_UP_CALLS {
            times.push(sent.elapsed().as_secs_f64() * 1000.0);
        }
    }
    FilterMeasurement { name, p50_ms: median(times), total }
}

/// Walks all pages, which must give each document once; gives the number of pages and the seconds it took.
fn walk_pages(client: &BenchClient, rows: usize) -> (usize, f64) {
    let began = Instant::now();
    let (mut seen, mut pages, mut cursor) = (HashSet::new(), 0, String::new());
    loop {
        let reply = client.ask(&format!("/tdocs?limit=200{cursor}"), None);
        pages += 1;
        for item in list(&reply["items"]) {
            let id = item["tdoc_id"].as_str().expect("a number").to_owned();
            assert!(seen.insert(id), "{item:#} came twice");
        }
        match reply["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), rows);
    (pages, began.elapsed().as_secs_f64())
}

/// Writes the real workbooks as often as needed, each time as those of other meetings; gives the number of
/// files and of their documents.
fn write_repeated_registers(registers: &Path, to: &Path) -> (usize, usize) {
    fs::create_dir_all(to).expect("made");
    let mut real = Vec::new();
    for folder in ["ran1", "other"] {
        for entry in fs::read_dir(registers.join(folder)).expect("readable").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("TDoc_List") && name.ends_with(".xlsx") {
                let bytes = fs::read(entry.path()).expect("readable");
                let rows = register::read_register(&bytes).expect("a register").entries.len();
                real.push((name, bytes, rows));
            }
        }
    }
    real.sort();
    let (mut files, mut rows) = (0, 0);
    for round in 0.. {
        for (name, bytes, count) in &real {
            fs::write(to.join(shifted_name(name, round)), shifted_workbook(bytes, round))
                .expect("written");
            (files, rows) = (files + 1, rows + count);
        }
        if rows >= DOCUMENTS {
            break;
        }
    }
    (files, rows)
}

/// The group of a round: the six of RAN and SA in turn.
fn group(digit: &str, round: u32) -> u32 {
    (digit.parse::<u32>().expect("a digit") - 1 + round) % 6 + 1
}

/// The years of a round: eleven more for each turn of groups, so that no two rounds share a number.
fn year(digits: &str, round: u32) -> u32 {
    digits.parse::<u32>().expect("digits") + round / 6 * 11
}

fn shifted_name(name: &str, round: u32) -> String {
    let meeting = Regex::new(r"(TSGR|RAN|SA)(\d)([_#])(\d+)").expect("a pattern");
    let shifted = meeting.replace(name, |found: &Captures<'_>| {
        let number: u32 = found[4].parse().expect("digits");
        format!("{}{}{}{}", &found[1], group(&found[2], round), &found[3], number + round * 200)
    });
    format!("{round:02}_{shifted}")
}

/// A workbook with other numbers of documents and other folders in its links.
fn shifted_workbook(bytes: &[u8], round: u32) -> Vec<u8> {
    let number = Regex::new(r"\b([RS])([1-6])(w?)(-?)(\d\d)(\d{4,5})\b").expect("a pattern");
    let folder = Regex::new(r"TSG([RS])(\d)_+(\d+)").expect("a pattern");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).expect("a workbook");
    let mut shifted = ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut part = archive.by_index(index).expect("a part");
        let name = part.name().expect("a name").into_owned();
        let mut content = Vec::new();
        part.read_to_end(&mut content).expect("readable");
        if let (true, Ok(text)) = (round > 0, std::str::from_utf8(&content)) {
            let text = number.replace_all(text, |found: &Captures<'_>| {
                let (digit, years) = (group(&found[2], round), year(&found[5], round));
                format!("{}{digit}{}{}{years:02}{}", &found[1], &found[3], &found[4], &found[6])
            });
            let text = folder.replace_all(&text, |found: &Captures<'_>| {
                let meeting: u32 = found[3].parse().expect("digits");
                format!("TSG{}{}_{}", &found[1], group(&found[2], round), meeting + round * 200)
            });
            content = text.into_owned().into_bytes();
        }
        shifted.start_file(name, SimpleFileOptions::default()).expect("begun");
        shifted.write_all(&content).expect("written");
    }
    shifted.finish().expect("finished").into_inner()
}
