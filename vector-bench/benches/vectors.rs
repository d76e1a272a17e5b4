//! How fast is the vector index, how much does it find, and what does it cost beside others?
//!
//! Every engine builds an index over the same rows; then rounds of the same queries are interleaved,
//! each round beginning with another engine. Latencies are processor time of the searching thread.
//! An engine's effort is the least of a list that reaches the wanted recall; ties count as equal.
//!
//! `SPECBOX_BENCH_VECTORS` names a `.npy` file of 32-bit vectors (`specbox eval corpus --vectors`);
//! without it the set is synthetic, of `SPECBOX_BENCH_ROWS` rows (50000), `SPECBOX_BENCH_DIMENSION`
//! components (1024) and seed `SPECBOX_BENCH_SEED` (7). `SPECBOX_BENCH_QUERIES` (300),
//! `SPECBOX_BENCH_ROUNDS` (3) and `SPECBOX_BENCH_ENGINES` (parts of names, by commas) are as they say;
//! `SPECBOX_BENCH_OUT` names a file for the figures as JSON, `SPECBOX_PEER` the folder of a virtual
//! environment for faiss and hnswlib, and with `SPECBOX_BENCH_EXPLAIN` each of our plans is printed.

use std::fmt::Write as _;
use std::path::Path;
use std::path::PathBuf;

use serde_json::Value;
use serde_json::json;
use vector_bench::clock::quantile;
use vector_bench::data::Data;
use vector_bench::data::Random;
use vector_bench::data::threads;
use vector_bench::engine::Asked;
use vector_bench::engine::Built;
use vector_bench::engine::Engine;
use vector_bench::engine::Filter;
use vector_bench::engine::Reply;
use vector_bench::engines;
use vector_bench::truth::Truth;

const EFFORTS: [usize; 14] = [10, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1000];

/// An engine with what building it took.
struct Contender {
    name: &'static str,
    engine: Box<dyn Engine>,
    built: Built,
}

/// A question of the bench: how many nearest, how many of them must be found, among which rows.
struct Case {
    name: String,
    k: usize,
    least_recall: f64,
    filter: Option<Filter>,
    truth: Truth,
}

/// Times of the queries of all rounds, and the part of the nearest found.
struct Measured {
    effort: usize,
    recall: f64,
    /// Median over the rounds.
    p50_us: f64,
    p95_us: f64,
}

/// What the engines reached in one case, by their names; none where an engine cannot.
type Row = Vec<(String, Option<Measured>)>;

fn main() {
    let rounds = number("SPECBOX_BENCH_ROUNDS", 3).max(1);
    let data = data();
    let folder = tempfile::tempdir().expect("a folder");
    eprintln!("{} rows of {} components", data.len(), data.dimension);
    let mut contenders = contenders(&data, folder.path());
    let cases = cases(&data);
    let mut results: Vec<(String, Row)> = Vec::new();
    for case in &cases {
        let measured = measure(&mut contenders, &data, case, rounds);
        eprintln!("{}", line(&case.name, &measured));
        results.push((case.name.clone(), measured));
    }
    report(&data, &contenders, &results);
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn data() -> Data {
    let queries = number("SPECBOX_BENCH_QUERIES", 300);
    match std::env::var_os("SPECBOX_BENCH_VECTORS") {
        Some(path) => Data::from_npy(Path::new(&path), queries).expect("vectors"),
        None => {
            let rows = number("SPECBOX_BENCH_ROWS", 50_000);
            let dimension = number("SPECBOX_BENCH_DIMENSION", 1024);
            Data::synthetic(rows, dimension, queries, number("SPECBOX_BENCH_SEED", 7) as u64)
        }
    }
}

fn contenders(data: &Data, folder: &Path) -> Vec<Contender> {
    let wanted = std::env::var("SPECBOX_BENCH_ENGINES").unwrap_or_default();
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.split(',').any(|part| name.contains(part));
    let mut contenders = Vec::new();
    for (name, build) in engines::all().into_iter().filter(|(name, _)| is_wanted(name)) {
        let place: PathBuf = folder.join(name);
        std::fs::create_dir_all(&place).expect("a folder");
        let Some((engine, built)) = build(data, &place, threads()) else { continue };
        let Built { cpu_s, wall_s, .. } = built;
        eprintln!("{name}: built in {cpu_s:.1} s of processor time, {wall_s:.1} s");
        contenders.push(Contender { name, engine, built });
    }
    contenders
}

/// Without filter, and with filters of whole documents.
fn cases(data: &Data) -> Vec<Case> {
    let plain = |name: &str, k, least_recall| Case {
        name: name.to_owned(),
        k,
        least_recall,
        filter: None,
        truth: Truth::new(data, k, |_| true),
    };
    let documents = data.documents.last().map_or(0, |last| *last as usize + 1);
    let mut random = Random(99);
    let mut filtered = |name: &str, share: f64| {
        let mut allowed: Vec<bool> =
            (0..documents).map(|_| (random.below(100_000) as f64) < share * 100_000.0).collect();
        if !allowed.contains(&true) {
            let one = random.below(documents);
            allowed[one] = true;
        }
        let truth = Truth::new(data, 10, |row| allowed[data.documents[row as usize] as usize]);
        let filter = Some(Filter { name: name.to_owned(), allowed });
        Case { name: name.to_owned(), k: 10, least_recall: 0.99, filter, truth }
    };
    let mut cases = vec![
        filtered("k=10, half of the documents", 0.5),
        filtered("k=10, 16 % of the documents", 0.16),
        filtered("k=10, 1 % of the documents", 0.01),
        filtered("k=10, 0.1 % of the documents", 0.001),
        filtered("k=10, one document", 0.0),
    ];
    cases.insert(0, plain("k=10", 10, 0.99));
    cases.insert(1, plain("k=200", 200, 0.995));
    cases
}

fn measure(contenders: &mut [Contender], data: &Data, case: &Case, rounds: usize) -> Row {
    let mut found: Row = Vec::new();
    for contender in contenders.iter_mut() {
        found.push((contender.name.to_owned(), effort(contender, data, case)));
    }
    let mut times = vec![Vec::new(); found.len()];
    for round in 0..rounds {
        for turn in 0..found.len() {
            let at = (round + turn) % found.len();
            let Some(measured) = &found[at].1 else { continue };
            let engine = &mut *contenders[at].engine;
            let (_, mut micros) = run(engine, data, case, measured.effort).expect("it ran before");
            times[at].push((quantile(&mut micros, 0.5), quantile(&mut micros, 0.95)));
        }
    }
    for ((_, measured), times) in found.iter_mut().zip(&times) {
        if let Some(measured) = measured {
            let mut all: Vec<f64> = times.iter().map(|time| time.0).collect();
            measured.p50_us = quantile(&mut all, 0.5);
            let mut all: Vec<f64> = times.iter().map(|time| time.1).collect();
            measured.p95_us = quantile(&mut all, 0.5);
        }
    }
    found
}

/// The least effort that finds enough; for ours with a filter or without the default, 0.
fn effort(contender: &mut Contender, data: &Data, case: &Case) -> Option<Measured> {
    let mut last = None;
    let is_ours = contender.name == "specbox";
    let efforts = EFFORTS.into_iter().filter(|effort| *effort >= case.k.min(200) / 2);
    for effort in efforts {
        let effort = if is_ours && case.filter.is_some() { 0 } else { effort };
        let (recall, _) = run(&mut *contender.engine, data, case, effort)?;
        last = Some(Measured { effort, recall, p50_us: 0.0, p95_us: 0.0 });
        if recall >= case.least_recall || effort == 0 {
            break;
        }
    }
    last
}

fn run(
    engine: &mut dyn Engine,
    data: &Data,
    case: &Case,
    effort: usize,
) -> Option<(f64, Vec<f64>)> {
    let queries: Vec<&[f32]> = data.queries().collect();
    let asked = Asked { k: case.k, effort, filter: case.filter.as_ref() };
    let replies = engine.run(&queries, asked)?;
    let found = |(at, reply): (usize, &Reply)| case.truth.recall(data, at, &reply.rows);
    let recall: f64 = replies.iter().enumerate().map(found).sum();
    let micros = replies.iter().map(|reply| reply.micros).collect();
    Some((recall / replies.len().max(1) as f64, micros))
}

fn line(case: &str, measured: &Row) -> String {
    let mut line = case.to_owned();
    for (name, measured) in measured {
        match measured {
            Some(Measured { effort, recall, p50_us, p95_us }) => {
                let _ = write!(
                    line,
                    "\n  {name}: ef {effort}, recall {recall:.4}, {p50_us:.0} us, {p95_us:.0} us"
                );
            }
            None => {
                let _ = write!(line, "\n  {name}: cannot");
            }
        }
    }
    line
}

fn report(data: &Data, contenders: &[Contender], results: &[(String, Row)]) {
    let mut table = String::from("| case |");
    let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
    names.iter().for_each(|name| table.push_str(&format!(" {name} |")));
    table.push_str("\n|---|");
    names.iter().for_each(|_| table.push_str("---|"));
    let mut figures = serde_json::Map::new();
    for (case, measured) in results {
        let _ = write!(table, "\n| {case} |");
        let mut of_case = serde_json::Map::new();
        for (name, measured) in measured {
            match measured {
                Some(Measured { effort, recall, p50_us, p95_us }) => {
                    let _ = write!(table, " {p50_us:.0} / {p95_us:.0} us, {recall:.4} |");
                    of_case.insert(
                        name.clone(),
                        json!({"effort": effort, "recall": recall, "p50_us": p50_us, "p95_us": p95_us}),
                    );
                }
                None => {
                    table.push_str(" |");
                }
            }
        }
        figures.insert(case.clone(), Value::Object(of_case));
    }
    let _ = write!(table, "\n| build, s of processor time |");
    for contender in contenders {
        let _ = write!(table, " {:.1} |", contender.built.cpu_s);
    }
    let _ = write!(table, "\n| bytes for each vector |");
    for contender in contenders {
        let _ = write!(table, " {:.0} |", contender.built.bytes as f64 / data.len() as f64);
    }
    println!("{table}");
    let built: serde_json::Map<String, Value> = contenders
        .iter()
        .map(|contender| {
            let Built { cpu_s, wall_s, bytes } = contender.built;
            let built = json!({"cpu_s": cpu_s, "wall_s": wall_s, "bytes": bytes});
            (contender.name.to_owned(), built)
        })
        .collect();
    let all = json!({
        "rows": data.len(), "dimension": data.dimension, "cases": figures, "build": built,
    });
    if let Some(path) = std::env::var_os("SPECBOX_BENCH_OUT") {
        std::fs::write(path, format!("{all:#}\n")).expect("written");
    }
}
