//! Small models with random weights, and what other libraries compute with them.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use neural::{ModelRegistry, install_from_folder};
use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// The folder of the small models.
pub(crate) fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/models")
}

/// A file of it, read as JSON.
pub(crate) fn fixture<T: DeserializeOwned>(name: &str) -> T {
    let text = fs::read_to_string(fixtures().join(name)).expect("a fixture");
    serde_json::from_str(&text).expect("a fixture is JSON of the expected shape")
}

/// What is known of the small models.
pub(crate) fn registry() -> &'static ModelRegistry {
    static REGISTRY: LazyLock<ModelRegistry> = LazyLock::new(|| {
        let text = fs::read_to_string(fixtures().join("tiny-registry.toml")).expect("a fixture");
        ModelRegistry::parse_toml(&text).expect("the registry parses")
    });
    &REGISTRY
}

/// Installs one of them.
pub(crate) fn install(name: &str, models_dir: &Path) {
    let entry = registry().find_entry(name).expect("known");
    install_from_folder(entry, &fixtures(), models_dir).expect("the files are there");
}

/// A folder in which one of them is installed with another setting in its configuration.
pub(crate) fn installed_with(name: &str, setting: &str, wrong: &str) -> TempDir {
    let (source, target) = (tempfile::tempdir().expect("made"), tempfile::tempdir().expect("made"));
    for file in fs::read_dir(fixtures().join(name)).expect("readable").flatten() {
        fs::copy(file.path(), source.path().join(file.file_name())).expect("copied");
    }
    let path = source.path().join("config.json");
    let config = fs::read_to_string(&path).expect("copied");
    assert!(config.contains(setting), "{config}");
    fs::write(&path, config.replace(setting, wrong)).expect("written");
    let entry = registry().find_entry(name).expect("known");
    install_from_folder(entry, source.path(), target.path()).expect("taken as it is");
    target
}

/// Of vectors of length one.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}
