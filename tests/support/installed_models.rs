//! The models that the program uses by default.

use crate::trials::{TestResult, is_quick_run};

/// Nothing, where the default models are installed.
pub(crate) fn models_installed() -> TestResult {
    if is_quick_run() {
        return Err("quick run".into());
    }
    let folder = neural::default_models_dir().expect("a home folder");
    let is_installed = |name: &&str| folder.join(name).join("model.safetensors").exists();
    if ["all-MiniLM-L6-v2", "ms-marco-MiniLM-L-12-v2"].iter().all(is_installed) {
        return Ok(());
    }
    Err(format!("no models in {}: run scripts/fetch-models", folder.display()).into())
}
