//! How fast are archives read? Every document of a folder, without embedding.
//!
//! `SPECBOX_REAL` names the folder with the real files (default `../shared/real`). Times are
//! processor time of this process, which a busy machine does not stretch as much as wall time;
//! memory is the peak of a process that reads the one document alone.

#[path = "support/measure.rs"]
mod measure;
#[path = "support/process.rs"]
mod process;
#[path = "support/statistics.rs"]
mod statistics;

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use document::Limits;
use extract::{ExtractOptions, read_group};
use measure::{table, write_results};
use process::{cpu_seconds, peak_memory_mib};
use serde_json::{Value, json};
use statistics::median;

/// Rounds; the median counts.
const ROUNDS: usize = 3;
/// The document whose time and memory are reported separately.
const LARGE: &str = "38331-i00.docx";

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--one") {
        let path = PathBuf::from(arguments.next().expect("a path follows --one"));
        println!("{}", read_one(&path));
        return;
    }
    let real = std::env::var_os("SPECBOX_REAL").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real"),
        PathBuf::from,
    );
    let folder = real.join("specs/docx");
    if !folder.is_dir() {
        println!("no real files under {}; nothing is measured", folder.display());
        return;
    }
    let large = measure_large_document(&folder.join(LARGE));
    let all = measure_folder(&folder);
    let rows = [
        vec![
            LARGE.to_owned(),
            format!("{:.2} s", number(&large, "cpu_s")),
            format!("{:.0} MiB", number(&large, "peak_mb")),
        ],
        vec![
            format!("all {} of specs/docx", all["documents"]),
            format!("{:.1} s", number(&all, "cpu_s")),
            String::new(),
        ],
    ];
    println!("{}", table(&["documents", "CPU time", "peak memory"], &rows));
    write_results("extract", &json!({ "large": large, "all": all }));
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_default()
}

/// Reads one document in this process and measures what it took.
fn read_one(path: &Path) -> Value {
    let before = cpu_seconds();
    let extraction = read_group(&[path.to_owned()], &Limits::default(), &ExtractOptions::default());
    let sections = extraction.map(|e| e.documents[0].document.sections.len());
    json!({
        "cpu_s": cpu_seconds() - before,
        "peak_mb": peak_memory_mib(),
        "sections": sections.expect("the document is readable"),
    })
}

/// The same in a process of its own, several times.
fn measure_large_document(path: &Path) -> Value {
    let program = std::env::current_exe().expect("this program");
    let runs: Vec<Value> = (0..ROUNDS)
        .map(|_| {
            let output = Command::new(&program).arg("--one").arg(path).output().expect("it runs");
            serde_json::from_slice(&output.stdout).expect("JSON")
        })
        .collect();
    let median_of = |key: &str| median(runs.iter().map(|run| number(run, key)).collect());
    json!({
        "cpu_s": median_of("cpu_s"),
        "peak_mb": median_of("peak_mb"),
        "sections": runs[0]["sections"],
    })
}

fn measure_folder(folder: &Path) -> Value {
    let plan = mirror::plan_sources(&[folder.to_owned()]).expect("readable");
    let mut sections = 0;
    let seconds = (0..ROUNDS)
        .map(|_| {
            let before = cpu_seconds();
            sections = 0;
            for source in &plan.sources {
                let read =
                    read_group(&source.files, &Limits::default(), &ExtractOptions::default());
                let documents = read.expect("the document is readable").documents;
                sections += documents.iter().map(|d| d.document.sections.len()).sum::<usize>();
            }
            cpu_seconds() - before
        })
        .collect();
    json!({ "documents": plan.sources.len(), "sections": sections, "cpu_s": median(seconds) })
}
