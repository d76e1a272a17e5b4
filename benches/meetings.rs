//! How long does it take to import the report of a meeting and to list decisions, and does a question find the
//! decision that answers it?
//!
//! The real reports below `SPECBOX_REAL` are imported under their own meetings, and again under other numbers until
//! there are sixty. The questions of `tests/fixtures/decision_questions.tsv` are asked over HTTPS.

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
const REPORTS: [(&str, &str); 3] = [
    ("Final_Report_RAN1-84.docx", "R1-84"),
    ("Final_Report_RAN1-118.docx", "R1-118"),
    ("Final_Report_RAN1-122.docx", "R1-122"),
];
/// Meetings in the index.
const MEETINGS: usize = 60;
/// The first number of the meetings under which reports are imported again.
const OTHER_MEETINGS_FROM: usize = 203;
/// Calls of each request.
const CALLS: usize = 100;
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
        let (file, own_meeting) = REPORTS[meeting % REPORTS.len()];
        let name = if meeting < REPORTS.len() {
            own_meeting.to_owned()
        } else {
            format!("R1-{}", OTHER_MEETINGS_FROM + meeting - REPORTS.len())
        };
        let began = Instant::now();
        let path = folder.join(file);
        let imported =
            command(specbox(&data).args(["meetings", "import", "--meeting", &name]).arg(&path));
        let seconds = began.elapsed().as_secs_f64();
        if meeting < REPORTS.len() {
            let bytes = fs::metadata(&path).expect("there").len();
            let decisions = imported["notes"][0]["decisions"].as_u64();
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
    let (found, asked) = ask_questions(&client);
    report(&imports, &lists, found, asked);
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
