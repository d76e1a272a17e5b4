//! What is measured in processes of their own: opening an index, its memory, and searching on two
//! threads at once.
//!
//! The bench starts itself as a child process; [`run_as_child`] is what the child runs.

use std::io::Read;
use std::path::Path;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;
use serde_json::json;

use crate::clock::quantile;
use crate::data::VectorSet;
use crate::engine::OpenedIndex;
use crate::engines;
use crate::memory;

const OPEN: &str = "open-index";
const SEARCH: &str = "search-index";

/// Queries of the searching processes, beside the index.
const QUERIES: &str = "queries.f32";

/// How long each searching process searches.
const SEARCH_DURATION: Duration = Duration::from_secs(2);

/// What opening an index takes; memory is what the process grew by.
pub struct OpenCost {
    /// Seconds of wall time with its files in the page cache.
    pub warm_s: f64,
    /// The same with its files evicted from it.
    pub cold_s: f64,
    /// Bytes of anonymous memory.
    pub anonymous: u64,
    /// Bytes of resident memory, mapped files included.
    pub resident: u64,
}

/// Runs what the arguments of a child process ask for; false where this is the bench itself.
pub fn run_as_child() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [OPEN, engine, folder, dimension] => {
            println!(
                "{}",
                open_index(engine, Path::new(folder), dimension.parse().expect("a number"))
            );
            true
        }
        [SEARCH, folder, dimension, threads] => {
            let number = |text: &str| text.parse().expect("a number");
            println!("{}", search_index(Path::new(folder), number(dimension), number(threads)));
            true
        }
        _ => false,
    }
}

fn start_child(arguments: &[&str]) -> Child {
    let program = std::env::current_exe().expect("this program");
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::piped()).spawn().expect("it starts")
}

fn read_answer(mut child: Child) -> Value {
    let mut text = String::new();
    let mut output = child.stdout.take().expect("piped");
    output.read_to_string(&mut text).expect("an answer");
    assert!(child.wait().expect("it ends").success(), "a started process failed");
    // Some engines print, too.
    let line = text.lines().last().expect("a line");
    serde_json::from_str(line).expect("JSON")
}

/// Opens an engine's index five times with its files in memory, and three times with them on disk
/// only.
pub fn measure_opening(engine: &str, folder: &Path, dimension: usize) -> OpenCost {
    let folder_path = folder.to_string_lossy();
    let dimension = dimension.to_string();
    let opened = || read_answer(start_child(&[OPEN, engine, &folder_path, &dimension]));
    let seconds = |opened: &Value| opened["seconds"].as_f64().expect("seconds");
    let mut cold: Vec<f64> = (0..3)
        .map(|_| {
            memory::evict_folder(folder).expect("evicted");
            seconds(&opened())
        })
        .collect();
    read_all(folder);
    let answers: Vec<Value> = (0..5).map(|_| opened()).collect();
    let mut warm: Vec<f64> = answers.iter().map(seconds).collect();
    let bytes = |name: &str| answers[0][name].as_u64().expect("bytes");
    OpenCost {
        warm_s: quantile(&mut warm, 0.5),
        cold_s: quantile(&mut cold, 0.5),
        anonymous: bytes("anonymous"),
        resident: bytes("resident"),
    }
}

/// Brings files into the page cache.
fn read_all(folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            read_all(&path);
        } else {
            let mut file = std::fs::File::open(path).expect("a file");
            std::io::copy(&mut file, &mut std::io::sink()).expect("readable");
        }
    }
}

fn open_index(engine: &str, folder: &Path, dimension: usize) -> Value {
    let engine =
        engines::all_engines().into_iter().find(|one| one.name == engine).expect("an engine");
    let before = memory::process_memory();
    let begun = Instant::now();
    let (seconds, anonymous, resident) = match (engine.open)(folder, dimension) {
        // The index stays open until its memory is measured.
        OpenedIndex::InProcess(_index) => {
            let seconds = begun.elapsed().as_secs_f64();
            let after = memory::process_memory();
            let anonymous = after.anonymous_bytes.saturating_sub(before.anonymous_bytes);
            let resident = after.resident_bytes.saturating_sub(before.resident_bytes);
            (seconds, anonymous, resident)
        }
        OpenedIndex::Measured { seconds, anonymous_bytes, resident_bytes } => {
            (seconds, anonymous_bytes, resident_bytes)
        }
    };
    json!({ "seconds": seconds, "anonymous": anonymous, "resident": resident })
}

/// Searches per second of our engine; medians of interleaved rounds.
#[derive(Clone, Copy)]
pub struct ConcurrentSearchRates {
    /// By two threads of one process.
    pub two_threads: f64,
    /// By two processes of one thread each, together.
    pub two_processes: f64,
}

/// Measures how many searches our engine answers per second when two run at once.
pub fn measure_concurrent_searches(
    data: &VectorSet,
    folder: &Path,
    rounds: usize,
) -> ConcurrentSearchRates {
    let queries: Vec<u8> = data.queries.iter().flat_map(|number| number.to_le_bytes()).collect();
    std::fs::write(folder.join(QUERIES), queries).expect("written");
    let folder_path = folder.to_string_lossy();
    let dimension = data.dimension.to_string();
    let start_search = |threads: &str| start_child(&[SEARCH, &folder_path, &dimension, threads]);
    let rate = |child: Child| read_answer(child)["per_second"].as_f64().expect("a rate");
    let (mut threads, mut processes) = (Vec::new(), Vec::new());
    for round in 0..rounds.max(5) {
        let by_threads = || rate(start_search("2"));
        let by_processes = || [start_search("1"), start_search("1")].map(rate).iter().sum::<f64>();
        if round % 2 == 0 {
            threads.push(by_threads());
            processes.push(by_processes());
        } else {
            processes.push(by_processes());
            threads.push(by_threads());
        }
    }
    ConcurrentSearchRates {
        two_threads: quantile(&mut threads, 0.5),
        two_processes: quantile(&mut processes, 0.5),
    }
}

fn search_index(folder: &Path, dimension: usize, threads: usize) -> Value {
    let bytes = std::fs::read(folder.join(QUERIES)).expect("queries");
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    let nearest = engines::own::search_ten_nearest(folder);
    // Once before the clock starts, so that the pages are in memory.
    numbers.chunks_exact(dimension).for_each(|query| {
        nearest(query);
    });
    let answered = AtomicU64::new(0);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                for query in numbers.chunks_exact(dimension).cycle() {
                    if begun.elapsed() > SEARCH_DURATION {
                        break;
                    }
                    nearest(query);
                    answered.fetch_add(1, Relaxed);
                }
            });
        }
    });
    json!({ "per_second": answered.into_inner() as f64 / begun.elapsed().as_secs_f64() })
}
