//! Installs a model from its own repository on the hub. Called only by an operator's command, never to
//! answer a request; a build without the `hub` feature has no code for it.

use std::{fs, path::Path};

use hf_hub::{Repo, RepoType, api::sync::ApiBuilder};

use super::{error::NeuralError, install::install_from_folder, registry::ModelEntry};

/// Fetches the model's files at the pinned commit, checks them and installs them.
pub fn install_from_hub(entry: &ModelEntry, models_dir: &Path) -> Result<(), NeuralError> {
    // If hashes are pinned, files that differ from them would be rejected after the download.
    if !entry.hub.same_files {
        return Err(NeuralError::NotOnHub(entry.name.clone()));
    }
    let access = |source| NeuralError::Access { path: models_dir.to_owned(), source };
    fs::create_dir_all(models_dir).map_err(access)?;
    let scratch =
        tempfile::Builder::new().prefix(".hub-").tempdir_in(models_dir).map_err(access)?;
    let snapshot = fetch_snapshot(entry, scratch.path())?;
    install_from_folder(entry, &snapshot, models_dir)
}

fn fetch_snapshot(entry: &ModelEntry, cache: &Path) -> Result<std::path::PathBuf, NeuralError> {
    let (repository, revision) = (entry.hub.repository.clone(), entry.hub.revision.clone());
    let failed = |file: &str, source| NeuralError::Hub {
        repository: repository.clone(),
        file: file.to_owned(),
        source: Box::new(source),
    };
    let api = ApiBuilder::from_env()
        .with_cache_dir(cache.to_owned())
        .with_progress(false)
        .build()
        .map_err(|error| failed("anything", error))?;
    let repo = api.repo(Repo::with_revision(repository.clone(), RepoType::Model, revision));
    let mut folder = cache.to_owned();
    let pinned = entry.files.iter().map(|file| &file.name);
    for file in pinned.chain(&entry.unpinned) {
        let path = repo.get(file).map_err(|error| failed(file, error))?;
        folder = path.parent().map_or(folder, Path::to_owned);
    }
    Ok(folder)
}
