//! Restores: a data folder out of a backup.
//!
//! It is made beside its place and renamed when it is whole: a folder is there as it was backed up, or not at all.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Instant,
};

use serde::{Deserialize, Serialize};

use super::{
    CommandError,
    backup::{RULES_ENDING, read_backup},
    definition_reader::DefinitionReader,
    ingest::IngestSettings,
};
use object_storage::open_depot;
use pack::{
    Depot, ListedPack, Manifest, ManifestTrust, ObjectHash, ObjectKind, PackError, SecretFile,
    SecretsKey, open_secrets,
};
use packing::{DefinitionsSource, PackImportReport, PackImporter};
use store::{
    DataFolder, FolderLock, GraphBuilder, IndexState, ModelRow, OptimizeOptions, Store, StoreError,
    Thoroughness,
};

/// The file of a data folder by which a run that was killed is known.
const LOCK: &str = "lock";

/// What to restore, and to where.
pub struct RestoreOptions<'a> {
    /// The depot: a folder, or an address of object storage.
    pub source: &'a str,
    /// The manifest; the newest where none is named.
    pub manifest: Option<ObjectHash>,
    /// Whose signature it must have.
    pub trust: ManifestTrust,
    /// What opens accounts and settings; without it they are left out.
    pub key: Option<SecretsKey>,
    /// The new data folder: missing or empty.
    pub target: &'a Path,
    /// The model of an index that has none.
    pub model: ModelRow,
    /// Whether damaged and missing packs are left out in place of ending the restore.
    pub skip_damaged: bool,
    /// How this installation reads documents: packs of an earlier form are without definitions.
    pub ingest: &'a IngestSettings,
}

/// Report of a restore.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestoreReport {
    /// When the backup was made.
    pub created_at: String,
    /// Whether accounts and settings were restored.
    pub with_accounts: bool,
    /// What was taken in.
    #[serde(flatten)]
    pub import: PackImportReport,
    /// Seconds taken.
    pub seconds: f64,
}

/// Restores a backup into a new data folder. `cancel` ends it before its end; nothing is left then.
pub fn restore_backup(
    options: &RestoreOptions<'_>,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<RestoreReport, CommandError> {
    let started = Instant::now();
    check_target(options.target)?;
    let depot = open_depot(options.source)?;
    let manifest = read_backup(&depot, options.manifest.as_ref(), &options.trust)?;
    let state = manifest.state.ok_or_else(|| CommandError::NoState { depot: depot.location() })?;
    let state = IndexState::decode(&depot.read_hashed(ObjectKind::State, &state)?)?;
    let secrets = read_secrets(&depot, &manifest, options.key.as_ref())?;
    let new = NewFolder::prepare(options.target)?;
    let unfinished = new.path().to_owned();
    let packs = &manifest.packs;
    let choices = FillOptions {
        model: options.model.clone(),
        skip_damaged: options.skip_damaged,
        reads_definitions: false,
        ingest: options.ingest,
    };
    let restored =
        fill_folder(&choices, (&depot, packs, &state), new, cancel, step).and_then(|import| {
            write_secrets(&unfinished, secrets.as_deref().unwrap_or_default())?;
            Ok(import)
        });
    let import = match restored {
        Ok(import) if !import.interrupted => import,
        Ok(_) => {
            remove_folder(&unfinished)?;
            return Err(CommandError::Stopped);
        }
        Err(error) => {
            let _ = remove_folder(&unfinished);
            return Err(error);
        }
    };
    if let Err(error) = move_folder(&unfinished, options.target) {
        let _ = remove_folder(&unfinished);
        return Err(error);
    }
    Ok(RestoreReport {
        created_at: manifest.created_at,
        with_accounts: secrets.is_some(),
        import,
        seconds: started.elapsed().as_secs_f64(),
    })
}

/// The new folder replaces an empty one by a rename, so that both must lie on one file system.
pub(super) fn check_target(target: &Path) -> Result<(), CommandError> {
    if target.is_symlink() {
        return Err(CommandError::MountPoint { folder: target.to_owned() });
    }
    let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev()).ok();
    if let (Some(own), Some(parent)) = (device(target), device(parent_of(target)))
        && own != parent
    {
        return Err(CommandError::MountPoint { folder: target.to_owned() });
    }

    match fs::read_dir(target).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CommandError::NotEmpty { folder: target.to_owned() }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(CommandError::io("read", target)(error)),
    }
}

/// Opens accounts and settings before the long work: a wrong passphrase fails at once.
fn read_secrets(
    depot: &Depot,
    manifest: &Manifest,
    key: Option<&SecretsKey>,
) -> Result<Option<Vec<SecretFile>>, CommandError> {
    let Some(key) = key else { return Ok(None) };
    let object = manifest.secrets.ok_or(CommandError::NoAccounts)?;
    let sealed = depot.read_hashed(ObjectKind::Secrets, &object)?;
    Ok(Some(open_secrets(&sealed, key)?))
}

/// How a new folder is filled.
pub(super) struct FillOptions<'a> {
    /// The model of an index that has none.
    pub(super) model: ModelRow,
    /// Whether damaged and missing packs are left out.
    pub(super) skip_damaged: bool,
    /// Whether names and terms are read from the texts again, in place of those in the packs.
    pub(super) reads_definitions: bool,
    /// How this installation reads them.
    pub(super) ingest: &'a IngestSettings,
}

/// A new data folder beside its place, held by this process.
pub(super) struct NewFolder {
    folder: DataFolder,
    lock: FolderLock,
}

impl NewFolder {
    /// Makes the folder, in place of what a run left that was killed.
    pub(super) fn prepare(target: &Path) -> Result<Self, CommandError> {
        let path = unfinished_path(target);
        remove_abandoned(&path)?;
        // The lock comes first: a folder with nothing else in it was left by a run that was killed at once.
        durable_file::create_folders(&path).map_err(CommandError::io("create", &path))?;
        let folder = DataFolder::new(path);
        let lock = folder.acquire_lock()?;
        folder.create_folders()?;
        Ok(Self { folder, lock })
    }

    pub(super) fn path(&self) -> &Path {
        self.folder.root()
    }
}

/// Fills a new folder with packs, with the ids and dates that they had.
pub(super) fn fill_folder(
    options: &FillOptions<'_>,
    (depot, packs, state): (&Depot, &[ListedPack], &IndexState),
    new: NewFolder,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<PackImportReport, CommandError> {
    let store = Store::open_locked(new.folder, new.lock)?;
    store.lock_writer().restore_ids(state)?;
    let reader = DefinitionReader::new(options.ingest);
    let definitions = DefinitionsSource { reader: &reader, anew: options.reads_definitions };
    let importer = PackImporter {
        store: &store,
        depot,
        model: options.model.clone(),
        may_change_model: true,
        skip_damaged: options.skip_damaged,
        definitions,
    };
    let mut report = importer.import_packs(packs, Some(state), cancel, step)?;
    if !report.interrupted {
        store.lock_writer().restore_remainder(state)?;
        build_graphs(&store, cancel)?;
    }
    report.interrupted |= cancel.load(Ordering::Acquire);
    Ok(report)
}

/// Builds graphs over the vectors where that pays, as an ingest does.
pub(super) fn build_graphs(store: &Store, cancel: &AtomicBool) -> Result<(), StoreError> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let options = OptimizeOptions {
        thoroughness: Thoroughness::Worthwhile,
        builder: GraphBuilder::default(),
        threads,
    };
    store.optimize_segments(options, &|_, _| {
        if cancel.load(Ordering::Acquire) {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    })?;
    Ok(())
}

/// Writes accounts and settings, readable by their owner alone.
pub(super) fn write_secrets(folder: &Path, files: &[SecretFile]) -> Result<(), CommandError> {
    for (relative, bytes) in files {
        let is_known =
            matches!(relative.as_str(), "accounts.redb" | "specbox.toml" | "vocabulary.toml")
                || relative.strip_prefix("tls/").is_some_and(|name| !name.contains('/'))
                || relative.strip_prefix("minutes/").is_some_and(is_rules_file);
        if !is_known {
            return Err(CommandError::Depot(PackError::Invalid { what: "name of a secret file" }));
        }
        let path = folder.join(relative);
        durable_file::write_private_file(&path, bytes).map_err(CommandError::io("write", &path))?;
    }
    Ok(())
}

/// Whether a name in the folder of rules for notes is that of a file with rules.
fn is_rules_file(name: &str) -> bool {
    !name.contains('/') && name.rsplit_once('.').is_some_and(|(_, ending)| ending == RULES_ENDING)
}

fn parent_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

fn unfinished_path(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".restoring");
    target.with_file_name(name)
}

/// Puts the finished folder in its place.
pub(super) fn move_folder(from: &Path, to: &Path) -> Result<(), CommandError> {
    let owner_only = fs::Permissions::from_mode(0o700);
    fs::set_permissions(from, owner_only).map_err(CommandError::io("set permissions of", from))?;
    if to.exists() {
        // Only an empty folder can be removed so.
        fs::remove_dir(to).map_err(CommandError::io("replace", to))?;
    }
    durable_file::rename(from, to).map_err(CommandError::io("rename", from))
}

/// Removes what a restore left that was killed; one that runs holds its folder.
fn remove_abandoned(path: &Path) -> Result<(), CommandError> {
    if !path.exists() {
        return Ok(());
    }
    let is_empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty && !path.join(LOCK).is_file() {
        // Nothing of ours.
        return Err(CommandError::NotEmpty { folder: path.to_owned() });
    }
    let _lock = DataFolder::new(path).acquire_lock()?;
    remove_folder(path)
}

/// Removes a data folder, its lock last: what is left of a removal that is killed is still known as ours.
pub(super) fn remove_folder(path: &Path) -> Result<(), CommandError> {
    let removed = fs::read_dir(path).and_then(|entries| {
        for entry in entries {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else if entry.file_name() != LOCK {
                fs::remove_file(entry.path())?;
            }
        }
        fs::remove_dir_all(path)
    });
    match removed {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(CommandError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

impl From<PackError> for CommandError {
    fn from(error: PackError) -> Self {
        Self::Depot(error)
    }
}
