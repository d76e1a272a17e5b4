//! The real models against what other implementations compute (`tests/fixtures/models`, written by
//! `scripts/make-model-references`), and what is promised of every model.
//!
//! CI must have all of them but the largest.

#[path = "support/model_texts.rs"]
mod model_texts;
#[path = "support/trials.rs"]
mod trials;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, LazyLock, Mutex, PoisonError},
    thread,
};

use model_texts::{Pair, Texts, assert_near, strs};
use neural::{
    DeviceChoice, Engine, LoadOptions, ModelRegistry, NeuralError, Precision, PrecisionChoice,
    Reranker, TextEmbedder, default_models_dir, load_embedder, load_reranker, load_tokenizer,
    relevance_from_logit,
};
use serde::{Deserialize, de::DeserializeOwned};
use trials::{Missing, TestResult, is_quick_run, run_trials, trials};

fn main() -> ExitCode {
    let of_embedders = [MINILM, BGE, NOMIC].map(|name| {
        trials![name;
            vectors_agree_with_the_reference,
            the_own_forward_pass_agrees_with_candle_in_every_precision,
            vectors_have_length_one_and_the_promised_dimension,
            a_text_has_the_same_vector_alone_and_in_a_batch,
            offsets_and_counts_agree,
            no_texts_give_no_vectors,
            threads_share_a_model,
        ]
    });
    let of_short_windows = [MINILM, BGE].map(|name| {
        trials![name;
            a_long_text_is_embedded_to_its_end,
            a_text_of_exactly_one_window_is_one_window,
        ]
    });
    let of_the_reranker = trials![
        scores_agree_with_the_reference,
        the_own_reranker_agrees_with_candle_in_every_precision,
        a_passage_has_the_same_score_alone_and_in_a_batch,
        an_answer_at_the_end_of_a_long_passage_is_found,
        a_very_long_query_still_leaves_room_for_the_passage,
        no_passages_give_no_scores,
    ];
    run_trials(of_embedders.into_iter().chain(of_short_windows).chain([of_the_reranker]))
}

/// As in the program: with the system's allocator the forward pass takes twice as long.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const MINILM: &str = "all-MiniLM-L6-v2";
const BGE: &str = "bge-small-en-v1.5";
const NOMIC: &str = "nomic-embed-text-v1.5";
const RERANKER: &str = "ms-marco-MiniLM-L-12-v2";
/// Not required in CI: its download is larger than those of the others together.
const OPTIONAL: &str = NOMIC;

#[derive(Deserialize)]
struct Vectors {
    documents: Vec<Vec<f32>>,
    queries: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Logits {
    logits: Vec<Vec<f32>>,
}

fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models");
    let text = fs::read_to_string(folder.join(format!("{name}.json"))).expect("a fixture");
    serde_json::from_str(&text).expect("a fixture is JSON of the expected shape")
}

type Load<M> = fn(&ModelRegistry, &str, &Path, &LoadOptions) -> Result<Arc<M>, NeuralError>;

/// Returns a loaded model, where it is installed.
fn load_installed<M: ?Sized>(
    name: &str,
    load: Load<M>,
    options: &LoadOptions,
) -> Result<Arc<M>, Missing> {
    if is_quick_run() {
        return Err("quick run".into());
    }
    let dir = default_models_dir().expect("HOME or SPECBOX_MODELS_DIR is set");
    match load(ModelRegistry::shipped(), name, &dir, options) {
        Ok(model) => Ok(model),
        Err(error @ NeuralError::MissingFile { .. }) => {
            Err(Missing { reason: error.to_string(), is_required: name != OPTIONAL })
        }
        Err(error) => panic!("{name} cannot be used: {error}"),
    }
}

/// Returns an embedder, loaded once for all tests.
fn embedder(name: &'static str) -> Result<Arc<dyn TextEmbedder>, Missing> {
    type Loaded = BTreeMap<&'static str, Result<Arc<dyn TextEmbedder>, Missing>>;
    static LOADED: Mutex<Loaded> = Mutex::new(BTreeMap::new());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let load = || load_installed(name, load_embedder, &LoadOptions::default());
    loaded.entry(name).or_insert_with(load).clone()
}

/// Returns the reranker, loaded once for all tests.
fn reranker() -> Result<Arc<dyn Reranker>, Missing> {
    static LOADED: LazyLock<Result<Arc<dyn Reranker>, Missing>> =
        LazyLock::new(|| load_installed(RERANKER, load_reranker, &LoadOptions::default()));
    LOADED.clone()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

fn embed_one(model: &dyn TextEmbedder, text: &str) -> Vec<Vec<f32>> {
    model.embed_documents(&[text]).expect("the model runs").remove(0)
}

/// A text of about `words` words, no two sentences of it alike.
fn long_text(words: usize) -> String {
    (0..words / 8)
        .map(|n| format!("Step {n} starts timer T{} and waits for cell {}. ", 300 + n % 40, n * 7))
        .collect()
}

fn vectors_agree_with_the_reference(name: &'static str) -> TestResult {
    let texts: Texts = fixture("texts");
    let options = LoadOptions {
        precision: PrecisionChoice::Only(Precision::Int16),
        ..LoadOptions::default()
    };
    let model = load_installed(name, load_embedder, &options)?;
    let expected: Vectors = fixture(name);
    let found = model.embed_documents(&strs(&texts.documents)).expect("the model runs");
    assert_eq!(found.len(), expected.documents.len());
    let mut lowest = 1.0f32;
    for ((windows, expected), text) in found.iter().zip(&expected.documents).zip(&texts.documents) {
        assert_eq!(windows.len(), 1, "{text}");
        lowest = lowest.min(cosine(&windows[0], expected));
    }
    for (query, expected) in texts.queries.iter().zip(&expected.queries) {
        let found = model.embed_query(query).expect("the model runs");
        lowest = lowest.min(cosine(&found, expected));
    }
    eprintln!("{name}: lowest cosine to the reference {lowest:.6}");
    assert!(lowest >= 0.999, "{name}: {lowest}");
    Ok(())
}

fn scores_agree_with_the_reference() -> TestResult {
    let options = LoadOptions {
        precision: PrecisionChoice::Only(Precision::Int16),
        ..LoadOptions::default()
    };
    let model = load_installed(RERANKER, load_reranker, &options)?;
    let texts: Texts = fixture("texts");
    let expected: Logits = fixture(RERANKER);
    assert_eq!(texts.pairs.len(), expected.logits.len());
    let mut widest = 0.0f32;
    for (pair, expected) in texts.pairs.iter().zip(&expected.logits) {
        let found =
            model.score_passages(&pair.query, &strs(&pair.passages)).expect("the model runs");
        assert_near(&found, expected, 0.05, "logits");
        let scores =
            |logits: &[f32]| logits.iter().copied().map(relevance_from_logit).collect::<Vec<_>>();
        assert_near(&scores(&found), &scores(expected), 0.01, "scores");
        widest = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(widest, f32::max);
    }
    eprintln!("{RERANKER}: logits at most {widest:.6} from the reference");
    Ok(())
}

/// Each precision, the minimum cosine of a vector and the maximum difference of a logit to candle's.
const PRECISIONS: [(PrecisionChoice, f32, f32); 4] = [
    (PrecisionChoice::Only(Precision::F32), 0.999_99, 0.002),
    (PrecisionChoice::Only(Precision::Bf16), 0.999_8, 0.1),
    (PrecisionChoice::Only(Precision::Int16), 0.999_9, 0.05),
    (PrecisionChoice::Only(Precision::Int8), 0.995, 0.6),
];

/// The own forward pass is not used elsewhere.
const ON_THE_PROCESSOR: LoadOptions = LoadOptions {
    device: DeviceChoice::Cpu,
    engine: Engine::Auto,
    precision: PrecisionChoice::Auto,
};

fn the_own_forward_pass_agrees_with_candle_in_every_precision(name: &'static str) -> TestResult {
    let texts: Texts = fixture("texts");
    let candle = LoadOptions { engine: Engine::Candle, ..ON_THE_PROCESSOR };
    let reference = load_installed(name, load_embedder, &candle)?;
    // 8 bits are too coarse for a text without a word, which nobody searches for.
    let words = texts.documents.iter().filter(|text| text.contains(char::is_alphanumeric));
    let words: Vec<&str> = words.map(String::as_str).collect();
    let embed =
        |model: &dyn TextEmbedder| model.embed_documents(&words).expect("the model runs").concat();
    let expected = embed(&*reference);
    for (precision, min_cosine, _) in PRECISIONS {
        let options = LoadOptions { precision, ..ON_THE_PROCESSOR };
        let own = load_installed(name, load_embedder, &options)?;
        let pairs = expected.iter().zip(embed(&*own));
        let lowest = pairs.map(|(a, b)| cosine(a, &b)).fold(1.0, f32::min);
        eprintln!("{name}, {precision:?}: lowest cosine to candle {lowest:.6}");
        assert!(lowest >= min_cosine, "{name}, {precision:?}: {lowest}");
        assert_eq!(own.identity(), reference.identity());
    }
    Ok(())
}

fn the_own_reranker_agrees_with_candle_in_every_precision() -> TestResult {
    let candle = LoadOptions { engine: Engine::Candle, ..ON_THE_PROCESSOR };
    let reference = load_installed(RERANKER, load_reranker, &candle)?;
    let texts: Texts = fixture("texts");
    let score = |model: &dyn Reranker| -> Vec<f32> {
        let all = |pair: &Pair| model.score_passages(&pair.query, &strs(&pair.passages));
        texts.pairs.iter().flat_map(|pair| all(pair).expect("the model runs")).collect()
    };
    let expected = score(&*reference);
    for (precision, _, widest) in PRECISIONS {
        let options = LoadOptions { precision, ..ON_THE_PROCESSOR };
        let own = load_installed(RERANKER, load_reranker, &options)?;
        let found = score(&*own);
        let apart = expected.iter().zip(&found).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        eprintln!("{RERANKER}, {precision:?}: logits at most {apart:.4} from candle's");
        assert_near(&found, &expected, widest, "logits");
    }
    Ok(())
}

fn vectors_have_length_one_and_the_promised_dimension(name: &'static str) -> TestResult {
    let texts: Texts = fixture("texts");
    let model = embedder(name)?;
    for text in &texts.documents {
        let vector = embed_one(&*model, text).remove(0);
        assert_eq!(vector.len(), model.dimension());
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{text}: {length}");
    }
    Ok(())
}

fn a_text_has_the_same_vector_alone_and_in_a_batch(name: &'static str) -> TestResult {
    let texts: Texts = fixture("texts");
    let many: Vec<&str> = texts.documents.iter().cycle().take(24).map(String::as_str).collect();
    let model = embedder(name)?;
    let together = model.embed_documents(&many).expect("the model runs");
    for (text, together) in many.iter().zip(&together).take(texts.documents.len()) {
        let alone = embed_one(&*model, text);
        assert_near(&alone[0], &together[0], 1e-4, text);
    }
    Ok(())
}

fn a_passage_has_the_same_score_alone_and_in_a_batch() -> TestResult {
    let model = reranker()?;
    for pair in fixture::<Texts>("texts").pairs {
        let together =
            model.score_passages(&pair.query, &strs(&pair.passages)).expect("the model runs");
        for (passage, together) in pair.passages.iter().zip(together) {
            let alone = model.score_passages(&pair.query, &[passage]).expect("the model runs");
            assert_near(&alone, &[together], 1e-3, passage);
        }
    }
    Ok(())
}

fn a_long_text_is_embedded_to_its_end(name: &'static str) -> TestResult {
    let model = embedder(name)?;
    let capacity = model.document_capacity();
    let text = long_text(3 * capacity / 2);
    let tokens = model.count_tokens(&text);
    assert!(tokens > capacity, "the text is long enough");
    let windows = embed_one(&*model, &text);
    assert!(windows.len() >= tokens.div_ceil(capacity), "{} windows", windows.len());
    // Only the last window sees a change at the very end.
    let changed = embed_one(&*model, &format!("{} sugar and eggs", text.trim_end()));
    assert!(cosine(&windows[windows.len() - 1], &changed[changed.len() - 1]) < 0.9999);
    let first = model.token_offsets(&text)[capacity - 1].end;
    let alone = embed_one(&*model, &text[..first]);
    assert_near(&alone[0], &windows[0], 1e-4, "the first window is the text's beginning");
    Ok(())
}

fn a_text_of_exactly_one_window_is_one_window(name: &'static str) -> TestResult {
    let model = embedder(name)?;
    let fits = "a ".repeat(model.document_capacity());
    assert_eq!(embed_one(&*model, &fits).len(), 1);
    assert_eq!(embed_one(&*model, &format!("{fits}a")).len(), 2);
    Ok(())
}

fn an_answer_at_the_end_of_a_long_passage_is_found() -> TestResult {
    let model = reranker()?;
    let query = "how long is the paging cycle";
    let answer = "The paging cycle is 128 radio frames long.";
    let buried = format!("{}{answer}", long_text(900));
    let scores =
        model.score_passages(query, &[answer, &buried, &long_text(900)]).expect("the model runs");
    assert!(scores[1] > scores[2] + 1.0, "{scores:?}");
    Ok(())
}

fn a_very_long_query_still_leaves_room_for_the_passage() -> TestResult {
    let model = reranker()?;
    let query = format!("how long is the paging cycle {}", long_text(900));
    let passages = ["The paging cycle is 128 radio frames long.", "A cook whisks three eggs."];
    let scores = model.score_passages(&query, &passages).expect("the model runs");
    assert!(scores[0] > scores[1], "{scores:?}");
    Ok(())
}

fn offsets_and_counts_agree(name: &'static str) -> TestResult {
    let dir = default_models_dir().expect("HOME or SPECBOX_MODELS_DIR is set");
    let model = embedder(name)?;
    let tokenizer = load_tokenizer(ModelRegistry::shipped(), &model.identity().name, &dir)
        .expect("an installed model has its tokenizer");
    for text in fixture::<Texts>("texts").documents {
        let offsets = model.token_offsets(&text);
        assert_eq!(offsets.len(), model.count_tokens(&text));
        assert_eq!(offsets.len(), tokenizer.count_tokens(&text));
        for range in offsets {
            assert!(text.get(range.clone()).is_some(), "{range:?} in {text}");
        }
    }
    Ok(())
}

fn no_texts_give_no_vectors(name: &'static str) -> TestResult {
    assert!(embedder(name)?.embed_documents(&[]).expect("nothing to run").is_empty());
    Ok(())
}

fn no_passages_give_no_scores() -> TestResult {
    assert!(reranker()?.score_passages("paging", &[]).expect("nothing to run").is_empty());
    Ok(())
}

fn threads_share_a_model(name: &'static str) -> TestResult {
    let model = embedder(name)?;
    let alone = model.embed_query("paging cycle").expect("the model runs");
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let found = model.embed_query("paging cycle").expect("the model runs");
                assert_near(&found, &alone, 0.0, "the same query");
                let texts = ["paging cycle"; 9];
                assert_eq!(model.embed_documents(&texts).expect("the model runs").len(), 9);
            });
        }
    });
    Ok(())
}
