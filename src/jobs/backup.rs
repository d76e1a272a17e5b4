//! Backups: the whole index, and if wanted its accounts and settings, into a depot.
//!
//! One at a time. It reads one snapshot while everything else goes on, and stands back for searches.

use std::{
    cell::Cell,
    fmt, fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{CommandError, CountedJob, Job, JobKind, JobProgress, JobReport, JobRunner, JobStep};
use accounts::{Access, AccountsLocation, format_timestamp};
use domain::error_chain;
use object_storage::open_depot;
use pack::{
    Depot, Manifest, ManifestTrust, ObjectHash, ObjectKind, PackError, PackKind, SecretFile,
    SecretsLock, SigningKey, StoredObject, seal_secrets,
};
use packing::{DepotReport, ExportReport, IndexExport, Pacing, export_index, verify_packs};
use store::{DataFolder, IndexState};

/// Longest wait for searches before each pack that is made, and of all waits together.
const LONGEST_WAIT: Duration = Duration::from_millis(500);
const MAX_WAITING: Duration = Duration::from_secs(300);

/// Text that no log shows.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenText(pub String);

impl fmt::Debug for HiddenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Whether accounts and settings go into a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretsChoice {
    /// They are left out.
    Without,
    /// Encrypted to a passphrase.
    Passphrase(HiddenText),
    /// Encrypted to a recipient of age.
    Recipient(String),
}

/// A secret key in the format of minisign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SigningKeyText {
    /// Its file.
    pub file: HiddenText,
    /// Its password; none for a key without one.
    pub password: Option<HiddenText>,
}

/// What to back up, and to where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupOptions {
    /// The depot: an absolute folder, or an address of object storage.
    pub destination: String,
    /// Accounts and settings.
    pub secrets: SecretsChoice,
    /// What signs it.
    pub key: Option<SigningKeyText>,
}

/// Report of a backup.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BackupReport {
    /// The name of its manifest.
    pub manifest: String,
    /// The key that signed it.
    pub signed_by: Option<String>,
    /// Whether accounts and settings are in it.
    pub with_accounts: bool,
    /// What was written, and what was there.
    #[serde(flatten)]
    pub export: ExportReport,
    /// Seconds taken.
    pub seconds: f64,
}

/// Backs up a data folder. What the depot has already is not written again. `cancel` ends it early; what was written
/// helps the next one.
pub struct Backup<'a> {
    /// Accounts and settings, which may go with it.
    pub access: &'a Access,
    /// What to back up, and to where.
    pub options: &'a BackupOptions,
}

impl JobReport for BackupReport {
    fn is_complete(&self) -> bool {
        self.export.faults.is_empty()
    }
}

impl Job for Backup<'_> {
    type Event = JobStep;
    type Report = BackupReport;
    type Error = CommandError;
    const COUNTED: Option<CountedJob> = Some((JobKind::Backup, "packs"));

    fn run(
        self,
        jobs: &JobRunner,
        progress: JobProgress<'_, JobStep>,
    ) -> Result<BackupReport, CommandError> {
        let Self { access, options } = self;
        let JobProgress { cancel, sink } = progress;
        let step: &mut dyn FnMut(usize, usize) = &mut |done, total| sink(JobStep { done, total });
        let _one_at_a_time = jobs.lock_backup();
        let started = Instant::now();
        jobs.store.recover()?;
        let data = jobs.store.data_folder().root();
        let depot = open_depot(&options.destination)?;
        depot.local_folder().map_or(Ok(()), |folder| super::tables::check_place(jobs, folder))?;
        let key = options.key.as_ref().map(parse_key).transpose()?;
        let lock = to_lock(&options.secrets)?;
        let (parent, earlier) = read_earlier(&depot, key.as_ref())?.unzip();
        let waited = Cell::new(Duration::ZERO);
        let stand_back = || {
            // A backup of a busy server ends too: as long as it runs, no page of the database is used again.
            if waited.get() < MAX_WAITING {
                let began = Instant::now();
                jobs.activity.wait_until_quiet(LONGEST_WAIT);
                waited.set(waited.get() + began.elapsed());
            }
        };
        let pacing = Pacing { cancel, stand_back: &stand_back, skip_damaged: false };
        let (export, mut report) =
            export_index(&jobs.store, &depot, earlier.as_ref(), pacing, step)?;
        if export.packs.is_empty() && depot.latest_manifest().is_ok_and(|name| name.is_some()) {
            return Err(CommandError::EmptyIndex { data: data.to_owned() });
        }
        let mut manifest = Manifest::new(
            format_timestamp(Timestamp::now()),
            env!("CARGO_PKG_VERSION").to_owned(),
            parent,
        );
        manifest.packs = export.packs;
        let mut write = |kind, bytes: &[u8]| -> Result<StoredObject, CommandError> {
            let (object, is_new) = depot.write_object(kind, ObjectHash::of(bytes), bytes)?;
            if is_new {
                report.written += 1;
                report.written_bytes += object.bytes;
            }
            report.total_bytes += object.bytes;
            Ok(object)
        };
        manifest.state = Some(write(ObjectKind::State, &export.state.encode())?);
        if let Some(lock) = lock {
            let files = collect_secrets(access, jobs.store.data_folder())?;
            manifest.secrets = Some(write(ObjectKind::Secrets, &seal_secrets(&files, &lock)?)?);
        }
        let comment = format!("specbox backup {}", manifest.created_at);
        let sign = |file: &[u8]| key.as_ref().map(|key| key.sign(file, &comment)).transpose();
        let name = depot.write_manifest(&manifest, sign)?;
        depot.publish_manifest(&name)?;
        let signed_by = key.as_ref().map(SigningKey::trusted_key).transpose()?;
        Ok(BackupReport {
            manifest: name.to_string(),
            signed_by: signed_by.map(|key| key.key_id()),
            with_accounts: manifest.secrets.is_some(),
            export: report,
            seconds: started.elapsed().as_secs_f64(),
        })
    }
}

fn parse_key(text: &SigningKeyText) -> Result<SigningKey, CommandError> {
    let password = text.password.as_ref().map(|password| password.0.clone());
    Ok(SigningKey::parse(&text.file.0, password)?)
}

fn to_lock(secrets: &SecretsChoice) -> Result<Option<SecretsLock>, CommandError> {
    Ok(match secrets {
        SecretsChoice::Without => None,
        SecretsChoice::Passphrase(HiddenText(text)) => Some(SecretsLock::Passphrase(text.clone())),
        SecretsChoice::Recipient(recipient) => Some(SecretsLock::parse_recipient(recipient)?),
    })
}

/// The last export in the depot, by its name; none where it cannot be read. A signed backup continues only what the same
/// key signed: otherwise a forged manifest could have its packs signed.
fn read_earlier(
    depot: &Depot,
    key: Option<&SigningKey>,
) -> Result<Option<(ObjectHash, IndexExport)>, CommandError> {
    let read = || -> Result<Option<(ObjectHash, IndexExport)>, PackError> {
        let trust = match key {
            Some(key) => ManifestTrust::Keys(vec![key.trusted_key()?]),
            None => ManifestTrust::Anyone,
        };
        let Some(name) = depot.latest_manifest()? else { return Ok(None) };
        let manifest = depot.read_manifest(&name, &trust)?;
        Ok(IndexExport::of_manifest(depot, &manifest).map(|export| (name, export)))
    };
    match read() {
        // Whether there is an earlier backup is not known.
        Err(error @ (PackError::Io { .. } | PackError::Remote { .. })) => Err(error.into()),
        Err(error) => {
            tracing::warn!(
                error = error_chain(&error),
                "cannot continue the last backup; writing a full one"
            );
            Ok(None)
        }
        Ok(earlier) => Ok(earlier),
    }
}

/// The ending of files with rules for notes of meetings.
pub(super) const RULES_ENDING: &str = "toml";

/// Accounts and settings of a data folder, with the operator's own rules for notes, by their paths in it.
pub(super) fn collect_secrets(
    access: &Access,
    folder: &DataFolder,
) -> Result<Vec<SecretFile>, CommandError> {
    let copy = folder.accounts_copy_path();
    remove_if_there(&copy)?;
    let copied = access.copy_to(&AccountsLocation::File(copy.clone()));
    let accounts = copied.map_err(CommandError::from).and_then(|()| read_file(&copy));
    remove_if_there(&copy)?;
    let mut files = vec![("accounts.redb".to_owned(), accounts?)];
    let settings = [folder.configuration_path(), folder.vocabulary_path()];
    let rules = list_files(&folder.notes_rules_folder())?.into_iter();
    let rules = rules.filter(|path| path.extension().is_some_and(|ending| ending == RULES_ENDING));
    for path in settings.into_iter().chain(list_files(&folder.tls_folder())?).chain(rules) {
        let relative = path.strip_prefix(folder.root()).ok().and_then(Path::to_str);
        if let (Some(relative), true) = (relative, path.is_file()) {
            files.push((relative.to_owned(), read_file(&path)?));
        }
    }
    Ok(files)
}

fn list_files(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(CommandError::io("read", folder))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

fn read_file(path: &Path) -> Result<Vec<u8>, CommandError> {
    fs::read(path).map_err(CommandError::io("read", path))
}

fn remove_if_there(path: &Path) -> Result<(), CommandError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(CommandError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}

/// Reads a backup back whole, the newest where none is named, and checks it.
pub fn verify_backup(
    source: &str,
    manifest: Option<&ObjectHash>,
    trust: &ManifestTrust,
    cancel: &AtomicBool,
    step: &mut dyn FnMut(usize, usize),
) -> Result<DepotReport, CommandError> {
    let depot = open_depot(source)?;
    let manifest = read_backup(&depot, manifest, trust)?;
    let mut report = verify_packs(&depot, &manifest.packs, cancel, step);
    let rest = [(ObjectKind::State, manifest.state), (ObjectKind::Secrets, manifest.secrets)];
    for (kind, object) in rest {
        let Some(object) = object else { continue };
        match depot.read_hashed(kind, &object) {
            Ok(bytes) => {
                report.bytes += bytes.len() as u64;
                if kind == ObjectKind::State {
                    report.faults.extend(check_state(&bytes, &manifest));
                }
            }
            Err(error) => report.faults.push(error_chain(&error)),
        }
    }
    Ok(report)
}

/// What is wrong with the state of a backup.
fn check_state(bytes: &[u8], manifest: &Manifest) -> Option<String> {
    let (listed, known) = match IndexState::decode(bytes) {
        Ok(state) => (manifest.count(PackKind::Document), state.documents().len()),
        Err(error) => return Some(error_chain(&error)),
    };
    (listed != known).then(|| format!("{known} documents were backed up, {listed} are listed"))
}

/// The manifest of a backup, the newest where none is named.
pub(super) fn read_backup(
    depot: &Depot,
    name: Option<&ObjectHash>,
    trust: &ManifestTrust,
) -> Result<Manifest, CommandError> {
    let name = match name {
        Some(name) => *name,
        None => depot
            .latest_manifest()?
            .ok_or_else(|| CommandError::NoManifest { depot: depot.location() })?,
    };
    Ok(depot.read_manifest(&name, trust)?)
}
