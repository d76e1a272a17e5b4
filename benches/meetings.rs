//! How long does it take to import the report of a meeting, to list decisions, to search those of all meetings and to
//! check a quotation, and does a question find the decision that answers it?
//!
//! The real reports below `SPECBOX_REAL` are imported, and again with other numbers on their covers until there are sixty
//! meetings. The questions of `tests/fixtures/decision_questions.tsv` are asked over HTTPS.

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
    env, fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use bench_client::BenchClient;
use measure::{table, write_results};
use program::{json as command, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use statistics::median;

/// Reports, and the numbers of their meetings.
const REPORTS: [(&str, usize); 3] = [
    ("Final_Report_RAN1-84.docx", 84),
    ("Final_Report_RAN1-118.docx", 118),
    ("Final_Report_RAN1-122.docx", 122),
];
/// Meetings in the index.
const MEETINGS: usize = 60;
/// The first number of the meetings under which reports are imported again.
const OTHER_MEETINGS_FROM: usize = 203;
/// Calls of each request.
const CALLS: usize = 100;
/// Questions to the decisions of all meetings, in turn: abbreviations, long forms, sentences.
const TOPICS: [&str; 8] = [
    "LP-WUS",
    "low-power wake-up signal",
    "SBFD",
    "integrated sensing and communication",
    "NB-IoT",
    "What was agreed on timing relationships?",
    "saving power while the terminal waits for a page",
    "how many antenna ports a reference signal has",
];
/// The number of first results that must hold the decision.
const DEPTH: usize = 5;

fn main() {
    let real =
        env::var_os("SPECBOX_REAL").map_or_else(|| PathBuf::from("../shared/real"), PathBuf::from);
    let folder = real.join("notes/ran1_final_reports");
    if !folder.is_dir() {
        eprintln!("NOT MEASURED: there are no real reports below {}", real.display());
        return;
    }
    let temporary = tempfile::tempdir().expect("temporary folder");
    let data = temporary.path().join("data");
    let registers = real.join("registers/ran1");
    if registers.is_dir() {
        command(specbox(&data).args(["tdocs", "import"]).arg(registers));
    }
    let mut imports = Vec::new();
    for meeting in 0..MEETINGS {
        let (file, own_number) = REPORTS[meeting % REPORTS.len()];
        let path = if meeting < REPORTS.len() {
            folder.join(file)
        } else {
            let number = OTHER_MEETINGS_FROM + meeting - REPORTS.len();
            let path = temporary.path().join(format!("Final_Report_RAN1-{number}.docx"));
            write_renumbered(&folder.join(file), own_number, number, &path);
            path
        };
        let began = Instant::now();
        let imported = command(specbox(&data).args(["meetings", "import"]).arg(&path));
        let seconds = began.elapsed().as_secs_f64();
        let decisions = imported["notes"][0]["decisions"].as_u64();
        assert!(decisions.is_some(), "{}: {imported}", path.display());
        if meeting < REPORTS.len() {
            let bytes = fs::metadata(&path).expect("there").len();
            imports.push(ImportedReport { file, bytes, decisions, seconds });
        }
    }
    let made = command(specbox(&data).args(["key", "create", "--name", "bench"]));
    let server = RunningServer::start(&data, "auto");
    let client = BenchClient::new(&server, made["key"].as_str().expect("a key"));
    let lists = [
        ("one meeting", "/meetings/R1-118/decisions"),
        ("each meeting in turn", ""),
        ("of an agenda item", "/meetings/R1-118/decisions?agenda_item=9.1"),
        ("noted documents", "/meetings/R1-84/decisions?decision_type=noted"),
        ("with a topic", "/meetings/R1-122/decisions?q=wake-up%20delay%20of%20the%20UE"),
        ("the meeting itself", "/meetings/R1-118"),
    ];
    let lists = lists.map(|(name, target)| (name, measure_p50_ms(&client, target)));
    let mut lists = lists.to_vec();
    lists.push(("of all meetings, by topic", measure_search_p50_ms(&client)));
    lists.push(("a quotation", measure_quote_p50_ms(&client)));
    let (found, asked) = ask_questions(&client);
    report(&imports, &lists, found, asked);
}

/// Writes a report as that of another meeting: with another number on its cover, which runs may split.
fn write_renumbered(report: &Path, from: usize, to: usize, target: &Path) {
    let file = fs::File::open(report).expect("the report");
    let mut archive = zip::ZipArchive::new(file).expect("an archive");
    let mut writer = zip::ZipWriter::new(fs::File::create(target).expect("writable"));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let name = entry.name().expect("a name").into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("readable");
        if name == "word/document.xml" {
            let text = String::from_utf8(bytes).expect("UTF-8");
            bytes = renumber_cover(&text, from, to).into_bytes();
        }
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("writable");
        writer.write_all(&bytes).expect("writable");
    }
    writer.finish().expect("writable");
}

/// Replaces the first number after `#`, whose digits may stand in several runs.
fn renumber_cover(document: &str, from: usize, to: usize) -> String {
    let start = document.find(">#").expect("a number on the cover") + ">#".len();
    let digits = from.to_string();
    let (mut left, mut rest) = (digits.as_str(), &document[start..]);
    let mut changed = format!("{}{to}", &document[..start]);
    while let Some(digit) = left.chars().next() {
        // Between the digits are tags alone.
        let end = match rest.strip_prefix(digit) {
            Some(after) => {
                (left, rest) = (&left[1..], after);
                continue;
            }
            None => rest[1..].find('>').expect("a tag") + 2,
        };
        changed.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    changed.push_str(rest);
    changed
}

/// The median time of a search over all meetings, in milliseconds.
fn measure_search_p50_ms(client: &BenchClient) -> f64 {
    let target_of = |call: usize| {
        let topic = TOPICS[call % TOPICS.len()];
        let query: String = url::form_urlencoded::byte_serialize(topic.as_bytes()).collect();
        format!("/decisions?q={query}")
    };
    // The first search reads the notes of all meetings.
    (0..TOPICS.len()).for_each(|call| drop(client.ask(&target_of(call), None)));
    let times = (0..CALLS).map(|call| {
        let sent = Instant::now();
        client.ask(&target_of(call), None);
        sent.elapsed().as_secs_f64() * 1000.0
    });
    median(times.collect())
}

/// The median time of checking the words of a decision against all that is stored, in milliseconds.
fn measure_quote_p50_ms(client: &BenchClient) -> f64 {
    let page = client.ask("/meetings/R1-118/decisions?decision_type=agreement&limit=50", None);
    let quotes: Vec<String> = page["items"]
        .as_array()
        .expect("decisions")
        .iter()
        .filter_map(|item| Some(item["quote"].as_str()?.lines().next()?.to_owned()))
        .filter(|quote| quote.split_whitespace().count() >= 8)
        .collect();
    let ask = |call: usize| {
        let body = json!({"quote": quotes[call % quotes.len()]});
        client.ask("/quotes/verify", Some(&body))
    };
    (0..quotes.len()).for_each(|call| assert_eq!(ask(call)["verdict"], "exact"));
    let times = (0..CALLS).map(|call| {
        let sent = Instant::now();
        ask(call);
        sent.elapsed().as_secs_f64() * 1000.0
    });
    median(times.collect())
}

/// A report that was imported under its own meeting.
struct ImportedReport {
    file: &'static str,
    bytes: u64,
    decisions: Option<u64>,
    seconds: f64,
}

/// The median time of a request in milliseconds; without a target each meeting is asked for in turn.
fn measure_p50_ms(client: &BenchClient, target: &str) -> f64 {
    let target_of = |call: usize| match target {
        "" => {
            let meeting = OTHER_MEETINGS_FROM + call % (MEETINGS - REPORTS.len());
            format!("/meetings/R1-{meeting}/decisions")
        }
        target => target.to_owned(),
    };
    // The first request of each meeting reads its notes.
    (0..if target.is_empty() { MEETINGS } else { 1 })
        .for_each(|call| drop(client.ask(&target_of(call), None)));
    let times = (0..CALLS).map(|call| {
        let target = target_of(call);
        let sent = Instant::now();
        client.ask(&target, None);
        sent.elapsed().as_secs_f64() * 1000.0
    });
    median(times.collect())
}

/// How many questions find their decision, and how many were asked.
fn ask_questions(client: &BenchClient) -> (usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/decision_questions.tsv");
    let text = fs::read_to_string(path).expect("the questions");
    let (mut found, mut asked) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let query: String = url::form_urlencoded::byte_serialize(parts[3].as_bytes()).collect();
        let target = format!("/meetings/{}/decisions?limit={DEPTH}&q={query}", parts[1]);
        let answer = client.ask(&target, None);
        let paragraph = format!("#p{}", parts[2]);
        let is_answer = |item: &Value| {
            item["source"]["anchor"].as_str().is_some_and(|anchor| anchor.ends_with(&paragraph))
        };
        asked += 1;
        found += usize::from(
            answer["items"].as_array().is_some_and(|items| items.iter().any(is_answer)),
        );
    }
    (found, asked)
}

fn report(imports: &[ImportedReport], lists: &[(&str, f64)], found: usize, asked: usize) {
    let rows: Vec<Vec<String>> = imports
        .iter()
        .map(|ImportedReport { file, bytes, decisions, seconds }| {
            vec![
                (*file).to_owned(),
                bytes.to_string(),
                decisions.unwrap_or(0).to_string(),
                format!("{seconds:.2} s"),
            ]
        })
        .collect();
    println!("{}", table(&["report", "bytes", "decisions", "taken in"], &rows));
    let rows: Vec<Vec<String>> =
        lists.iter().map(|(name, ms)| vec![(*name).to_owned(), format!("{ms:.1} ms")]).collect();
    println!("{}", table(&["decisions, sixty meetings", "p50"], &rows));
    println!("{found} of {asked} questions find their decision among the first {DEPTH}");
    write_results(
        "meetings",
        &json!({
            "reports": imports.iter().map(|ImportedReport { file, bytes, decisions, seconds }| json!({
                "file": file, "bytes": bytes, "decisions": decisions, "s": seconds,
            })).collect::<Vec<_>>(),
            "meetings": MEETINGS,
            "p50_ms": lists.iter().map(|(name, ms)| json!({"list": name, "ms": ms})).collect::<Vec<_>>(),
            "questions": asked,
            "decision_in_first_5": found,
        }),
    );
}
