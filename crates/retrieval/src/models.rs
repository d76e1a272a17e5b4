//! The models of this installation, loaded on first use.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

use neural::{
    ImageEmbedder, LoadOptions, ModelEntry, ModelKind, ModelRegistry, NeuralError, Reranker,
    TextEmbedder,
};
use store::{ModelRow, Snapshot, StoreError};

/// Which models are used, and the location of their files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelSettings {
    /// The known models.
    pub registry: ModelRegistry,
    /// Folder with one sub-folder for each model.
    pub folder: PathBuf,
    /// Name of the text embedder; `None` for the one whose vectors are stored.
    pub text_embedding: Option<String>,
    /// Name of the image embedder, or [`NO_MODEL`]; `None` for the one whose vectors are stored.
    pub image_embedding: Option<String>,
    /// Name of the reranker.
    pub reranker: String,
    /// How the text embedder is run.
    pub embedding: LoadOptions,
    /// How the reranker is run.
    pub reranking: LoadOptions,
}

/// The name that is configured instead of a model if there is to be none.
pub const NO_MODEL: &str = "none";

/// The text embedder of a data folder that has no vectors yet. With the reranker, it ranks as well as bge-small and
/// nomic, and is two and eight times as fast (docs/models.md).
pub const DEFAULT_TEXT_EMBEDDING: &str = "all-MiniLM-L6-v2";

impl ModelSettings {
    /// Name of the text embedder for a data folder whose vectors are of `stored`.
    pub fn text_embedding(&self, stored: Option<&ModelRow>) -> String {
        let named = self.text_embedding.clone().or_else(|| stored.map(|row| row.name.clone()));
        named.unwrap_or_else(|| DEFAULT_TEXT_EMBEDDING.to_owned())
    }

    /// Name of the image embedder for a data folder whose vectors of pictures are of `stored`.
    pub fn image_embedding(&self, stored: Option<&ModelRow>) -> Option<String> {
        let named = self.image_embedding.clone().or_else(|| stored.map(|row| row.name.clone()));
        named.filter(|name| name != NO_MODEL)
    }
}

/// The models. Loading that failed is tried again on the next use, so that files added later are found
/// without a restart.
pub struct Models {
    settings: ModelSettings,
    /// The embedder used last, with its name; another one replaces it, so that only one is in memory.
    text_embedder: Mutex<Option<(String, Arc<dyn TextEmbedder>)>>,
    /// The same for pictures.
    image_embedder: Mutex<Option<(String, Arc<dyn ImageEmbedder>)>>,
    reranker: Mutex<Option<Arc<dyn Reranker>>>,
}

impl Models {
    /// Models with these settings; nothing is loaded yet.
    pub fn new(settings: ModelSettings) -> Self {
        Self {
            settings,
            text_embedder: Mutex::default(),
            image_embedder: Mutex::default(),
            reranker: Mutex::default(),
        }
    }

    /// The settings.
    pub fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Name of the text embedder: the configured one, else the one whose vectors are stored.
    pub fn text_embedding(&self, snapshot: &Snapshot) -> Result<String, StoreError> {
        Ok(self.settings.text_embedding(snapshot.contents().text_model()?.as_ref()))
    }

    /// Name of the image embedder: the configured one, otherwise the one whose vectors are stored; `None` if figures
    /// are found by their words alone.
    pub fn image_embedding(&self, snapshot: &Snapshot) -> Result<Option<String>, StoreError> {
        Ok(self.settings.image_embedding(snapshot.figures().picture_model()?.as_ref()))
    }

    /// Name of the image embedder whose vectors searches use; `None` if there are none, or if another one is
    /// configured.
    pub fn image_embedding_in_use(
        &self,
        snapshot: &Snapshot,
    ) -> Result<Option<String>, StoreError> {
        let stored = snapshot.figures().picture_model()?;
        let configured = self.settings.image_embedding(stored.as_ref());
        Ok(stored.map(|row| row.name).filter(|name| configured.as_ref() == Some(name)))
    }

    /// A text embedder.
    pub fn text_embedder(&self, name: &str) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
        let mut slot = self.text_embedder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, embedder)) = slot.as_ref().filter(|(loaded, _)| loaded == name) {
            return Ok(embedder.clone());
        }
        let embedder = self.load_text_embedder(name)?;
        *slot = Some((name.to_owned(), embedder.clone()));
        Ok(embedder)
    }

    /// Loads a text embedder without caching it.
    pub fn load_text_embedder(&self, name: &str) -> Result<Arc<dyn TextEmbedder>, NeuralError> {
        let ModelSettings { registry, folder, embedding, .. } = &self.settings;
        neural::load_embedder(registry, name, folder, embedding)
    }

    /// An image embedder.
    pub fn image_embedder(&self, name: &str) -> Result<Arc<dyn ImageEmbedder>, NeuralError> {
        let mut slot = self.image_embedder.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, embedder)) = slot.as_ref().filter(|(loaded, _)| loaded == name) {
            return Ok(embedder.clone());
        }
        let ModelSettings { registry, folder, embedding, .. } = &self.settings;
        let embedder = neural::load_image_embedder(registry, name, folder, embedding)?;
        *slot = Some((name.to_owned(), embedder.clone()));
        Ok(embedder)
    }

    /// The reranker.
    pub fn reranker(&self) -> Result<Arc<dyn Reranker>, NeuralError> {
        let mut slot = self.reranker.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reranker) = &*slot {
            return Ok(reranker.clone());
        }
        let ModelSettings { registry, folder, reranker: name, reranking, .. } = &self.settings;
        let reranker = neural::load_reranker(registry, name, folder, reranking)?;
        Ok(slot.insert(reranker).clone())
    }

    /// Whether the models are loaded, or their files exist in their full length. The hashes are checked when they are
    /// loaded.
    pub fn are_available(&self, embedder: &str, image_embedder: Option<&str>) -> bool {
        let has_files = |name: &str| {
            let known = self.settings.registry.find_entry(name);
            known.and_then(|entry| entry.resolve_pins(&self.settings.folder)).is_ok_and(|entry| {
                entry.files.iter().all(|file| {
                    let path = self.settings.folder.join(name).join(&file.name);
                    path.metadata().is_ok_and(|meta| meta.len() == file.bytes)
                })
            })
        };
        (is_loaded(&self.text_embedder, |(loaded, _)| loaded == embedder) || has_files(embedder))
            && (is_loaded(&self.reranker, |_| true) || has_files(&self.settings.reranker))
            && image_embedder.is_none_or(|name| {
                is_loaded(&self.image_embedder, |(loaded, _)| loaded == name) || has_files(name)
            })
    }

    /// Whether an image embedder has a text tower.
    pub fn reads_texts(&self, name: &str) -> bool {
        self.settings.registry.find_entry(name).is_ok_and(ModelEntry::reads_texts)
    }

    /// An embedder as the store records it.
    pub fn to_model_row(&self, name: &str) -> Result<ModelRow, NeuralError> {
        let entry = self.settings.registry.find_entry(name)?;
        if entry.kind == ModelKind::Reranker {
            let (name, found) = (name.to_owned(), entry.kind);
            return Err(NeuralError::WrongKind { name, found, expected: ModelKind::ImageEmbedder });
        }
        let identity = entry.resolve_pins(&self.settings.folder)?.identity();
        let hash = identity.identity_hash();
        Ok(ModelRow { name: identity.name, identity: hash, dimension: identity.dimension })
    }
}

fn is_loaded<M>(slot: &Mutex<Option<M>>, matches: impl Fn(&M) -> bool) -> bool {
    // A slot that is locked is being loaded right now.
    slot.try_lock().is_ok_and(|slot| slot.as_ref().is_some_and(matches))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn models_are_available_when_every_file_has_its_length() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let settings = ModelSettings {
            registry: ModelRegistry::shipped().clone(),
            folder: dir.path().to_owned(),
            text_embedding: None,
            image_embedding: None,
            reranker: "ms-marco-MiniLM-L-12-v2".into(),
            embedding: LoadOptions::default(),
            reranking: LoadOptions::default(),
        };
        let models = Models::new(settings.clone());
        let embedder = settings.text_embedding(None);
        assert!(!models.are_available(&embedder, None));
        for name in [&embedder, &settings.reranker] {
            fs::create_dir(dir.path().join(name)).expect("made");
            for file in &ModelRegistry::shipped().find_entry(name).expect("known").files {
                let file_path = dir.path().join(name).join(&file.name);
                fs::File::create(file_path).expect("made").set_len(file.bytes).expect("sparse");
            }
        }
        assert!(models.are_available(&embedder, None));
        assert!(!models.are_available(&embedder, Some("clip-vit-base-patch16-vision")));
        let config = dir.path().join(&settings.reranker).join("config.json");
        fs::write(config, "cut").expect("written");
        assert!(!models.are_available(&embedder, None));
    }
}
