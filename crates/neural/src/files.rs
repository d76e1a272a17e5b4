//! Where a model's files are, and whether they are the ones that the registry names.
//!
//! A model is the folder `<models dir>/<name>/`. A file is read completely and hashed before its bytes
//! are used, so that exactly the verified bytes are used.

use std::{
    env,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use super::{
    error::NeuralError,
    registry::{ModelEntry, ModelFile},
};

/// The state of one file of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// It exists, and its hash agrees.
    Verified,
    /// It does not exist.
    Missing,
    /// It exists, but is not the file that the registry names.
    Damaged,
}

/// Returns the default models folder: `SPECBOX_MODELS_DIR`, otherwise `specbox/models` in the user's cache folder.
/// `scripts/fetch-models` has the same default.
#[must_use]
pub fn default_models_dir() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("SPECBOX_MODELS_DIR").or_else(|| {
        let cache =
            variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?;
        Some(cache.join("specbox").join("models"))
    })
}

/// Checks every file of a model and returns their states, in the registry's order.
pub fn file_states(entry: &ModelEntry, models_dir: &Path) -> Result<Vec<FileState>, NeuralError> {
    let entry = match entry.resolve_pins(models_dir) {
        Ok(entry) => entry,
        Err(NeuralError::NotInstalled { .. }) => return Ok(vec![FileState::Missing]),
        Err(NeuralError::Lock { .. }) => return Ok(vec![FileState::Damaged]),
        Err(other) => return Err(other),
    };
    let state = |file| match read_verified(&entry, file, models_dir) {
        Ok(_) => Ok(FileState::Verified),
        Err(NeuralError::MissingFile { .. }) => Ok(FileState::Missing),
        Err(NeuralError::WrongSize { .. } | NeuralError::WrongHash { .. }) => {
            Ok(FileState::Damaged)
        }
        Err(other) => Err(other),
    };
    entry.files.iter().map(state).collect()
}

/// Checks every file of a model; the error names the first that is missing or wrong.
pub fn verify_model(entry: &ModelEntry, models_dir: &Path) -> Result<(), NeuralError> {
    let entry = entry.resolve_pins(models_dir)?;
    entry.files.iter().try_for_each(|file| read_verified(&entry, file, models_dir).map(drop))
}

/// Reads one file of a model and checks its hash.
pub(super) fn read_verified(
    entry: &ModelEntry,
    file: &ModelFile,
    models_dir: &Path,
) -> Result<Vec<u8>, NeuralError> {
    let path = models_dir.join(&entry.name).join(&file.name);
    read_expected(&path, file).map_err(|error| match error {
        NeuralError::Access { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            let models_dir = models_dir.to_owned();
            NeuralError::MissingFile { model: entry.name.clone(), path, models_dir }
        }
        other => other,
    })
}

/// Reads a file that must have the size and hash the registry gives.
pub(super) fn read_expected(path: &Path, file: &ModelFile) -> Result<Vec<u8>, NeuralError> {
    let access = |source| NeuralError::Access { path: path.to_owned(), source };
    // The size first: a file of any other size is not worth reading.
    let size = fs::metadata(path).map_err(access)?.len();
    if size != file.bytes {
        let path = path.to_owned();
        return Err(NeuralError::WrongSize { path, expected: file.bytes, found: size });
    }
    let data = fs::read(path).map_err(access)?;
    let found = sha256_hex(&data);
    if found == file.sha256 {
        return Ok(data);
    }
    let (path, expected) = (path.to_owned(), file.sha256.clone());
    Err(NeuralError::WrongHash { path, expected, found })
}

/// Returns the sha256 in lower-case hexadecimal.
pub(super) fn sha256_hex(data: &[u8]) -> String {
    let digest = Sha256::digest(data);
    digest.iter().fold(String::with_capacity(2 * digest.len()), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string does not fail");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::ModelRegistry;

    fn entry(bytes: u64, sha256: &str) -> ModelEntry {
        let mut entry = ModelRegistry::shipped().entries()[0].clone();
        let (name, sha256) = ("model.safetensors".to_owned(), sha256.to_owned());
        entry.files = vec![ModelFile { name, bytes, sha256 }];
        entry
    }

    fn folder_with(entry: &ModelEntry, content: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let model = folder.path().join(&entry.name);
        fs::create_dir(&model).expect("the model's folder");
        fs::write(model.join("model.safetensors"), content).expect("the model's file");
        folder
    }

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn a_file_with_the_right_hash_is_verified() {
        let entry = entry(3, ABC);
        let folder = folder_with(&entry, b"abc");
        verify_model(&entry, folder.path()).expect("the file is the right one");
        let states = file_states(&entry, folder.path()).expect("the folder is readable");
        assert_eq!(states[0], FileState::Verified);
    }

    #[test]
    fn a_missing_file_says_where_it_is_expected_and_what_to_run() {
        let entry = entry(3, ABC);
        let folder = tempfile::tempdir().expect("a temporary folder");
        let message =
            verify_model(&entry, folder.path()).expect_err("nothing is there").to_string();
        let path = folder.path().join(&entry.name).join("model.safetensors");
        assert!(message.contains(&path.display().to_string()), "{message}");
        assert!(message.contains("scripts/fetch-models"), "{message}");
    }

    #[test]
    fn one_changed_byte_is_detected() {
        let entry = entry(3, ABC);
        let folder = folder_with(&entry, b"abd");
        let error = verify_model(&entry, folder.path()).expect_err("the content is another");
        assert!(matches!(error, NeuralError::WrongHash { .. }), "{error}");
    }

    #[test]
    fn a_truncated_file_is_detected_by_its_size() {
        let entry = entry(3, ABC);
        let folder = folder_with(&entry, b"ab");
        let error = verify_model(&entry, folder.path()).expect_err("the file is cut");
        assert!(matches!(error, NeuralError::WrongSize { expected: 3, found: 2, .. }), "{error}");
        let states = file_states(&entry, folder.path()).expect("the folder is readable");
        assert_eq!(states[0], FileState::Damaged);
    }
}
