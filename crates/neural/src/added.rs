//! Models that an operator adds to those that the program knows.

use std::{fs, io, path::Path};

use super::{
    error::NeuralError,
    install::install_from_folder,
    registry::{ModelEntry, ModelRegistry},
};

/// In the models folder, the entries of models that were added to it.
const ADDED_FILE: &str = "added.toml";

impl ModelRegistry {
    /// Adds the models that [`Self::add_model`] has put into a models folder.
    pub fn extend_with_added(&mut self, models_dir: &Path) -> Result<(), NeuralError> {
        match fs::read_to_string(models_dir.join(ADDED_FILE)) {
            Ok(text) => self.extend(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(NeuralError::Access { path: models_dir.join(ADDED_FILE), source }),
        }
    }

    /// Installs an operator's own model from the folder `source`: it is run like the model `like`, with other
    /// weights. Its hashes are computed now, and checked from then on.
    pub fn add_model(
        &self,
        name: &str,
        like: &str,
        source: &Path,
        models_dir: &Path,
    ) -> Result<ModelEntry, NeuralError> {
        self.check_new_name(name)?;
        let base = self.find_entry(like)?;
        let names = base.files.iter().map(|file| file.name.clone()).chain(base.unpinned.clone());
        let entry = ModelEntry {
            name: name.to_owned(),
            revision: format!("like-{like}"),
            default: false,
            unpinned: names.collect(),
            files: Vec::new(),
            ..base.clone()
        };
        install_from_folder(&entry, source, models_dir)?;
        let path = models_dir.join(ADDED_FILE);
        let access = |source| NeuralError::Access { path: path.clone(), source };
        let mut added = Self { entries: Vec::new() };
        added.extend_with_added(models_dir)?;
        added.entries.push(entry.clone());
        let text = toml::to_string(&added).expect("an entry has only what a registry file has");
        // The file is replaced as a whole or not at all: a model without its entry can be added again.
        let scratch = tempfile::NamedTempFile::new_in(models_dir).map_err(access)?;
        fs::write(scratch.path(), text).map_err(access)?;
        scratch.persist(&path).map_err(|error| access(error.error))?;
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "all-MiniLM-L6-v2";

    #[test]
    fn an_added_model_is_known_by_its_own_hashes_from_then_on() {
        let (source, models) = (tempfile::tempdir(), tempfile::tempdir());
        let (source, models) = (source.expect("a folder"), models.expect("a folder"));
        for file in ["model.safetensors", "tokenizer.json", "config.json"] {
            fs::write(source.path().join(file), file).expect("writes");
        }
        let mut registry = ModelRegistry::shipped().clone();
        for name in ["own-1", "own-2"] {
            let entry = registry.add_model(name, BASE, source.path(), models.path());
            assert_eq!(entry.expect("new").dimension, 384);
        }
        registry.extend_with_added(models.path()).expect("both");
        for name in ["own-1", "own-2"] {
            let entry = registry.find_entry(name).expect("added").clone();
            let pinned = entry.resolve_pins(models.path()).expect("installed");
            assert_eq!((pinned.files.len(), pinned.revision.len()), (3, "like--".len() + 16 + 12));
        }
        for name in ["own-1", BASE, "../own"] {
            let refused = registry.add_model(name, BASE, source.path(), models.path());
            assert!(matches!(refused, Err(NeuralError::ModelName { .. })), "{name}");
        }
    }

    #[test]
    fn a_folder_without_the_files_adds_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let added = ModelRegistry::shipped().add_model("own", BASE, folder.path(), folder.path());
        assert!(added.is_err() && !folder.path().join(ADDED_FILE).exists());
    }
}
