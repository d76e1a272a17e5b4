//! The architectures of the large models, on small checkpoints with random weights, against what the
//! transformers library computes with them (`tests/fixtures/models/tiny-*`, written by
//! `scripts/make-tiny-models`), and how models without known hashes are installed and checked.

#[path = "support/model_texts.rs"]
mod model_texts;
#[path = "support/tiny_models.rs"]
mod tiny_models;

use std::{
    fs,
    path::Path,
    sync::{Arc, LazyLock},
};

use model_texts::{Texts, assert_near, strs};
use neural::{
    FileState, LoadOptions, ModelRegistry, NeuralError, Reranker, TextEmbedder, file_states,
    install_from_folder, load_embedder, load_reranker, load_tokenizer, verify_model,
};
use serde::Deserialize;
use tempfile::TempDir;
use tiny_models::{cosine, fixture, install, installed_with, registry};

const EMBEDDERS: [&str; 2] = ["tiny-bge-m3", "tiny-Qwen3-Embedding"];
const RERANKERS: [&str; 2] = ["tiny-bge-reranker-v2-m3", "tiny-Qwen3-Reranker"];
/// In 16 bits, as on a GPU, vectors and scores are less exact: on an H200 the lowest cosine was .999987, and scores of about 2 were
/// .0066 apart.
const MIN_COSINE: f64 = if cfg!(feature = "cuda") { 0.9999 } else { 0.99999 };
const LOGIT_TOLERANCE: f32 = if cfg!(feature = "cuda") { 2e-2 } else { 1e-4 };
const LOCK: &str = "specbox-lock.json";

#[derive(Deserialize)]
struct Vectors {
    /// For each document, one vector for each window.
    documents: Vec<Vec<Vec<f32>>>,
    queries: Vec<Vec<f32>>,
}

#[derive(Deserialize)]
struct Logits {
    logits: Vec<Vec<f32>>,
}

fn texts() -> Texts {
    fixture("tiny-texts.json")
}

/// Returns a folder in which the small models are installed.
fn models() -> &'static Path {
    static MODELS: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        EMBEDDERS.iter().chain(&RERANKERS).for_each(|name| install(name, folder.path()));
        folder
    });
    MODELS.path()
}

fn embedder(name: &str) -> Arc<dyn TextEmbedder> {
    load_embedder(registry(), name, models(), &LoadOptions::default()).expect("it loads")
}

fn reranker(name: &str) -> Arc<dyn Reranker> {
    load_reranker(registry(), name, models(), &LoadOptions::default()).expect("it loads")
}

#[test]
fn vectors_agree_with_the_reference() {
    let texts = texts();
    for name in EMBEDDERS {
        let model = embedder(name);
        let expected: Vectors = fixture(&format!("{name}/references.json"));
        let mut lowest = 1.0f64;
        let documents = model.embed_documents(&strs(&texts.documents)).expect("the model runs");
        assert_eq!(documents.len(), expected.documents.len());
        for ((found, expected), text) in
            documents.iter().zip(&expected.documents).zip(&texts.documents)
        {
            assert_eq!(found.len(), expected.len(), "{name}, windows of {text}");
            for (found, expected) in found.iter().zip(expected) {
                lowest = lowest.min(cosine(found, expected));
            }
        }
        assert_eq!(texts.queries.len(), expected.queries.len());
        for (text, expected) in texts.queries.iter().zip(&expected.queries) {
            let found = model.embed_query(text).expect("the model runs");
            lowest = lowest.min(cosine(&found, expected));
        }
        eprintln!("{name}: lowest cosine to the reference {lowest:.9}");
        assert!(lowest >= MIN_COSINE, "{name}: {lowest}");
    }
}

#[test]
fn some_references_are_of_texts_longer_than_a_window() {
    for name in EMBEDDERS {
        let expected: Vectors = fixture(&format!("{name}/references.json"));
        assert!(expected.documents.iter().any(|windows| windows.len() > 2), "{name}");
    }
}

#[test]
fn logits_agree_with_the_reference() {
    let texts = texts();
    for name in RERANKERS {
        let model = reranker(name);
        let expected: Logits = fixture(&format!("{name}/references.json"));
        assert_eq!(texts.pairs.len(), expected.logits.len());
        for (pair, expected) in texts.pairs.iter().zip(&expected.logits) {
            let found =
                model.score_passages(&pair.query, &strs(&pair.passages)).expect("the model runs");
            assert_near(&found, expected, LOGIT_TOLERANCE, name);
        }
    }
}

/// What fills the rows of a batch depends on the batch; nothing else may.
#[test]
fn a_text_has_the_same_vector_and_score_alone_and_in_a_batch() {
    let texts = texts();
    for name in EMBEDDERS {
        let model = embedder(name);
        let together = model.embed_documents(&strs(&texts.documents)).expect("the model runs");
        for (text, together) in texts.documents.iter().zip(&together) {
            let alone = model.embed_documents(&[text]).expect("the model runs").remove(0);
            for (alone, together) in alone.iter().zip(together) {
                assert_near(alone, together, 1e-5, text);
            }
        }
    }
    for name in RERANKERS {
        let model = reranker(name);
        for pair in &texts.pairs {
            let together =
                model.score_passages(&pair.query, &strs(&pair.passages)).expect("it runs");
            for (passage, together) in pair.passages.iter().zip(together) {
                let alone = model.score_passages(&pair.query, &[passage]).expect("the model runs");
                assert_near(&alone, &[together], 1e-4, passage);
            }
        }
    }
}

#[test]
fn a_query_longer_than_a_window_leaves_room_for_the_passage() {
    let texts = texts();
    let long = texts.documents.iter().max_by_key(|text| text.len()).expect("there are texts");
    for name in RERANKERS {
        let model = reranker(name);
        let scores =
            model.score_passages(long, &["T310", "A passage of other words."]).expect("it runs");
        assert!(scores.iter().all(|score| score.is_finite()), "{name}: {scores:?}");
        assert_ne!(scores[0], scores[1], "{name}: the passage is read");
    }
}

#[test]
fn offsets_and_counts_agree_on_the_large_models_tokenizers() {
    for name in EMBEDDERS {
        let model = embedder(name);
        let tokenizer = load_tokenizer(registry(), name, models()).expect("it is installed");
        for text in texts().documents {
            let offsets = model.token_offsets(&text);
            assert_eq!(offsets.len(), tokenizer.count_tokens(&text), "{name}: {text}");
            for range in offsets {
                assert!(text.get(range.clone()).is_some(), "{name}: {range:?} in {text}");
            }
        }
    }
}

#[test]
fn a_model_without_known_hashes_is_missing_until_it_is_installed_and_says_where_to_get_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for entry in
        ModelRegistry::shipped().entries().iter().filter(|entry| !entry.unpinned.is_empty())
    {
        let states = file_states(entry, folder.path()).expect("the folder is readable");
        assert_eq!(states, [FileState::Missing], "{}", entry.name);
        let error = verify_model(entry, folder.path()).expect_err("nothing is there").to_string();
        assert!(error.contains(&entry.hub.repository) && error.contains("--from"), "{error}");
    }
}

#[test]
fn the_first_install_fixes_the_hashes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = RERANKERS[0];
    install(name, folder.path());
    let entry = registry().find_entry(name).expect("known");
    verify_model(entry, folder.path()).expect("as installed");
    assert_eq!(file_states(entry, folder.path()).expect("readable"), [FileState::Verified; 3]);

    let weights = folder.path().join(name).join("model.safetensors");
    let mut data = fs::read(&weights).expect("installed");
    *data.last_mut().expect("not empty") ^= 1;
    fs::write(&weights, data).expect("written");
    let error = verify_model(entry, folder.path()).expect_err("one bit is another");
    assert!(matches!(error, NeuralError::WrongHash { .. }), "{error}");
    let loaded = load_reranker(registry(), name, folder.path(), &LoadOptions::default());
    assert!(matches!(loaded, Err(NeuralError::WrongHash { .. })));
}

#[test]
fn a_copy_of_an_install_is_checked_against_its_hashes() {
    let (first, second) = (tempfile::tempdir().expect("made"), tempfile::tempdir().expect("made"));
    let name = EMBEDDERS[0];
    install(name, first.path());
    let entry = registry().find_entry(name).expect("known");
    install_from_folder(entry, first.path(), second.path()).expect("the copy is whole");
    let lock = |folder: &TempDir| fs::read(folder.path().join(name).join(LOCK)).expect("written");
    assert_eq!(lock(&first), lock(&second));

    fs::write(first.path().join(name).join("config.json"), "{}").expect("written");
    let refused = install_from_folder(entry, first.path(), second.path());
    assert!(matches!(refused, Err(NeuralError::WrongSize { .. })));
    verify_model(entry, second.path()).expect("the old install is still there");
}

#[test]
fn the_weights_are_part_of_the_identity() {
    let identity = embedder(EMBEDDERS[0]).identity().clone();
    let entry = registry()
        .find_entry(EMBEDDERS[0])
        .expect("known")
        .resolve_pins(models())
        .expect("installed");
    let weights = &entry.find_file("model.safetensors").expect("pinned now").sha256;
    assert_eq!(identity.revision, format!("tiny-{}", &weights[..12]));
}

#[test]
fn a_broken_list_of_hashes_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = EMBEDDERS[0];
    install(name, folder.path());
    let path = folder.path().join(name).join(LOCK);
    let whole = fs::read_to_string(&path).expect("written");
    let short = whole.replace("\"sha256\": \"", "\"sha256\": \"0");
    for broken in ["", "{}", "{\"files\": {}}", &short] {
        fs::write(&path, broken).expect("written");
        let entry = registry().find_entry(name).expect("known");
        let error = verify_model(entry, folder.path()).expect_err("no hashes").to_string();
        assert!(error.contains(LOCK), "{broken}: {error}");
        assert_eq!(file_states(entry, folder.path()).expect("readable"), [FileState::Damaged]);
    }
}

#[test]
fn a_configuration_that_makes_no_sense_is_an_error() {
    for (name, setting, wrong) in [
        (EMBEDDERS[0], "\"num_attention_heads\": 4", "\"num_attention_heads\": 0"),
        (EMBEDDERS[0], "\"max_position_embeddings\": 130", "\"max_position_embeddings\": 1"),
        (EMBEDDERS[0], "\"hidden_size\": 32", "\"hidden_size\": 36"),
        (EMBEDDERS[1], "\"num_key_value_heads\": 2", "\"num_key_value_heads\": 0"),
        (EMBEDDERS[1], "\"head_dim\": 16", "\"head_dim\": 15"),
        (EMBEDDERS[1], "\"num_attention_heads\": 4", "\"num_attention_heads\": 3"),
    ] {
        let target = installed_with(name, setting, wrong);
        let loaded = load_embedder(registry(), name, target.path(), &LoadOptions::default());
        assert!(loaded.is_err(), "{name} with {wrong}");
    }
}
