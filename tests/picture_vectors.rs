//! What figures look like, in the program as a whole: vectors made by `reindex`, kept up by
//! `ingest`, reported by `/health`, used by searches. The image models are small ones with random
//! weights (`scripts/make-tiny-image-models`): they show that the parts meet, not how good a model
//! is.

#[expect(dead_code, reason = "only simple requests are made here")]
#[path = "support/client.rs"]
mod client;
#[path = "support/installed_models.rs"]
mod installed_models;
#[path = "support/program.rs"]
mod program;
#[path = "support/server.rs"]
mod server;
#[path = "support/trials.rs"]
mod trials;

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::ExitCode,
};

use client::Client;
use installed_models::models_installed;
use program::{json as command, run, sample, specbox};
use serde_json::{Value, json};
use server::RunningServer;
use tempfile::TempDir;
use trials::{TestResult, run_trials, trials};

fn main() -> ExitCode {
    run_trials([trials![
        pictures_are_compared_where_an_image_model_is_used_and_only_there,
        ingest_keeps_up_with_new_pictures,
    ]])
}

/// Queries whose words are in no document of the sample.
const UNRELATED_QUERIES: [&str; 4] =
    ["zebra umbrella", "a violin on the beach", "marmalade", "seventeen purple tractors"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models")
}

/// A data folder whose configuration knows the small models, and these installed beside the default
/// ones.
struct Installation {
    folder: TempDir,
}

impl Installation {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let models = folder.path().join("models");
        fs::create_dir_all(&models).expect("made");
        let installed = neural::default_models_dir().expect("a home folder");
        for entry in fs::read_dir(installed).expect("readable").flatten() {
            symlink(entry.path(), models.join(entry.file_name())).expect("linked");
        }
        let installation = Self { folder };
        installation.configure("");
        for name in ["tiny-siglip2", "tiny-clip-vision"] {
            let fetch = ["models", "fetch", name, "--from"];
            command(specbox(&installation.data()).args(fetch).arg(fixtures().join(name)));
        }
        installation
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn configure(&self, more: &str) {
        let (models, registry) =
            (self.folder.path().join("models"), fixtures().join("tiny-registry.toml"));
        let text = format!("[models]\nfolder = {models:?}\nregistry = {registry:?}\n{more}\n");
        fs::create_dir_all(self.data()).expect("made");
        fs::write(self.data().join("specbox.toml"), text).expect("written");
    }

    fn reindex(&self, model: &str) -> Value {
        command(specbox(&self.data()).args(["reindex", "--model", model]))
    }

    fn ask<R>(&self, questions: impl FnOnce(&Client) -> R) -> R {
        let made = command(specbox(&self.data()).args(["key", "create", "--name", "tests"]));
        let server = RunningServer::start(&self.data(), "auto");
        let key = made["key"].as_str().expect("a key");
        questions(&Client::new(&server.base_url, Some(key), server.authority.as_deref()))
    }
}

fn models_of(client: &Client) -> (String, String) {
    let health = client.get("/health").body;
    assert_eq!(health["status"], "ok", "{health:#}");
    let name = |key: &str| health["models"][key].as_str().expect("a name").to_owned();
    (name("image_embedding"), name("image_text_tower"))
}

fn post(client: &Client, path: &str, body: &Value) -> Vec<Value> {
    let answer = client.post(path, body);
    assert_eq!(answer.status, 200, "{:#}", answer.body);
    answer.body["results"].as_array().expect("results").clone()
}

/// All figures, as each unrelated query finds them.
fn search_unrelated(client: &Client) -> Vec<Vec<Value>> {
    let all = |query| json!({ "query": query, "match_count": 50, "match_threshold": 0.0 });
    UNRELATED_QUERIES.iter().map(|query| post(client, "/search/images", &all(query))).collect()
}

fn like(figure: &Value, more: &Value) -> Value {
    let mut body = json!({
        "doc_number": figure["doc_number"],
        "version": figure["version"],
        "image_index": figure["id"],
    });
    let fields = more.as_object().expect("an object").clone();
    body.as_object_mut().expect("an object").extend(fields);
    body
}

fn pictures_are_compared_where_an_image_model_is_used_and_only_there() -> TestResult {
    models_installed()?;
    let installation = Installation::new();
    let report = command(specbox(&installation.data()).arg("ingest").arg(sample()));
    assert_eq!(report["pictures_embedded"], 0, "no image model was asked for");
    let figure = json!({ "query": "Link states and transitions of the UE", "match_count": 1 });
    let (first, without_model) = installation.ask(|client| {
        assert_eq!(models_of(client), ("none".into(), "none".into()));
        let first = post(client, "/search/images", &figure).remove(0);
        let answer = client.post("/search/images/similar", &like(&first, &json!({})));
        assert_eq!(
            (answer.status, &answer.body["detail"]["code"]),
            (404, &json!("image_not_compared"))
        );
        (first, search_unrelated(client))
    });

    // The vision tower alone: pictures with pictures, and no difference for texts.
    let made = installation.reindex("tiny-clip-vision");
    assert_eq!((&made["switched"], &made["pending"]), (&json!(true), &json!(0)), "{made:#}");
    assert!(made["embedded"].as_u64() >= Some(8), "{made:#}");
    installation.ask(|client| {
        assert_eq!(models_of(client), ("tiny-clip-vision".into(), "none".into()));
        assert_eq!(search_unrelated(client), without_model);
        similar_figures_are_found(client, &first);
    });

    // Both towers: the similarity of the picture is added to that of the words, and most where it
    // fits best.
    let made = installation.reindex("tiny-siglip2");
    assert_eq!(made["switched"], true, "{made:#}");
    installation.ask(|client| {
        assert_eq!(models_of(client), ("tiny-siglip2".into(), "tiny-siglip2".into()));
        let mut gains = Vec::new();
        for (before, after) in without_model.iter().zip(search_unrelated(client)) {
            assert_eq!(before.len(), after.len());
            for figure in &after {
                let same = |other: &&Value| other["image_path"] == figure["image_path"];
                let before = before.iter().find(same).expect("it was found before");
                let similarity = |found: &Value| found["similarity"].as_f64().expect("a number");
                let gain = similarity(figure) - similarity(before);
                gains.push(gain / (1.0 - similarity(before)));
            }
        }
        gains.sort_by(f64::total_cmp);
        let (lowest, highest) = (gains[0], gains[gains.len() - 1]);
        assert!(lowest >= 0.0 && highest <= 0.5 && highest - lowest > 0.1, "{lowest} to {highest}");
    });
    let checked = command(specbox(&installation.data()).arg("verify"));
    assert_eq!(checked["faults"], json!([]), "{checked:#}");
    Ok(())
}

/// A figure is like itself in another version, and like others to a degree.
fn similar_figures_are_found(client: &Client, first: &Value) {
    let path = "/search/images/similar";
    let results = post(client, path, &like(first, &json!({ "match_count": 50 })));
    let mut before = 1.0;
    for result in &results {
        let similarity = result["similarity"].as_f64().expect("a number");
        assert!((0.0..=before).contains(&similarity), "{results:#?}");
        before = similarity;
        let is_itself = ["doc_number", "version", "id"].iter().all(|key| result[key] == first[key]);
        assert!(!is_itself, "{result:#}");
        let picture = client.get(result["image_path"].as_str().expect("a picture"));
        assert_eq!(picture.status, 200);
    }
    assert!(results.len() > 5, "{}", results.len());
    assert_eq!(results[0]["caption"], first["caption"], "its other version looks the same");
    assert!(results[0]["similarity"].as_f64() > Some(0.99));
    let narrow = json!({ "match_threshold": 0.99, "filter_doc_number": "38.990" });
    let alike = post(client, path, &like(first, &narrow));
    assert!(!alike.is_empty() && alike.len() < results.len(), "{}", alike.len());
    assert!(alike.iter().all(|result| result["doc_number"] == "38.990"));
    let nowhere = json!({ "filter_series": "99" });
    assert!(post(client, path, &like(first, &nowhere)).is_empty());

    for (wrong, status) in [
        (json!({ "image_index": 999 }), 404),
        (json!({ "doc_number": "99.999" }), 404),
        (json!({ "version": "new" }), 400),
        (json!({ "match_count": 51 }), 422),
    ] {
        assert_eq!(client.post(path, &like(first, &wrong)).status, status, "{wrong}");
    }
}

fn ingest_keeps_up_with_new_pictures() -> TestResult {
    models_installed()?;
    let installation = Installation::new();
    installation.configure("image_embedding = \"tiny-clip-vision\"");
    let ingest = |folder: &str| {
        command(specbox(&installation.data()).arg("ingest").arg(sample().join(folder)))
    };
    let first = ingest("38_series")["pictures_embedded"].as_u64().expect("a number");
    assert!(first > 3, "{first}");
    assert_eq!(ingest("38_series")["pictures_embedded"], 0, "nothing is made twice");
    let second = ingest(".")["pictures_embedded"].as_u64().expect("a number");
    assert!(second > 0, "{second}");

    let refused = run(specbox(&installation.data()).args(["reindex", "--model", "tiny-siglip2"]));
    let errors = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && errors.contains("image_embedding"), "{errors}");
    installation.configure("image_embedding = \"none\"");
    installation.ask(|client| assert_eq!(models_of(client), ("none".into(), "none".into())));
    Ok(())
}
