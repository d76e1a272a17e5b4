//! Installs a model from a folder, such as one that was carried to a machine without a network.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use candle_core::{Tensor, pickle, safetensors};

use super::{
    error::NeuralError,
    files, lock,
    registry::{ModelEntry, ModelFile, WEIGHTS_FILE},
};

/// The weights of a model that its authors publish only in PyTorch's format.
const PICKLED: &str = "pytorch_model.bin";

/// Copies a model from `source` into the models folder. The files are in `source` itself or in a
/// folder of the model's name there. All are checked before the complete model appears under its
/// name; an installed model of the same name is replaced.
///
/// A model whose hashes the registry does not know is trusted, its hashes are written to a lock file,
/// and its weights are converted if they are PyTorch's. If `source` is itself such an install, the
/// files are checked against its lock file.
pub fn install_from_folder(
    entry: &ModelEntry,
    source: &Path,
    models_dir: &Path,
) -> Result<(), NeuralError> {
    let named = source.join(&entry.name);
    let source = if named.is_dir() { named } else { source.to_owned() };
    fs::create_dir_all(models_dir).map_err(|error| access_error(models_dir, error))?;
    let scratch = tempfile::Builder::new()
        .prefix(".install-")
        .tempdir_in(models_dir)
        .map_err(|error| access_error(models_dir, error))?;
    let ready = scratch.path().join("ready");
    fs::create_dir(&ready).map_err(|error| access_error(&ready, error))?;
    stage_files(entry, &source, &ready)?;
    let target = models_dir.join(&entry.name);
    replace_folder(&ready, &target, &scratch.path().join("replaced"))
        .map_err(|error| access_error(&target, error))
}

/// Puts the checked files of `source` into the new folder `ready`.
fn stage_files(entry: &ModelEntry, source: &Path, ready: &Path) -> Result<(), NeuralError> {
    let pinned = match entry.resolve_pins_in(source) {
        Err(NeuralError::NotInstalled { .. }) => return stage_unpinned_files(entry, source, ready),
        other => other?,
    };
    for file in &pinned.files {
        let data = files::read_expected(&source.join(&file.name), file)?;
        write_synced(&ready.join(&file.name), &data)?;
    }
    if entry.unpinned.is_empty() { Ok(()) } else { write_lock(&pinned.files, ready) }
}

/// Installs files whose hashes are not known yet, and writes the lock file.
fn stage_unpinned_files(
    entry: &ModelEntry,
    source: &Path,
    ready: &Path,
) -> Result<(), NeuralError> {
    let mut pinned = Vec::new();
    for name in &entry.unpinned {
        let data = if name == WEIGHTS_FILE && !source.join(WEIGHTS_FILE).exists() {
            convert_pickle(entry, &source.join(PICKLED), &ready.join(WEIGHTS_FILE))?
        } else {
            read_file(&source.join(name))?
        };
        write_synced(&ready.join(name), &data)?;
        let (bytes, sha256) = (data.len() as u64, files::sha256_hex(&data));
        pinned.push(ModelFile { name: name.clone(), bytes, sha256 });
    }
    write_lock(&pinned, ready)
}

/// Converts PyTorch's weights to safetensors. candle reads tensors out of the pickle and executes
/// nothing in it.
fn convert_pickle(
    entry: &ModelEntry,
    pickled: &Path,
    target: &Path,
) -> Result<Vec<u8>, NeuralError> {
    fs::metadata(pickled)
        .map_err(|error| access_error(&pickled.with_file_name(WEIGHTS_FILE), error))?;
    let convert = || {
        let tensors: HashMap<String, Tensor> = pickle::read_all(pickled)?.into_iter().collect();
        safetensors::save(&tensors, target)
    };
    convert().map_err(|source| NeuralError::Weights { model: entry.name.clone(), source })?;
    read_file(target)
}

fn read_file(path: &Path) -> Result<Vec<u8>, NeuralError> {
    fs::read(path).map_err(|error| access_error(path, error))
}

fn write_lock(files: &[ModelFile], ready: &Path) -> Result<(), NeuralError> {
    write_synced(&ready.join(lock::LOCK_FILE), lock::format_lock_file(files).as_bytes())
}

fn write_synced(path: &Path, data: &[u8]) -> Result<(), NeuralError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(data)?;
        file.sync_all()
    };
    write().map_err(|error| access_error(path, error))
}

/// Renames the finished folder to its name. A previous one is moved to `replaced` in the scratch
/// folder and deleted with it.
fn replace_folder(ready: &Path, target: &Path, replaced: &Path) -> io::Result<()> {
    match fs::rename(target, replaced) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::rename(ready, target)?,
    }
    let parent = target.parent().map_or_else(PathBuf::new, Path::to_owned);
    File::open(parent)?.sync_all()
}

fn access_error(path: &Path, source: io::Error) -> NeuralError {
    NeuralError::Access { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        files::verify_model,
        registry::{ModelFile, ModelRegistry},
    };

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn entry() -> ModelEntry {
        let mut entry = ModelRegistry::shipped().entries()[0].clone();
        let (name, sha256) = ("config.json".to_owned(), ABC.to_owned());
        entry.files = vec![ModelFile { name, bytes: 3, sha256 }];
        entry
    }

    fn source(content: &[u8]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("config.json"), content).expect("a source file");
        folder
    }

    #[test]
    fn a_good_folder_can_be_installed_twice() {
        let (entry, source) = (entry(), source(b"abc"));
        let models = tempfile::tempdir().expect("a temporary folder");
        for _ in 0..2 {
            install_from_folder(&entry, source.path(), models.path()).expect("the files agree");
            verify_model(&entry, models.path()).expect("the model is installed");
        }
        let left: Vec<_> = fs::read_dir(models.path()).expect("the models folder").collect();
        assert_eq!(left.len(), 1, "nothing but the model is left behind");
    }

    #[test]
    fn a_wrong_file_leaves_the_installed_model_alone() {
        let (entry, good, bad) = (entry(), source(b"abc"), source(b"abd"));
        let models = tempfile::tempdir().expect("a temporary folder");
        install_from_folder(&entry, good.path(), models.path()).expect("the files agree");
        let refused = install_from_folder(&entry, bad.path(), models.path());
        assert!(matches!(refused, Err(NeuralError::WrongHash { .. })));
        verify_model(&entry, models.path()).expect("the old model is still there");
    }
}
