//! How fast are the nearest vectors found, and how many of them? Beside other engines, on the same
//! data in the same run.
//!
//! Every engine builds an index over the same rows; then rounds of the same queries are interleaved,
//! each round beginning with another engine. Latencies are processor time of the searching thread.
//! An engine's `ef` is the smallest of a list that reaches the required recall; ties count as equal.
//!
//! `SPECBOX_BENCH_VECTORS` names a `.npy` file of 32-bit vectors (`specbox-eval corpus --vectors`);
//! without it the set is synthetic, of `SPECBOX_BENCH_ROWS` rows (50000), `SPECBOX_BENCH_DIMENSION`
//! components (1024) and seed `SPECBOX_BENCH_SEED` (7). `SPECBOX_BENCH_MASKS` (99) is the seed of the
//! filters. `SPECBOX_BENCH_QUERIES` (300), `SPECBOX_BENCH_ROUNDS` (3) and `SPECBOX_BENCH_ENGINES`
//! (parts of names, by commas) are as they say. Figures go to `vectors-NAME.json` and `.md` in
//! `SPECBOX_BENCH_OUT` (`benches/results` of the repository); NAME is `SPECBOX_BENCH_NAME`, or says
//! what the set is. `SPECBOX_PEER` is a folder for the virtual environments of the engines that are
//! Python packages (faiss, hnswlib, ScaNN, SVS, DiskANN), which are left out without it; with
//! `SPECBOX_BENCH_EXPLAIN` each of our plans is printed.

use std::path::Path;
use std::path::PathBuf;

use vector_bench::cases::SHARES;
use vector_bench::cases::bench_cases;
use vector_bench::child_processes;
use vector_bench::clock::BuildCost;
use vector_bench::data::VectorSet;
use vector_bench::data::thread_count;
use vector_bench::engines;
use vector_bench::report::BenchReport;
use vector_bench::report::EngineReport;
use vector_bench::report::format_case;
use vector_bench::rounds::Contender;
use vector_bench::rounds::measure_case;

fn main() {
    if child_processes::run_as_child() {
        return;
    }
    let rounds = env_number("SPECBOX_BENCH_ROUNDS", 3).max(1);
    let (set, data) = load_data();
    let folder = tempfile::tempdir().expect("a folder");
    eprintln!("{} rows of {} components", data.len(), data.dimension);
    let mut contenders = build_contenders(&data, folder.path());
    let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
    let mut results = Vec::new();
    for case in bench_cases(&data) {
        let measured = measure_case(&mut contenders, &data, &case, rounds);
        eprintln!("{}", format_case(&case.name, &names, &measured));
        results.push((case.name, measured));
    }
    // Files that are open here would stay in the page cache.
    let built: Vec<(&'static str, BuildCost)> =
        contenders.into_iter().map(|contender| (contender.name, contender.built)).collect();
    let engines: Vec<EngineReport> = built
        .into_iter()
        .map(|(name, built)| {
            let opening =
                child_processes::measure_opening(name, &folder.path().join(name), data.dimension);
            EngineReport { name, built, opening }
        })
        .collect();
    let ours = engines.iter().find(|engine| engine.name == "specbox");
    let concurrent_searches = ours.map(|ours| {
        child_processes::measure_concurrent_searches(&data, &folder.path().join(ours.name), rounds)
    });
    let report = BenchReport {
        set: &set,
        data: &data,
        engines: &engines,
        cases: &results,
        concurrent_searches,
    };
    println!("{}", report.to_markdown());
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let out = std::env::var_os("SPECBOX_BENCH_OUT").map_or(results, PathBuf::from);
    report.write_files(&out).expect("written");
}

fn env_number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a whole number"))
}

/// The set and its name.
fn load_data() -> (String, VectorSet) {
    let queries = env_number("SPECBOX_BENCH_QUERIES", 300);
    let (name, data) = match std::env::var_os("SPECBOX_BENCH_VECTORS").map(PathBuf::from) {
        Some(path) => {
            let name = path.file_stem().map_or_else(String::new, |s| s.display().to_string());
            (name, VectorSet::from_npy(&path, queries).expect("vectors"))
        }
        None => {
            let rows = env_number("SPECBOX_BENCH_ROWS", 50_000);
            let dimension = env_number("SPECBOX_BENCH_DIMENSION", 1024);
            let seed = env_number("SPECBOX_BENCH_SEED", 7) as u64;
            let name = format!("synthetic-{dimension}-{rows}");
            (name, VectorSet::synthetic(rows, dimension, queries, seed))
        }
    };
    let name = std::env::var("SPECBOX_BENCH_NAME").unwrap_or(name);
    (name, data.with_filters(&SHARES, env_number("SPECBOX_BENCH_MASKS", 99) as u64))
}

fn build_contenders(data: &VectorSet, folder: &Path) -> Vec<Contender> {
    let selection = std::env::var("SPECBOX_BENCH_ENGINES").unwrap_or_default();
    let is_selected =
        |name: &str| selection.is_empty() || selection.split(',').any(|part| name.contains(part));
    let mut contenders = Vec::new();
    for engine in engines::all_engines().into_iter().filter(|engine| is_selected(engine.name)) {
        let name = engine.name;
        let index_folder = folder.join(name);
        std::fs::create_dir_all(&index_folder).expect("a folder");
        let Some((engine, built)) = (engine.build)(data, &index_folder, thread_count()) else {
            continue;
        };
        let BuildCost { cpu_s, wall_s, .. } = built;
        eprintln!("{name}: built in {cpu_s:.1} s of processor time, {wall_s:.1} s");
        contenders.push(Contender { name, engine, built });
    }
    contenders
}
