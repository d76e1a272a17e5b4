//! The models of this installation, loaded when they are first needed.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    neural::{self, NeuralError, Registry, Reranker, TextEmbedder},
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
        let settings = &self.settings;
        load_once(&self.embedder, || {
            neural::load_embedder(Registry::shipped(), &settings.text_embedding, &settings.folder)
        })
    }

    /// The reranker.
    pub fn reranker(&self) -> Result<Arc<dyn Reranker>, NeuralError> {
        let settings = &self.settings;
        load_once(&self.reranker, || {
            neural::load_reranker(Registry::shipped(), &settings.reranker, &settings.folder)
        })
    }

    /// The text embedder as the store remembers it.
    pub fn stored_identity(&self) -> Result<ModelRow, NeuralError> {
        let entry = Registry::shipped().entry(&self.settings.text_embedding)?;
        let identity = entry.identity();
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

/// A model that is not there is the operator's to mend; anything else is a defect.
pub(super) fn model_failure(error: NeuralError) -> Failure {
    match error {
        NeuralError::MissingFile { .. }
        | NeuralError::WrongSize { .. }
        | NeuralError::WrongHash { .. }
        | NeuralError::UnknownModel { .. }
        | NeuralError::WrongKind { .. } => Failure::ModelMissing { message: error.to_string() },
        other => super::internal(other),
    }
}
