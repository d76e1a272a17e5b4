//! The models of this installation, loaded when they are first needed.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    neural::{self, LoadOptions, NeuralError, Registry, Reranker, TextEmbedder},
    store::ModelRow,
    wire::Failure,
};

/// Which models are used and where their files lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSettings {
    /// Folder with one sub-folder for each model.
    pub folder: PathBuf,
    /// Name of the text embedder.
    pub text_embedding: String,
    /// Name of the reranker.
    pub reranker: String,
    /// How they are run.
    pub options: LoadOptions,
}

/// The models. One that could not be loaded is tried again at the next need, so that files put in
/// place later are found without a restart.
pub struct Models {
    settings: ModelSettings,
    embedder: Mutex<Option<Arc<dyn TextEmbedder>>>,
    reranker: Mutex<Option<Arc<dyn Reranker>>>,
}

impl Models {
    /// Takes the settings; nothing is loaded yet.
    pub fn new(settings: ModelSettings) -> Self {
        Self { settings, embedder: Mutex::new(None), reranker: Mutex::new(None) }
    }

    /// The settings.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// The text embedder.
    pub fn embedder(&self) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
        let ModelSettings { folder, text_embedding, options, .. } = &self.settings;
        load_once(&self.embedder, || {
            neural::load_embedder(Registry::shipped(), text_embedding, folder, options)
        })
    }

    /// The reranker.
    pub fn reranker(&self) -> Result<Arc<dyn Reranker>, NeuralError> {
        let ModelSettings { folder, reranker, options, .. } = &self.settings;
        load_once(&self.reranker, || {
            neural::load_reranker(Registry::shipped(), reranker, folder, options)
        })
    }

    /// Whether both models are loaded, or their files are there in their full length. The hashes
    /// are checked when they are loaded.
    pub fn at_hand(&self) -> bool {
        let there = |name: &str| {
            let known = Registry::shipped().entry(name);
            known.and_then(|entry| entry.locked(&self.settings.folder)).is_ok_and(|entry| {
                entry.files.iter().all(|file| {
                    let path = self.settings.folder.join(name).join(&file.name);
                    path.metadata().is_ok_and(|meta| meta.len() == file.bytes)
                })
            })
        };
        let (embedder, reranker) = (&self.settings.text_embedding, &self.settings.reranker);
        (is_loaded(&self.embedder) || there(embedder))
            && (is_loaded(&self.reranker) || there(reranker))
    }

    /// The text embedder as the store remembers it.
    pub fn stored_identity(&self) -> Result<ModelRow, NeuralError> {
        let entry = Registry::shipped().entry(&self.settings.text_embedding)?;
        let identity = entry.locked(&self.settings.folder)?.identity();
        let hash = identity.hash();
        Ok(ModelRow { name: identity.name, identity: hash, dimension: identity.dimension })
    }
}

fn load_once<M: ?Sized>(
    slot: &Mutex<Option<Arc<M>>>,
    load: impl FnOnce() -> Result<Arc<M>, NeuralError>,
) -> Result<Arc<M>, NeuralError> {
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    match &*slot {
        Some(model) => Ok(model.clone()),
        None => Ok(slot.insert(load()?).clone()),
    }
}

fn is_loaded<M: ?Sized>(slot: &Mutex<Option<Arc<M>>>) -> bool {
    // A slot that is locked is being loaded right now.
    slot.try_lock().is_ok_and(|slot| slot.is_some())
}

/// A model that is not there is the operator's to mend; anything else is a defect.
pub(super) fn model_failure(error: NeuralError) -> Failure {
    match error {
        NeuralError::MissingFile { .. }
        | NeuralError::NotInstalled { .. }
        | NeuralError::Lock { .. }
        | NeuralError::WrongSize { .. }
        | NeuralError::WrongHash { .. }
        | NeuralError::UnknownModel { .. }
        | NeuralError::WrongKind { .. } => Failure::ModelMissing { message: error.to_string() },
        other => super::internal(other),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn models_are_at_hand_when_every_file_has_its_length() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let settings = ModelSettings {
            folder: dir.path().to_owned(),
            text_embedding: "all-MiniLM-L6-v2".into(),
            reranker: "ms-marco-MiniLM-L-12-v2".into(),
            options: LoadOptions::default(),
        };
        let models = Models::new(settings.clone());
        assert!(!models.at_hand());
        for name in [&settings.text_embedding, &settings.reranker] {
            fs::create_dir(dir.path().join(name)).expect("made");
            for file in &Registry::shipped().entry(name).expect("known").files {
                let file_path = dir.path().join(name).join(&file.name);
                fs::File::create(file_path).expect("made").set_len(file.bytes).expect("sparse");
            }
        }
        assert!(models.at_hand());
        let config = dir.path().join(&settings.reranker).join("config.json");
        fs::write(config, "cut").expect("written");
        assert!(!models.at_hand());
    }
}
