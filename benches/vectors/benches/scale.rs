//! A segment as large as the whole corpus: how long does building it take, in how much memory, and
//! how fast does it answer where memory is short?
//!
//! Vectors are made as they are needed and never all held: the synthetic set of `vectors`, of
//! `SPECBOX_BENCH_ROWS` rows (2600000), `SPECBOX_BENCH_DIMENSION` components (1024) and seed
//! `SPECBOX_BENCH_SEED` (7). `SPECBOX_BENCH_QUERIES` (100) is the number of queries. The file lies in
//! a folder below `SPECBOX_BENCH_FOLDER` (the folder of temporary files) and is deleted at the end. It
//! is built in a process of its own, and searched in another, in a memory cgroup of
//! `SPECBOX_BENCH_MEMORY_GIB` (4) where this user may make one, after the file was evicted from the
//! page cache. Figures go to `scale.json` in `SPECBOX_BENCH_OUT`.

use std::collections::BTreeSet;
use std::collections::BinaryHeap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Stdio;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use index_format::GraphOptions;
use index_format::SegmentInfo;
use index_format::SegmentWriter;
use serde_json::Value;
use serde_json::json;
use vector_bench::cases::SHARES;
use vector_bench::clock::process_seconds;
use vector_bench::clock::quantile;
use vector_bench::data::BenchFilter;
use vector_bench::data::draw_filters;
use vector_bench::data::thread_count;
use vector_bench::engine::KnnRequest;
use vector_bench::engines::own;
use vector_bench::memory;
use vector_bench::report::describe_machine;
use vector_bench::report::format_today;
use vector_bench::synthetic::SyntheticSet;
use vector_bench::truth::TIE;
use vector_bench::truth::dot_product;

/// Rows made at once.
const BATCH: usize = 8192;
/// The values of `ef` that are tried; 0 leaves it to the program.
const EF_VALUES: [usize; 7] = [0, 40, 60, 80, 100, 150, 200];

struct ScaleSettings {
    rows: usize,
    dimension: usize,
    seed: u64,
    queries: usize,
    memory_gib: usize,
}

fn main() {
    let number = |name: &str, default: usize| {
        std::env::var(name).map_or(default, |text| text.parse().expect("a whole number"))
    };
    let settings = ScaleSettings {
        rows: number("SPECBOX_BENCH_ROWS", 2_600_000),
        dimension: number("SPECBOX_BENCH_DIMENSION", 1024),
        seed: number("SPECBOX_BENCH_SEED", 7) as u64,
        queries: number("SPECBOX_BENCH_QUERIES", 100),
        memory_gib: number("SPECBOX_BENCH_MEMORY_GIB", 4),
    };
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build-segment", folder] => println!("{}", build_segment(&settings, Path::new(folder))),
        ["search-segment", folder, cgroup] => {
            println!("{}", search_segment(&settings, Path::new(folder), cgroup));
        }
        _ => run_bench(&settings),
    }
}

fn run_bench(settings: &ScaleSettings) {
    let parent =
        std::env::var_os("SPECBOX_BENCH_FOLDER").map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(parent).expect("a folder");
    let path = folder.path().to_string_lossy().into_owned();
    let built = run_child(&["build-segment", &path]);
    eprintln!("{built:#}");
    memory::evict_folder(folder.path()).expect("evicted");
    let cgroup = Cgroup::new(settings.memory_gib);
    let cgroup_folder =
        cgroup.as_ref().map_or("", |cgroup| cgroup.folder.to_str().unwrap_or_default());
    let mut answers = run_child(&["search-segment", &path, cgroup_folder]);
    let cases = compute_recall(settings, &mut answers);
    let figures = json!({
        "date": format_today(),
        "machine": describe_machine(),
        "rows": settings.rows,
        "dimension": settings.dimension,
        "build": built,
        "memory_limit_gib": cgroup.map(|_| settings.memory_gib),
        "open_cold_s": answers["open_s"],
        "search": cases,
        "peak_resident_bytes_of_searching": answers["peak_resident_bytes"],
        "anonymous_bytes_of_searching": answers["anonymous_bytes"],
    });
    println!("{figures:#}");
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    let out = std::env::var_os("SPECBOX_BENCH_OUT").map_or(results, PathBuf::from);
    fs::create_dir_all(&out).expect("the folder of results");
    fs::write(out.join("scale.json"), format!("{figures:#}\n")).expect("written");
}

fn run_child(arguments: &[&str]) -> Value {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .and_then(std::process::Child::wait_with_output)
        .expect("it starts");
    assert!(output.status.success(), "{arguments:?} failed: {}", output.status);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Calls `each` with every row in order; they are made on all threads.
fn stream_rows(
    set: &SyntheticSet,
    rows: usize,
    dimension: usize,
    mut each: impl FnMut(usize, &[f32]),
) {
    let mut batch = vec![0.0; BATCH * dimension];
    for start in (0..rows).step_by(BATCH) {
        let count = BATCH.min(rows - start);
        let part = count.div_ceil(thread_count());
        std::thread::scope(|scope| {
            for (index, part_of_batch) in
                batch[..count * dimension].chunks_mut(part * dimension).enumerate()
            {
                scope.spawn(move || {
                    let first = start + index * part;
                    for (row, out) in (first..).zip(part_of_batch.chunks_exact_mut(dimension)) {
                        set.write_row(row, out);
                    }
                });
            }
        });
        for (row, vector) in (start..start + count).zip(batch.chunks_exact(dimension)) {
            each(row, vector);
        }
    }
}

fn build_segment(settings: &ScaleSettings, folder: &Path) -> Value {
    let ScaleSettings { rows, dimension, seed, .. } = *settings;
    let begun = Instant::now();
    let set = SyntheticSet::new(rows, dimension, seed);
    let info = SegmentInfo { dimension: dimension as u32, model: [0; 32] };
    let mut writer = SegmentWriter::create(folder.join(own::FILE), info).expect("a writer");
    stream_rows(&set, rows, dimension, |row, vector| {
        writer.push(row as u64, vector).expect("a valid vector");
    });
    drop(set);
    let (streamed_s, streamed_cpu_s) = (begun.elapsed().as_secs_f64(), process_seconds());
    eprintln!("{rows} rows written in {streamed_s:.0} s");
    let peak_anonymous_bytes = AtomicU64::new(0);
    let last_progress_at = Mutex::new(Instant::now());
    let graph_begun = Instant::now();
    let watch = |progress: index_format::BuildProgress| {
        peak_anonymous_bytes.fetch_max(memory::process_memory().anonymous_bytes, Relaxed);
        if let Ok(mut last_progress_at) = last_progress_at.try_lock()
            && last_progress_at.elapsed().as_secs() >= 10
        {
            *last_progress_at = Instant::now();
            let (done, total) = (f64::from(progress.done), f64::from(progress.total));
            let left = graph_begun.elapsed().as_secs_f64() * (total - done) / done;
            eprintln!("graph: {:.0} %, {left:.0} s left", done / total * 100.0);
        }
        ControlFlow::Continue(())
    };
    let options =
        GraphOptions { threads: thread_count(), watch: &watch, ..GraphOptions::default() };
    let summary = writer.finish_with_graph(&options).expect("a segment");
    json!({
        "wall_s": begun.elapsed().as_secs_f64(),
        "cpu_s": process_seconds(),
        "of_it_making_and_writing_rows_wall_s": streamed_s,
        "of_it_making_and_writing_rows_cpu_s": streamed_cpu_s,
        "peak_resident_bytes": memory::peak_resident_bytes(),
        "peak_anonymous_bytes": peak_anonymous_bytes.into_inner(),
        "file_bytes": summary.bytes,
        "file_bytes_per_row": summary.bytes as f64 / rows as f64,
    })
}

/// Searches of one kind.
struct SearchCase {
    name: String,
    k: usize,
    ef_values: &'static [usize],
    filter: Option<BenchFilter>,
}

fn search_cases(documents: &[u32]) -> Vec<SearchCase> {
    let plain =
        |k: usize, ef_values| SearchCase { name: format!("k={k}"), k, ef_values, filter: None };
    let mut cases = vec![plain(10, &EF_VALUES[..]), plain(200, &EF_VALUES[..1])];
    let filters = draw_filters(documents, &SHARES, 99);
    cases.extend(filters.into_iter().map(|filter| SearchCase {
        name: format!("k=10, {}", filter.name),
        k: 10,
        ef_values: &EF_VALUES[..1],
        filter: Some(filter),
    }));
    cases
}

fn search_segment(settings: &ScaleSettings, folder: &Path, cgroup: &str) -> Value {
    if !cgroup.is_empty() {
        let pid = std::process::id().to_string();
        fs::write(Path::new(cgroup).join("cgroup.procs"), pid).expect("moved into the cgroup");
    }
    let begun = Instant::now();
    let segment = index_format::Segment::open(folder.join(own::FILE)).expect("it opens");
    let open_s = begun.elapsed().as_secs_f64();
    drop(segment);
    let set = SyntheticSet::new(settings.rows, settings.dimension, settings.seed);
    let mut engine = own::open_engine(folder, set.documents());
    let numbers = set.make_queries(settings.queries);
    let queries: Vec<&[f32]> = numbers.chunks_exact(settings.dimension).collect();
    let mut answers = Vec::new();
    for SearchCase { name, k, ef_values, filter } in &search_cases(set.documents()) {
        for ef in *ef_values {
            let request = KnnRequest { k: *k, ef: *ef, filter: filter.as_ref() };
            let begun = Instant::now();
            // The first time reads from the disk what no search before needed.
            engine.answer_queries(&queries, request);
            let first_wall_s = begun.elapsed().as_secs_f64();
            let begun = Instant::now();
            let replies = engine.answer_queries(&queries, request).expect("it can");
            let wall_s = begun.elapsed().as_secs_f64();
            let mut micros: Vec<f64> = replies.iter().map(|reply| reply.micros).collect();
            let rows: Vec<&Vec<u32>> = replies.iter().map(|reply| &reply.rows).collect();
            answers.push(json!({
                "case": name,
                "effort": ef,
                "p50_us": quantile(&mut micros, 0.5),
                "p95_us": quantile(&mut micros, 0.95),
                "wall_us": wall_s / queries.len() as f64 * 1e6,
                "wall_us_at_first": first_wall_s / queries.len() as f64 * 1e6,
                "rows": rows,
            }));
            eprintln!("{name}, ef {ef}: {:.0} us", quantile(&mut micros, 0.5));
        }
    }
    json!({
        "open_s": open_s,
        "answers": answers,
        "peak_resident_bytes": memory::peak_resident_bytes(),
        "anonymous_bytes": memory::process_memory().anonymous_bytes,
    })
}

/// A score in reverse order: a `BinaryHeap` has the lowest on top.
#[derive(PartialEq)]
struct LeastScore(f32);

impl Eq for LeastScore {}

impl PartialOrd for LeastScore {
    fn partial_cmp(&self, other: &LeastScore) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LeastScore {
    fn cmp(&self, other: &LeastScore) -> std::cmp::Ordering {
        other.0.total_cmp(&self.0)
    }
}

/// The answers with their recall instead of their rows. Every query is compared with every row.
fn compute_recall(settings: &ScaleSettings, answers: &mut Value) -> Vec<Value> {
    eprintln!("comparing every query with every row");
    let ScaleSettings { rows, dimension, seed, queries, .. } = *settings;
    let set = SyntheticSet::new(rows, dimension, seed);
    let documents = set.documents();
    let numbers = set.make_queries(queries);
    let query_vectors: Vec<&[f32]> = numbers.chunks_exact(dimension).collect();
    let cases = search_cases(documents);
    let part = query_vectors.len().div_ceil(thread_count()).max(1);
    let mut nearest: Vec<Vec<BinaryHeap<LeastScore>>> =
        query_vectors.iter().map(|_| cases.iter().map(|_| BinaryHeap::new()).collect()).collect();
    let mut batch = Vec::with_capacity(BATCH * dimension);
    stream_rows(&set, rows, dimension, |row, vector| {
        batch.extend_from_slice(vector);
        let batch_rows = batch.len() / dimension;
        if batch_rows < BATCH && row + 1 < rows {
            return;
        }
        let first = row + 1 - batch_rows;
        std::thread::scope(|scope| {
            for (queries, nearest) in query_vectors.chunks(part).zip(nearest.chunks_mut(part)) {
                let (batch, cases) = (&batch, &cases);
                scope.spawn(move || {
                    for (row, vector) in (first..).zip(batch.chunks_exact(dimension)) {
                        let document = documents[row] as usize;
                        for (query, heaps) in queries.iter().zip(nearest.iter_mut()) {
                            let score = dot_product(query, vector);
                            for (SearchCase { k, filter, .. }, heap) in cases.iter().zip(heaps) {
                                if filter.as_ref().is_none_or(|f| f.allowed[document]) {
                                    push_score(heap, score, *k);
                                }
                            }
                        }
                    }
                });
            }
        });
        batch.clear();
    });
    let mut vector = vec![0.0; dimension];
    let mut replace_rows_by_recall = |answer: &mut Value| {
        let case = cases.iter().position(|case| answer["case"] == *case.name).expect("a case");
        let allowed = |row: u32| {
            let document = documents[row as usize] as usize;
            cases[case].filter.as_ref().is_none_or(|filter| filter.allowed[document])
        };
        let rows = answer.as_object_mut().and_then(|a| a.remove("rows")).expect("rows");
        let rows: Vec<BTreeSet<u32>> = serde_json::from_value(rows).expect("rows of every query");
        let (mut found_count, mut expected_count) = (0, 0);
        for ((query, heaps), rows) in query_vectors.iter().zip(&nearest).zip(rows) {
            let kth_score = heaps[case].peek().map_or(f32::INFINITY, |kth| kth.0);
            expected_count += heaps[case].len();
            let near = rows.into_iter().filter(|row| {
                set.write_row(*row as usize, &mut vector);
                allowed(*row) && dot_product(query, &vector) >= kth_score - TIE
            });
            found_count += near.count().min(heaps[case].len());
        }
        answer["recall"] = json!(found_count as f64 / f64::from(expected_count.max(1) as u32));
        answer.clone()
    };
    answers["answers"]
        .as_array_mut()
        .expect("answers")
        .iter_mut()
        .map(&mut replace_rows_by_recall)
        .collect()
}

/// Adds a score to a heap of the `k` highest.
fn push_score(heap: &mut BinaryHeap<LeastScore>, score: f32, k: usize) {
    if heap.len() < k {
        heap.push(LeastScore(score));
    } else if let Some(mut lowest) = heap.peek_mut()
        && score > lowest.0
    {
        *lowest = LeastScore(score);
    }
}

/// A memory cgroup; it is removed when this value is dropped.
struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// One of so many GiB; none where it cannot be made, which is reported.
    fn new(gib: usize) -> Option<Cgroup> {
        let name = format!("specbox-scale-{}", std::process::id());
        let version_1 = Path::new("/sys/fs/cgroup/memory");
        let (folder, limit) = if version_1.is_dir() {
            (version_1.join(name), "memory.limit_in_bytes")
        } else {
            (Path::new("/sys/fs/cgroup").join(name), "memory.max")
        };
        let made = fs::create_dir(&folder)
            .and_then(|()| fs::write(folder.join(limit), (gib << 30).to_string()));
        if let Err(error) = &made {
            eprintln!("no memory cgroup, memory is not limited: {error}");
            let _ = fs::remove_dir(&folder);
        }
        made.ok().map(|()| Cgroup { folder })
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        // The process that was in it has ended.
        let _ = fs::remove_dir(&self.folder);
    }
}
