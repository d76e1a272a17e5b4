//! Bundles made out of a depot: all that a list names, or what it has beyond an earlier one, with models and the program.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use jiff::Timestamp;
use serde::Serialize;

use super::{CommandError, bundle_apply::read_list, bundle_files::find_destination};
use accounts::format_timestamp;
use domain::error_chain;
use neural::FileState;
use pack::{
    Depot, FolderStorage, ListedFile, ListedPack, Manifest, ManifestTrust, ObjectHash, ObjectKind,
    PackError, PackKind, SigningKey, StoredObject, TarStorage,
};
use packing::{PackingError, verify_pack};
use retrieval::ModelSettings;

/// What a bundle holds.
pub struct BundleOptions<'a> {
    /// Where the packs come from.
    pub depot: Depot,
    /// The list; the newest of the depot where none is named.
    pub manifest: Option<ObjectHash>,
    /// Whose signature it must have.
    pub trust: ManifestTrust,
    /// The list of an earlier bundle that whoever gets this one has applied: what that one had is left out.
    pub since: Option<ObjectHash>,
    /// Names of models.
    pub models: &'a [String],
    /// The program.
    pub program: Option<&'a Path>,
    /// What signs the bundle.
    pub key: Option<&'a SigningKey>,
}

/// Report of a bundle that was made.
#[derive(Debug, Clone, Default, Serialize)]
pub struct BundleReport {
    /// The name of its list: `--since` names it for the next bundle.
    pub manifest: String,
    /// The list that it continues.
    pub parent: Option<String>,
    /// Packs that the list names.
    pub listed: usize,
    /// Packs that it holds.
    pub packs: usize,
    /// Files of models and of the program.
    pub files: usize,
    /// Bytes of the bundle.
    pub bytes: u64,
    /// Seconds taken.
    pub seconds: f64,
}

/// Report of a bundle that was read and checked.
#[derive(Debug, Clone, Default, Serialize)]
pub struct BundleCheck {
    /// The name of its list.
    pub manifest: String,
    /// When it was made.
    pub created_at: String,
    /// The list that it continues.
    pub parent: Option<String>,
    /// Packs that it holds.
    pub packs: usize,
    /// Pictures that whoever applies it has from the list that it continues.
    pub pictures_of_parent: usize,
    /// Bytes that were read.
    pub bytes: u64,
    /// What is missing or damaged, one sentence each.
    pub faults: Vec<String>,
}

/// Makes a bundle in a new file (`.tar`) or an empty folder. `cancel` ends it early; nothing is left then of a file.
pub fn create_bundle(
    options: &BundleOptions<'_>,
    destination: &Path,
    settings: &ModelSettings,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<BundleReport, CommandError> {
    let started = Instant::now();
    let (_, source) = read_list(&options.depot, options.manifest.as_ref(), &options.trust)?;
    // Whoever may write into the depot could name another list that it continues.
    let parent = options.since.map(|since| options.depot.read_manifest(&since, &options.trust));
    let parent = parent.transpose()?;
    let (storage, tar) = open_destination(destination)?;
    let mut manifest = Manifest::new(
        format_timestamp(Timestamp::now()),
        env!("CARGO_PKG_VERSION").to_owned(),
        options.since,
    );
    manifest.packs = source.packs;
    manifest.state = source.state;
    let packs: Vec<&ListedPack> = match &parent {
        Some(parent) => manifest.packs_beyond(parent),
        None => manifest.packs.iter().collect(),
    };
    let known = known_pictures(&options.depot, parent.as_ref(), &packs)?;
    for (done, listed) in packs.iter().enumerate() {
        if cancel.load(Ordering::Acquire) {
            return Err(CommandError::Stopped);
        }
        step(done, packs.len());
        options.depot.copy_pack(&listed.pack, &storage, &|hash| known.contains(hash))?;
        for vectors in &listed.vectors {
            options.depot.copy_object(ObjectKind::Vectors, &vectors.file, &storage)?;
        }
    }
    step(packs.len(), packs.len());
    if let Some(state) = &manifest.state {
        options.depot.copy_object(ObjectKind::State, state, &storage)?;
    }
    let held = packs.len();
    manifest.files = copy_files(options, settings, &storage)?;
    if let Some(since) = &options.since {
        options.depot.copy_manifest(since, &storage)?;
    }
    let comment = format!("specbox bundle {}", manifest.created_at);
    let sign = |file: &[u8]| options.key.map(|key| key.sign(file, &comment)).transpose();
    let name = storage.write_manifest(&manifest, sign)?;
    storage.publish_manifest(&name)?;
    // The next bundle continues this one.
    options.depot.write_manifest(&manifest, sign)?;
    if let Some(tar) = tar {
        tar.finish()?;
    }
    Ok(BundleReport {
        manifest: name.to_string(),
        parent: options.since.map(|since| since.to_string()),
        listed: manifest.packs.len(),
        packs: held,
        files: manifest.files.len(),
        bytes: size_of(destination),
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// Reads everything that a bundle holds, and checks it.
pub fn verify_bundle(
    depot: &Depot,
    trust: &ManifestTrust,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<BundleCheck, CommandError> {
    let (name, manifest) = read_list(depot, None, trust)?;
    let parent = manifest.parent.map(|parent| depot.read_manifest(&parent, &ManifestTrust::Anyone));
    let parent = parent.transpose()?;
    let packs: Vec<&ListedPack> = match &parent {
        Some(parent) => manifest.packs_beyond(parent),
        None => manifest.packs.iter().collect(),
    };
    let mut check = BundleCheck {
        manifest: name.to_string(),
        created_at: manifest.created_at.clone(),
        parent: manifest.parent.map(|parent| parent.to_string()),
        ..BundleCheck::default()
    };
    for (done, listed) in packs.iter().enumerate() {
        if cancel.load(Ordering::Acquire) {
            return Err(CommandError::Stopped);
        }
        step(done, packs.len());
        match verify_bundled(depot, listed, parent.is_some()) {
            Ok((bytes, missing)) => {
                check.packs += 1;
                check.bytes += bytes;
                check.pictures_of_parent += missing;
            }
            Err(error) => {
                check.faults.push(format!("{}: {}", listed.title, error_chain(&error)));
            }
        }
    }
    step(packs.len(), packs.len());
    for listed in &manifest.files {
        if let Err(error) = find_destination(listed) {
            check.faults.push(format!("{:?}: {error}", listed.name));
        }
    }
    let files = manifest.files.iter().map(|listed| (ObjectKind::File, listed.file));
    let state = manifest.state.iter().map(|state| (ObjectKind::State, *state));
    for (kind, object) in files.chain(state) {
        match depot.read_hashed(kind, &object) {
            Ok(bytes) => check.bytes += bytes.len() as u64,
            Err(error) => check.faults.push(error.to_string()),
        }
    }
    Ok(check)
}

/// Reads a pack with its vectors and those of its pictures that are there; returns their bytes, and how many are not there.
fn verify_bundled(
    depot: &Depot,
    listed: &ListedPack,
    is_delta: bool,
) -> Result<(u64, usize), PackingError> {
    let (mut bytes, mut missing) = (listed.pack.bytes, 0);
    for (kind, picture) in depot.pictures_of(&listed.pack)? {
        match depot.read_hashed(kind, &picture) {
            Ok(read) => bytes += read.len() as u64,
            Err(PackError::Missing { .. }) if is_delta => missing += 1,
            Err(error) => return Err(error.into()),
        }
    }
    for vectors in &listed.vectors {
        bytes += depot.read_hashed(ObjectKind::Vectors, &vectors.file)?.len() as u64;
    }
    // Only with all its pictures can a pack be put together.
    if missing == 0 {
        verify_pack(depot, listed)?;
    }
    Ok((bytes, missing))
}

/// The pictures that the packs of an earlier list have, of those documents whose packs are bundled.
fn known_pictures(
    depot: &Depot,
    parent: Option<&Manifest>,
    packs: &[&ListedPack],
) -> Result<BTreeSet<ObjectHash>, CommandError> {
    let number = |listed: &ListedPack| {
        let (number, _) = listed.title.rsplit_once(' ')?;
        (listed.kind == PackKind::Document).then(|| number.to_owned())
    };
    let numbers: BTreeSet<String> = packs.iter().filter_map(|listed| number(listed)).collect();
    let mut known = BTreeSet::new();
    for listed in parent.iter().flat_map(|parent| &parent.packs) {
        if number(listed).is_some_and(|number| numbers.contains(&number)) {
            let pictures = depot.pictures_of(&listed.pack)?.into_iter();
            known.extend(pictures.map(|(_, picture)| picture.hash));
        }
    }
    Ok(known)
}

/// Copies the files of models and the program.
fn copy_files(
    options: &BundleOptions<'_>,
    settings: &ModelSettings,
    storage: &Depot,
) -> Result<Vec<ListedFile>, CommandError> {
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for name in options.models {
        let entry = settings.registry.find_entry(name)?;
        let states = neural::file_states(entry, &settings.folder)?;
        if states.iter().any(|state| *state != FileState::Verified) {
            return Err(CommandError::NoModel { name: name.clone() });
        }
        let folder = settings.folder.join(name);
        for file in &entry.files {
            files.push((format!("models/{name}/{}", file.name), folder.join(&file.name)));
        }
    }
    if let Some(program) = options.program {
        files.push(("program/specbox".to_owned(), program.to_owned()));
    }
    let copied = files.into_iter().map(|(name, path)| {
        let bytes = fs::read(&path).map_err(CommandError::io("read", &path))?;
        let (file, _): (StoredObject, bool) =
            storage.write_object(ObjectKind::File, ObjectHash::of(&bytes), &bytes)?;
        Ok(ListedFile { name, file })
    });
    copied.collect()
}

/// A new file, or an empty folder.
fn open_destination(path: &Path) -> Result<(Depot, Option<Arc<TarStorage>>), CommandError> {
    let is_file = path.extension().is_some_and(|ending| ending == "tar");
    let is_free = match fs::read_dir(path) {
        Ok(mut entries) => !is_file && entries.next().is_none(),
        Err(_) => !path.exists(),
    };
    if !is_free {
        return Err(CommandError::Exists { path: path.to_owned() });
    }
    if !is_file {
        return Ok((Depot::new(Arc::new(FolderStorage::new(path))), None));
    }
    let tar = Arc::new(TarStorage::create(path)?);
    Ok((Depot::new(tar.clone()), Some(tar)))
}

fn size_of(path: &Path) -> u64 {
    let Ok(metadata) = fs::metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| size_of(&entry.path())).sum()
}
