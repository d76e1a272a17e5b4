//! Models whose hashes the registry cannot know: they are computed when the model is installed, stored
//! beside its files, and binding from then on.
//!
//! The first install is trusted; later changes of a file are detected as for any other model. The hash
//! of the weights is part of the model's identity, so that vectors of two installs are compared only if
//! their weights are the same.

use std::{borrow::Cow, collections::BTreeMap, fs, io, path::Path};

use serde::{Deserialize, Serialize};

use super::{
    error::NeuralError,
    registry::{ModelEntry, ModelFile, WEIGHTS_FILE},
};

/// The file in the model's folder.
pub(super) const LOCK_FILE: &str = "specbox-lock.json";

/// Hexadecimal digits of the weights' hash in the name of a revision, as in the registry.
const REVISION_DIGITS: usize = 12;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LockFile {
    files: BTreeMap<String, FilePin>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePin {
    bytes: u64,
    sha256: String,
}

impl ModelEntry {
    /// Returns the entry with every file's hash: this one if the registry has them, otherwise with those in the lock
    /// file of the install. In the second case, a model that is not installed is an error.
    pub fn resolve_pins(&self, models_dir: &Path) -> Result<Cow<'_, Self>, NeuralError> {
        self.resolve_pins_in(&models_dir.join(&self.name))
    }

    /// The same for an install in exactly this folder.
    pub(super) fn resolve_pins_in(&self, folder: &Path) -> Result<Cow<'_, Self>, NeuralError> {
        if self.unpinned.is_empty() {
            return Ok(Cow::Borrowed(self));
        }
        let path = folder.join(LOCK_FILE);
        match fs::read(&path) {
            Ok(text) => self.with_pins(parse_lock_file(&path, &text)?, &path).map(Cow::Owned),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(NeuralError::NotInstalled {
                    model: self.name.clone(),
                    repository: self.hub.repository.clone(),
                    folder: folder.to_owned(),
                })
            }
            Err(source) => Err(NeuralError::Access { path, source }),
        }
    }

    fn with_pins(&self, lock: LockFile, path: &Path) -> Result<Self, NeuralError> {
        let mut files = lock.files;
        let pinned_file = |name: &String| {
            let pin = files.remove(name)?;
            let is_hash = pin.sha256.len() == 64 && pin.sha256.is_ascii();
            is_hash.then(|| ModelFile { name: name.clone(), bytes: pin.bytes, sha256: pin.sha256 })
        };
        let pinned: Option<Vec<ModelFile>> = self.unpinned.iter().map(pinned_file).collect();
        let invalid = || NeuralError::Lock { path: path.to_owned() };
        Ok(self.with_files(pinned.ok_or_else(invalid)?))
    }

    /// Returns the entry with its files pinned and its revision completed by the weights' hash.
    fn with_files(&self, files: Vec<ModelFile>) -> Self {
        let mut entry = Self { files, unpinned: Vec::new(), ..self.clone() };
        if let Some(weights) = entry.find_file(WEIGHTS_FILE) {
            entry.revision = format!("{}-{}", self.revision, &weights.sha256[..REVISION_DIGITS]);
        }
        entry
    }
}

fn parse_lock_file(path: &Path, text: &[u8]) -> Result<LockFile, NeuralError> {
    serde_json::from_slice(text).map_err(|_| NeuralError::Lock { path: path.to_owned() })
}

/// Returns the text of the lock file for these files.
pub(super) fn format_lock_file(files: &[ModelFile]) -> String {
    let pin = |file: &ModelFile| {
        (file.name.clone(), FilePin { bytes: file.bytes, sha256: file.sha256.clone() })
    };
    let lock = LockFile { files: files.iter().map(pin).collect() };
    let text = serde_json::to_string_pretty(&lock).expect("names, sizes and hashes are JSON");
    text + "\n"
}
