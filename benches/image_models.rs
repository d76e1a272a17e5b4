//! How fast and how accurate is CLIP's vision tower on real figures? Beside onnxruntime, which runs the
//! same weights in 8 bits.
//!
//! `SPECBOX_REAL` names the folder with the real files (default `../shared/real`), `SPECBOX_PEER` a
//! folder for onnxruntime (`scripts/peer-images` fills it); without it those rows are left out.
//! Figures are drawn evenly from all documents. "Same neighbour" counts the figures for which both
//! find the same other figure the most similar.

#[path = "support/measure.rs"]
mod measure;
#[expect(dead_code, reason = "another bench uses the rest")]
#[path = "support/process.rs"]
mod process;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use document::Limits;
use extract::{ExtractOptions, read_group};
use measure::{table, write_results};
use neural::{
    ImageEmbedder, LoadOptions, ModelRegistry, Pixels, default_models_dir, load_image_embedder,
};
use process::cpu_seconds;
use serde::Deserialize;
use serde_json::json;

/// As in the program.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const MODEL: &str = "clip-vit-base-patch16-vision";
/// Figures that are compared.
const FIGURES: usize = 200;

/// What the peer answers.
#[derive(Deserialize)]
struct Answer {
    vectors: Vec<Vec<f32>>,
    wall: f64,
    cpu: f64,
}

fn main() {
    let models = default_models_dir().expect("HOME or SPECBOX_MODELS_DIR is set");
    let loaded =
        load_image_embedder(ModelRegistry::shipped(), MODEL, &models, &LoadOptions::default());
    let model = match loaded {
        Ok(model) => model,
        Err(error) => {
            println!("nothing is measured: {error}");
            return;
        }
    };
    let real = std::env::var_os("SPECBOX_REAL").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real"),
        PathBuf::from,
    );
    let pictures = collect_figures(&real.join("specs/docx"));
    if pictures.is_empty() {
        println!("no real files under {}; nothing is measured", real.display());
        return;
    }
    let pixels: Vec<Pixels> =
        pictures.iter().map(|png| model.preprocess_png(png).expect("a picture")).collect();
    let (own, [wall, cpu]) = embed(&*model, &pixels);
    let per_figure = |seconds: f64| format!("{:.0} ms", 1000.0 * seconds / pixels.len() as f64);
    let mut rows = vec![vec!["candle, f32".to_owned(), per_figure(wall), per_figure(cpu)]];
    let mut results = json!({ "figures": pixels.len(), "wall_s": wall, "cpu_s": cpu });
    if let Some(folder) = std::env::var_os("SPECBOX_PEER") {
        let answer = ask_peer(Path::new(&folder), &pixels);
        rows.push(vec![
            "onnxruntime, 8 bit".to_owned(),
            per_figure(answer.wall),
            per_figure(answer.cpu),
        ]);
        let mut cosines: Vec<f32> =
            own.iter().zip(&answer.vectors).map(|(a, b)| cosine(a, b)).collect();
        cosines.sort_by(f32::total_cmp);
        let same = nearest_neighbours(&own).into_iter().zip(nearest_neighbours(&answer.vectors));
        let same = same.filter(|(a, b)| a == b).count();
        let (lowest, median) = (cosines[0], cosines[cosines.len() / 2]);
        println!(
            "cosine to onnxruntime: lowest {lowest:.4}, median {median:.4}; same neighbour for \
             {same} of {}\n",
            pixels.len()
        );
        results["peer"] = json!({
            "wall_s": answer.wall,
            "cpu_s": answer.cpu,
            "lowest_cosine": lowest,
            "median_cosine": median,
            "same_neighbour": same,
        });
    }
    println!("{}", table(&["one figure", "on the clock", "CPU time"], &rows));
    write_results("image_models", &results);
}

/// Distinct pictures of figures, drawn evenly from all documents of a folder.
fn collect_figures(folder: &Path) -> Vec<Vec<u8>> {
    if !folder.is_dir() {
        return Vec::new();
    }
    let plan = mirror::plan_sources(&[folder.to_owned()]).expect("the folder is readable");
    let options = ExtractOptions { figures: true, ..ExtractOptions::default() };
    let mut all = Vec::new();
    for source in plan.sources {
        let Ok(read) = read_group(&source.files, &Limits::default(), &options) else { continue };
        let sections = read.documents.into_iter().flat_map(|read| read.document.sections);
        let figures = sections.flat_map(|section| section.figures);
        all.extend(figures.filter_map(|figure| Some(figure.picture?.png)));
    }
    all.sort();
    all.dedup();
    // By hash: an order that does not depend on the document or the look of a figure.
    all.sort_by_key(|png| *blake3::hash(png).as_bytes());
    all.truncate(FIGURES);
    all
}

fn embed(model: &dyn ImageEmbedder, pixels: &[Pixels]) -> (Vec<Vec<f32>>, [f64; 2]) {
    model.embed_pictures(&pixels[..1]).expect("the model runs");
    let (started, cpu) = (Instant::now(), cpu_seconds());
    let vectors = model.embed_pictures(pixels).expect("the model runs");
    (vectors, [started.elapsed().as_secs_f64(), cpu_seconds() - cpu])
}

fn ask_peer(folder: &Path, pixels: &[Pixels]) -> Answer {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let numbers = pixels.iter().flat_map(|pixels| pixels.planes());
    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
    fs::write(file.path(), bytes).expect("written");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/peer-images");
    let mut command = Command::new(script);
    command.arg(folder).arg(file.path()).arg(pixels.len().to_string());
    let output = command.stderr(Stdio::inherit()).output().expect("the peer starts");
    serde_json::from_slice(&output.stdout).expect("the peer answers JSON; its error is above")
}

/// The cosine of vectors of length one.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// For each vector, the index of the nearest other one.
fn nearest_neighbours(vectors: &[Vec<f32>]) -> Vec<usize> {
    let nearest = |(index, vector): (usize, &Vec<f32>)| {
        let others = (0..vectors.len()).filter(|other| *other != index);
        let similarity = |other: &usize| cosine(vector, &vectors[*other]);
        others.max_by(|a, b| similarity(a).total_cmp(&similarity(b))).unwrap_or(index)
    };
    vectors.iter().enumerate().map(nearest).collect()
}
