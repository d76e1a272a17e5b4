//! Image models: the architectures on small checkpoints with random weights, against what the
//! transformers library computes with them (`tests/fixtures/models/tiny-*`, written by
//! `scripts/make-tiny-image-models`), and the one real vision tower, where it is installed, against
//! what the transformers library and onnxruntime compute with it (written by the same script).

#[path = "support/tiny_models.rs"]
mod tiny_models;
#[path = "support/trials.rs"]
mod trials;

use std::{
    fs,
    path::Path,
    process::ExitCode,
    sync::{Arc, LazyLock},
};

use neural::{
    ImageEmbedder, LoadOptions, ModelRegistry, NeuralError, Pixels, default_models_dir,
    load_embedder, load_image_embedder,
};
use serde::Deserialize;
use tempfile::TempDir;
use tiny_models::{cosine, fixture, fixtures, install, installed_with, registry};
use trials::{TestResult, is_quick_run, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        pictures_and_texts_agree_with_the_reference,
        the_references_are_apart_from_each_other,
        a_vision_tower_alone_gives_the_same_pictures_and_no_texts,
        a_picture_has_the_same_vector_alone_and_among_others,
        evidence_is_a_chance_that_rises_with_the_cosine,
        what_is_no_picture_is_an_error_and_no_panic,
        an_image_model_is_not_taken_for_a_text_embedder,
        a_configuration_that_makes_no_sense_is_an_error,
        the_real_vision_tower_agrees_with_two_other_libraries,
    ]])
}

const WITH_TEXTS: [&str; 3] = ["tiny-clip", "tiny-siglip", "tiny-siglip2"];
const VISION_ALONE: &str = "tiny-clip-vision";
const REAL: &str = "clip-vit-base-patch16-vision";

#[derive(Deserialize)]
struct References {
    texts: Vec<String>,
    /// For each picture of `tiny-pictures`, its vector.
    pictures: Vec<Vec<f32>>,
    /// The same for each text.
    queries: Vec<Vec<f32>>,
    /// The pictures again, by 8-bit arithmetic.
    #[serde(default)]
    quantised: Vec<Vec<f32>>,
}

/// A folder in which the small models are installed.
fn models() -> &'static Path {
    static MODELS: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        WITH_TEXTS.iter().chain([&VISION_ALONE]).for_each(|name| install(name, folder.path()));
        folder
    });
    MODELS.path()
}

fn load(name: &str) -> Arc<dyn ImageEmbedder> {
    load_image_embedder(registry(), name, models(), &LoadOptions::default()).expect("it loads")
}

/// Wide, high, with transparent parts, and smaller than any look.
fn pictures(model: &dyn ImageEmbedder) -> Vec<Pixels> {
    let file = |place| fs::read(fixtures().join(format!("tiny-pictures/{place}.png")));
    let bytes = (0..4).map(|place| file(place).expect("a fixture"));
    bytes.map(|bytes| model.preprocess_png(&bytes).expect("a picture")).collect()
}

fn lowest_cosine(found: &[Vec<f32>], expected: &[Vec<f32>]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| cosine(a, b)).fold(1.0, f64::min)
}

fn pictures_and_texts_agree_with_the_reference() {
    for name in WITH_TEXTS {
        let model = load(name);
        let expected: References = fixture(&format!("{name}/references.json"));
        let found = model.embed_pictures(&pictures(&*model)).expect("the model runs");
        let of_pictures = lowest_cosine(&found, &expected.pictures);
        let embed =
            |text: &String| model.embed_query(text).expect("it runs").expect("a text tower");
        let found: Vec<Vec<f32>> = expected.texts.iter().map(embed).collect();
        let of_texts = lowest_cosine(&found, &expected.queries);
        eprintln!("{name}: lowest cosine, pictures {of_pictures:.6}, texts {of_texts:.6}");
        // Two libraries that scale a picture round a little differently.
        assert!(of_pictures >= 0.9995, "{name}: {of_pictures}");
        assert!(of_texts >= 0.99999, "{name}: {of_texts}");
    }
}

fn the_references_are_apart_from_each_other() {
    for name in WITH_TEXTS {
        let expected: References = fixture(&format!("{name}/references.json"));
        for vectors in [&expected.pictures, &expected.queries] {
            let (first, rest) = vectors.split_first().expect("some");
            assert!(rest.iter().any(|other| cosine(first, other) < 0.98), "{name}");
        }
        assert!(expected.texts.iter().any(|text| text.len() > 200), "one fills several windows");
    }
}

fn a_vision_tower_alone_gives_the_same_pictures_and_no_texts() {
    let (whole, alone) = (load(WITH_TEXTS[0]), load(VISION_ALONE));
    let [of_whole, of_alone] =
        [&whole, &alone].map(|model| model.embed_pictures(&pictures(&**model)).expect("it runs"));
    assert_eq!(of_whole, of_alone);
    assert!(whole.has_text_tower() && !alone.has_text_tower());
    assert_eq!(alone.embed_query("a sequence chart").expect("no failure"), None);
}

fn a_picture_has_the_same_vector_alone_and_among_others() {
    for name in WITH_TEXTS {
        let model = load(name);
        let pictures = pictures(&*model);
        let together = model.embed_pictures(&pictures).expect("the model runs");
        for (picture, together) in pictures.iter().zip(&together) {
            let alone = model.embed_pictures(std::slice::from_ref(picture)).expect("it runs");
            assert!(cosine(&alone[0], together) > 0.999_99, "{name}");
        }
        assert!(model.embed_pictures(&[]).expect("nothing to run").is_empty());
    }
}

fn evidence_is_a_chance_that_rises_with_the_cosine() {
    for name in WITH_TEXTS {
        let model = load(name);
        let chances = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|cosine| model.match_probability(cosine));
        assert!(chances.is_sorted() && chances.iter().all(|c| (0.0..=1.0).contains(c)), "{name}");
        assert!(chances[4] - chances[0] > 0.5, "{name}: {chances:?}");
    }
}

fn what_is_no_picture_is_an_error_and_no_panic() {
    let model = load(VISION_ALONE);
    let whole = fs::read(fixtures().join("tiny-pictures/0.png")).expect("a fixture");
    for cut in [0, 8, 40, whole.len() / 2] {
        let refused = model.preprocess_png(&whole[..cut]);
        assert!(matches!(refused, Err(NeuralError::Picture(_))), "{cut}");
    }
}

fn an_image_model_is_not_taken_for_a_text_embedder() {
    let options = LoadOptions::default();
    let asked = load_embedder(registry(), WITH_TEXTS[0], models(), &options);
    assert!(matches!(asked, Err(NeuralError::WrongKind { .. })));
}

fn a_configuration_that_makes_no_sense_is_an_error() {
    for (name, setting, wrong) in [
        ("tiny-clip", "\"num_attention_heads\": 4", "\"num_attention_heads\": 0"),
        ("tiny-clip", "\"hidden_size\": 48", "\"hidden_size\": 49"),
        ("tiny-clip", "\"patch_size\": 8", "\"patch_size\": 0"),
        ("tiny-clip", "\"patch_size\": 8", "\"patch_size\": 7"),
        ("tiny-clip", "\"image_size\": 32", "\"image_size\": 4000000000"),
        ("tiny-clip", "\"hidden_act\": \"quick_gelu\"", "\"hidden_act\": \"gelu\""),
        ("tiny-clip", "\"projection_dim\": 24", "\"projection_dim\": 25"),
        ("tiny-clip", "\"max_position_embeddings\": 24", "\"max_position_embeddings\": 5"),
        ("tiny-siglip", "\"num_attention_heads\": 2", "\"num_attention_heads\": 0"),
        ("tiny-siglip", "\"patch_size\": 8", "\"patch_size\": 0"),
        ("tiny-siglip2", "\"hidden_size\": 32", "\"hidden_size\": 36"),
        ("tiny-siglip2", "\"max_position_embeddings\": 20", "\"max_position_embeddings\": 5"),
    ] {
        let target = installed_with(name, setting, wrong);
        let options = LoadOptions::default();
        let loaded = load_image_embedder(registry(), name, target.path(), &options);
        assert!(loaded.is_err(), "{name} with {wrong}");
    }
}

fn the_real_vision_tower_agrees_with_two_other_libraries() -> TestResult {
    if is_quick_run() {
        return Err("quick run".into());
    }
    let dir = default_models_dir().expect("HOME or SPECBOX_MODELS_DIR is set");
    let options = LoadOptions::default();
    let model = match load_image_embedder(ModelRegistry::shipped(), REAL, &dir, &options) {
        Ok(model) => model,
        Err(error @ NeuralError::MissingFile { .. }) => {
            return Err(error.to_string().into());
        }
        Err(error) => panic!("{REAL} cannot be used: {error}"),
    };
    let expected: References = fixture(&format!("{REAL}.json"));
    let found = model.embed_pictures(&pictures(&*model)).expect("the model runs");
    let lowest = lowest_cosine(&found, &expected.pictures);
    let quantised = lowest_cosine(&found, &expected.quantised);
    eprintln!("{REAL}: lowest cosine to transformers {lowest:.6}, to onnxruntime {quantised:.6}");
    // One picture is made ten times larger, and two libraries round differently there.
    assert!(lowest >= 0.99, "{lowest}");
    // It multiplies 8-bit numbers.
    assert!(quantised >= 0.95, "{quantised}");
    Ok(())
}
