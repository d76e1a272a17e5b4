//! How fast do the models run? The program's own forward pass against candle and onnxruntime.
//!
//! Same model, texts and number of threads; rounds are interleaved with rotated order, and medians
//! count. Own and candle times include tokenizing and pooling, onnxruntime's do not.
//! `SPECBOX_PEER` names a folder for onnxruntime (`scripts/peer-neural` fills it); without it those
//! rows are left out. `SPECBOX_REAL` names real files to take texts from, `SPECBOX_BENCH_ROUNDS`
//! the rounds. Models that are not installed are left out.

#[path = "support/measure.rs"]
mod measure;
#[path = "support/peer.rs"]
mod peer;
#[expect(dead_code, reason = "another bench uses the rest")]
#[path = "support/process.rs"]
mod process;
#[path = "support/statistics.rs"]
mod statistics;
#[path = "support/texts.rs"]
mod texts;

use std::{
    cell::RefCell,
    hint::black_box,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Instant,
};

use measure::{table, write_results};
use neural::{
    DeviceChoice, Engine, LoadOptions, ModelRegistry, Precision, PrecisionChoice, Reranker,
    TextEmbedder, default_models_dir, load_embedder, load_reranker,
};
use peer::Peer;
use process::cpu_seconds;
use serde_json::{Map, Value, json};
use statistics::median;
use texts::Texts;

/// As in the program: with the system's allocator candle takes twice as long.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const MINILM: &str = "all-MiniLM-L6-v2";
const NOMIC: &str = "nomic-embed-text-v1.5";
const RERANKER: &str = "ms-marco-MiniLM-L-12-v2";
const QUERY: &str = "which timer is started when the link of a beacon unit fails";
const QUERIES: usize = 200;

/// The variants in which the program runs a model: name in the table, engine, precision.
const VARIANTS: [(&str, Engine, PrecisionChoice); 6] = [
    ("own, default", Engine::Auto, PrecisionChoice::Auto),
    ("own, f32", Engine::Auto, PrecisionChoice::Only(Precision::F32)),
    ("own, bf16", Engine::Auto, PrecisionChoice::Only(Precision::Bf16)),
    ("own, int16", Engine::Auto, PrecisionChoice::Only(Precision::Int16)),
    ("own, int8", Engine::Auto, PrecisionChoice::Only(Precision::Int8)),
    ("candle", Engine::Candle, PrecisionChoice::Auto),
];

/// Seconds on the clock and of processor time; a busy machine stretches the second less.
type Seconds = [f64; 2];

/// One variant or peer on one case; a call runs it once and returns what it took.
struct Contender<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> Seconds + 'a>,
}

fn main() {
    let models = default_models_dir().expect("HOME or SPECBOX_MODELS_DIR is set");
    let peer = std::env::var_os("SPECBOX_PEER").map(PathBuf::from);
    let peer = RefCell::new(peer.map(|folder| Peer::start(&folder, &models)));
    // A case is run if its name contains this.
    let case_filter = std::env::var("SPECBOX_BENCH_CASES").unwrap_or_default();
    let rounds = std::env::var("SPECBOX_BENCH_ROUNDS")
        .map_or(5, |text| text.parse::<usize>().expect("a whole number"))
        .max(1);
    let (mut figures, mut rows) = (Map::new(), Vec::new());
    let mut case = |name: &str, contenders: Vec<Contender<'_>>| {
        if !name.contains(&case_filter) {
            return;
        }
        let medians = measure_medians(contenders, rounds);
        eprintln!("{name}: {medians:.3?}");
        rows.extend(table_rows(name, &medians));
        figures.insert(name.to_owned(), Value::Object(medians.into_iter().map(to_json).collect()));
    };
    let embedders = load_variants(|options| embedder(MINILM, &models, options));
    let Some((_, model)) = embedders.first() else {
        println!("{MINILM} is not installed; nothing is measured");
        return;
    };
    let texts = Texts::new(&**model);
    let eight: Vec<String> = (0..8).map(|index| texts.cut(index, 510)).collect();
    case("MiniLM, 8 x 512 tokens", embedding(&embedders, &eight, &peer, "eight"));
    let mix: Vec<String> = (0..24).map(|index| texts.cut(index, 38 + index * 197 % 473)).collect();
    case("MiniLM, 24 texts of 40 to 512 tokens", embedding(&embedders, &mix, &peer, "mix"));
    let rerankers = load_variants(|options| reranker(&models, options));
    let passages: Vec<String> =
        (0..30).map(|index| texts.cut(index, 380 + index * 37 % 101)).collect();
    case("reranker, 30 passages", reranking(&rerankers, &passages, &peer));
    let large = load_variants(|options| embedder(NOMIC, &models, options));
    case("nomic, 8 x 512 tokens", embedding(&large, &eight, &RefCell::new(None), ""));
    let query = measure_query(&**model);
    let quality = json!({
        "lowest_cosine": {
            (MINILM): lowest_cosine(&embedders, &mix),
            (NOMIC): lowest_cosine(&large, &mix),
        },
        "widest_logit_difference": widest_logit_difference(&rerankers, &passages),
    });
    println!("{}", table(&["case", "run by", "seconds", "processor seconds"], &rows));
    println!("one query: {query:#}\nagainst 32 bits: {quality:#}");
    let figures = json!({
        "seconds": figures, "query": query, "quality": quality, "rounds": rounds,
        "texts": if std::env::var_os("SPECBOX_REAL").is_some() { "real" } else { "sample" },
    });
    write_results("neural", &figures);
}

fn embedder(name: &str, models: &Path, options: &LoadOptions) -> Option<Arc<dyn TextEmbedder>> {
    load_embedder(ModelRegistry::shipped(), name, models, options).ok()
}

fn reranker(models: &Path, options: &LoadOptions) -> Option<Arc<dyn Reranker>> {
    load_reranker(ModelRegistry::shipped(), RERANKER, models, options).ok()
}

/// A model in every variant that it can be run in.
fn load_variants<M>(load: impl Fn(&LoadOptions) -> Option<M>) -> Vec<(&'static str, M)> {
    let device = DeviceChoice::Cpu;
    let loaded =
        |(name, engine, precision)| Some((name, load(&LoadOptions { device, engine, precision })?));
    VARIANTS.into_iter().filter_map(loaded).collect()
}

fn seconds<R>(work: impl FnOnce() -> R) -> Seconds {
    let begun = (Instant::now(), cpu_seconds());
    black_box(work());
    [begun.0.elapsed().as_secs_f64(), cpu_seconds() - begun.1]
}

fn embedding<'a>(
    models: &'a [(&'static str, Arc<dyn TextEmbedder>)],
    texts: &'a [String],
    peer: &'a RefCell<Option<Peer>>,
    case: &'static str,
) -> Vec<Contender<'a>> {
    let strs: Vec<&str> = texts.iter().map(String::as_str).collect();
    let own = |(name, model): &'a (&'static str, Arc<dyn TextEmbedder>)| {
        let texts = strs.clone();
        let embed = move || model.embed_documents(&texts).expect("the model runs");
        Contender { name, run: Box::new(move || seconds(&embed)) }
    };
    let mut contenders: Vec<Contender<'a>> = models.iter().map(own).collect();
    let singles: Vec<Vec<String>> = texts.iter().map(|text| vec![text.clone()]).collect();
    contenders.extend(onnxruntime(peer, "onnxruntime f32", case, MINILM, &singles));
    contenders
}

fn reranking<'a>(
    models: &'a [(&'static str, Arc<dyn Reranker>)],
    passages: &'a [String],
    peer: &'a RefCell<Option<Peer>>,
) -> Vec<Contender<'a>> {
    let strs: Vec<&str> = passages.iter().map(String::as_str).collect();
    let own = |(name, model): &'a (&'static str, Arc<dyn Reranker>)| {
        let passages = strs.clone();
        let score = move || model.score_passages(QUERY, &passages).expect("the model runs");
        Contender { name, run: Box::new(move || seconds(&score)) }
    };
    let mut contenders: Vec<Contender<'a>> = models.iter().map(own).collect();
    let pair = |passage: &String| vec![QUERY.to_owned(), passage.clone()];
    let pairs: Vec<Vec<String>> = passages.iter().map(pair).collect();
    contenders.extend(onnxruntime(peer, "onnxruntime int8", "rerank", RERANKER, &pairs));
    contenders
}

/// onnxruntime on batches that are sorted by length.
fn onnxruntime<'a>(
    peer: &'a RefCell<Option<Peer>>,
    name: &'static str,
    case: &'static str,
    model: &str,
    texts: &[Vec<String>],
) -> Option<Contender<'a>> {
    peer.borrow_mut().as_mut()?.prepare(case, model, texts, true);
    let run = move || peer.borrow_mut().as_mut().map_or([f64::NAN; 2], |peer| peer.run(case));
    Some(Contender { name, run: Box::new(run) })
}

/// Runs all once to warm up, then in rounds that each begin with another; gives the median times.
fn measure_medians(
    mut contenders: Vec<Contender<'_>>,
    rounds: usize,
) -> Vec<(&'static str, Seconds)> {
    let mut times = vec![Vec::new(); contenders.len()];
    for contender in &mut contenders {
        (contender.run)();
    }
    for round in 0..rounds {
        for turn in 0..contenders.len() {
            let index = (round + turn) % contenders.len();
            times[index].push((contenders[index].run)());
        }
    }
    let names = contenders.iter().map(|contender| contender.name);
    let both =
        |times: Vec<Seconds>| [0, 1].map(|clock| median(times.iter().map(|t| t[clock]).collect()));
    names.zip(times.into_iter().map(both)).collect()
}

fn table_rows(case: &str, medians: &[(&'static str, Seconds)]) -> Vec<Vec<String>> {
    let own = medians.first().map_or([f64::NAN; 2], |(_, seconds)| *seconds);
    let line = |(name, seconds): &(&'static str, Seconds)| {
        let times = [0, 1]
            .map(|clock| format!("{:.3} ({:.2}x)", seconds[clock], seconds[clock] / own[clock]));
        [&[case.to_owned(), (*name).to_owned()][..], &times].concat()
    };
    medians.iter().map(line).collect()
}

fn to_json((name, [wall, cpu]): (&'static str, Seconds)) -> (String, Value) {
    (name.to_owned(), json!({ "wall_s": wall, "cpu_s": cpu }))
}

/// Milliseconds of one short query: processor time, and wall time with free and with busy cores.
fn measure_query(model: &dyn TextEmbedder) -> Value {
    let embed = || seconds(|| model.embed_query(QUERY).expect("the model runs"))[0];
    let walls = || median((0..QUERIES).map(|_| embed() * 1000.0).collect());
    walls();
    let before = cpu_seconds();
    let free = walls();
    let cpu = (cpu_seconds() - before) * 1000.0 / QUERIES as f64;
    let busy = beside_busy_cores(walls);
    let tokens = model.count_tokens(QUERY) + 2;
    json!({ "tokens": tokens, "cpu_mean_ms": cpu, "wall_p50_ms": free, "wall_busy_p50_ms": busy })
}

fn beside_busy_cores<R>(work: impl FnOnce() -> R) -> R {
    let done = AtomicBool::new(false);
    let spin = || while !black_box(&done).load(Ordering::Relaxed) {};
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(spin);
        }
        let result = work();
        done.store(true, Ordering::Relaxed);
        result
    })
}

/// For each variant, the lowest cosine between its vectors and those of the own pass in 32 bits.
fn lowest_cosine(
    embedders: &[(&'static str, Arc<dyn TextEmbedder>)],
    texts: &[String],
) -> Map<String, Value> {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embed = |model: &Arc<dyn TextEmbedder>| {
        model.embed_documents(&texts).expect("the model runs").concat().concat()
    };
    let dimension = embedders.first().map_or(1, |(_, model)| model.dimension());
    let cosine = |a: &[f32], b: &[f32]| {
        let pairs = a.chunks_exact(dimension).zip(b.chunks_exact(dimension));
        pairs.map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum()).fold(1.0, f32::min)
    };
    compare_with_f32(&run_variants(embedders, embed), cosine)
}

/// For each variant, the widest difference between its logits and those of the own pass in 32 bits.
fn widest_logit_difference(
    rerankers: &[(&'static str, Arc<dyn Reranker>)],
    passages: &[String],
) -> Map<String, Value> {
    let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
    let score =
        |model: &Arc<dyn Reranker>| model.score_passages(QUERY, &passages).expect("the model runs");
    let widest_difference =
        |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    compare_with_f32(&run_variants(rerankers, score), widest_difference)
}

fn run_variants<M>(
    models: &[(&'static str, M)],
    run: impl Fn(&M) -> Vec<f32>,
) -> Vec<(&'static str, Vec<f32>)> {
    models.iter().map(|(name, model)| (*name, run(model))).collect()
}

fn compare_with_f32(
    results: &[(&'static str, Vec<f32>)],
    compare: impl Fn(&[f32], &[f32]) -> f32,
) -> Map<String, Value> {
    let reference = results.iter().find(|(name, _)| *name == "own, f32");
    let entry = |(name, result): &(&'static str, Vec<f32>)| {
        Some(((*name).to_owned(), json!(compare(result, &reference?.1))))
    };
    results.iter().filter_map(entry).collect()
}
