//! What comes with the packs of a bundle: models and the program; and whether there is room for all of it.

use std::{
    collections::HashMap,
    fs,
    io::Write,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use super::{CommandError, JobRunner};
use pack::{Depot, ListedFile, ListedPack, Manifest, ObjectKind, PackError};

/// How much more room packs take in an index than in a bundle, at most.
const GROWTH: u64 = 4;
/// Room that stays free.
const SPARE_BYTES: u64 = 64 << 20;
/// Where the files of a list belong.
const MODELS: &str = "models/";
const PROGRAM: &str = "program/specbox";

/// Refuses a bundle for which there is no room beside the index that is served.
pub(super) fn check_space(
    jobs: &JobRunner,
    wanted: &[ListedPack],
    manifest: &Manifest,
) -> Result<(), CommandError> {
    let packs = wanted.iter().map(|pack| {
        pack.pack.bytes + pack.vectors.iter().map(|vectors| vectors.file.bytes).sum::<u64>()
    });
    let packs: u64 = packs.sum();
    let files: u64 = manifest.files.iter().map(|listed| listed.file.bytes).sum();
    let needed = jobs.store.replacement_bytes() + packs.saturating_mul(GROWTH) + files;
    let folder = jobs.store.data_folder().root();
    let free = free_bytes(folder)?;
    if needed.saturating_add(SPARE_BYTES) > free {
        Err(CommandError::NoSpace { needed, free, folder: folder.to_owned() })
    } else {
        Ok(())
    }
}

/// Installs the models that come with a list.
pub(super) fn install_models(
    jobs: &JobRunner,
    depot: &Depot,
    manifest: &Manifest,
) -> Result<Vec<String>, CommandError> {
    let mut models: HashMap<&str, Vec<(&str, &pack::StoredObject)>> = HashMap::new();
    for listed in &manifest.files {
        if let FilePlace::Model { model, file } = find_destination(listed)? {
            models.entry(model).or_default().push((file, &listed.file));
        }
    }
    let settings = jobs.models.settings();
    let mut installed = Vec::new();
    for (model, files) in models {
        let entry = settings.registry.find_entry(model)?;
        let states = neural::file_states(entry, &settings.folder)?;
        if states.iter().all(|state| *state == neural::FileState::Verified) {
            continue;
        }
        let stage = jobs.store.data_folder().root().join("incoming").join(model);
        fs::create_dir_all(&stage).map_err(CommandError::io("create", &stage))?;
        for (file, object) in files {
            let bytes = depot.read_hashed(ObjectKind::File, object)?;
            write_synced(&stage.join(file), &bytes)?;
        }
        let result = neural::install_from_folder(entry, &stage, &settings.folder);
        let _ = fs::remove_dir_all(&stage);
        result?;
        installed.push(model.to_owned());
    }
    installed.sort();
    Ok(installed)
}

/// Puts the program of a list, where it brings one, beside the index.
pub(super) fn install_program(
    jobs: &JobRunner,
    depot: &Depot,
    manifest: &Manifest,
) -> Result<Option<PathBuf>, CommandError> {
    let listed = manifest.files.iter().find(|listed| listed.name == PROGRAM);
    let Some(ListedFile { file: object, .. }) = listed else { return Ok(None) };
    let folder = jobs.store.data_folder().root().join("program");
    let path = folder.join("specbox");
    let bytes = depot.read_hashed(ObjectKind::File, object)?;
    let mut executable = fs::OpenOptions::new();
    executable.mode(0o755);
    durable_file::write_file_with(&path, executable, |file| file.write_all(&bytes))
        .map_err(CommandError::io("write", &path))?;
    Ok(Some(path))
}

/// Where a file of a list belongs.
pub(super) enum FilePlace<'a> {
    /// Among the files of a model.
    Model { model: &'a str, file: &'a str },
    /// Beside the index.
    Program,
}

/// Where a file of a list belongs; an error where its name leads elsewhere.
pub(super) fn find_destination(listed: &ListedFile) -> Result<FilePlace<'_>, PackError> {
    let model = listed.name.strip_prefix(MODELS).and_then(|name| name.split_once('/'));
    match model {
        Some((model, file)) if is_plain(model) && is_plain(file) => {
            Ok(FilePlace::Model { model, file })
        }
        _ if listed.name == PROGRAM => Ok(FilePlace::Program),
        _ => Err(PackError::Invalid { what: "name of a file in the list" }),
    }
}

/// Whether a name is that of a file or folder, and no path.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

pub(super) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    durable_file::write_file(path, bytes).map_err(CommandError::io("write", path))
}

/// Bytes that this process may still write on the disk of a folder.
pub fn free_bytes(folder: &Path) -> Result<u64, CommandError> {
    let disk = rustix::fs::statvfs(folder)
        .map_err(|error| CommandError::io("measure", folder)(error.into()))?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}
