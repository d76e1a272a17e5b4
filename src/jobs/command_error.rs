//! Why an operator's command could not be carried out.

use std::path::{Path, PathBuf};

use accounts::AccessError;
use contributions::ImportError;
use extract::NotesRulesError;
use ingest::IngestError;
use mirror::MirrorError;
use neural::NeuralError;
use pack::PackError;
use packing::PackingError;
use store::StoreError;

/// Why a command stopped; what it stored before stays.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The model failed.
    #[error("the model cannot be used")]
    Model(#[from] NeuralError),
    /// The configuration names another model: searches would refuse the new vectors.
    #[error(
        "specbox.toml sets {key} to {configured}; remove that line to use the model of the stored vectors, restart \
         the server if it is running, and run this command again"
    )]
    Configured {
        /// The setting.
        key: &'static str,
        /// The model named there.
        configured: String,
    },
    /// Files that were named cannot be found or read.
    #[error("cannot index the files")]
    Files(#[source] std::io::Error),
    /// The operator's own rules for notes are wrong.
    #[error("the rules for notes in the folder minutes cannot be used")]
    NotesRules(#[from] NotesRulesError),
    /// A register could not be stored.
    #[error("the import failed")]
    Import(#[from] ImportError),
    /// The mirror failed.
    #[error("the mirror did not answer")]
    Mirror(#[source] MirrorError),
    /// The data folder cannot be read or written.
    #[error("cannot store the data")]
    Store(#[from] StoreError),
    /// Documents could not be read.
    #[error("cannot read the documents")]
    Ingest(#[from] IngestError),
    /// Reading stopped for a failure of the data folder.
    #[error("reading stopped {reason}")]
    Reading {
        /// Where, and why.
        reason: String,
    },
    /// The accounts cannot be read or written.
    #[error("the accounts database cannot be read or written")]
    Accounts(#[from] AccessError),
    /// A depot cannot be read or written.
    #[error("the depot cannot be read or written")]
    Depot(#[source] PackError),
    /// Tables could not be written.
    #[error("tables cannot be written")]
    Tables(#[from] table_export::TableError),
    /// Packs could not be made or taken in.
    #[error("processing packs failed")]
    Packing(#[from] PackingError),
    /// Nothing to build packs of.
    #[error("these paths contain no specification archives or documents")]
    NoSources,
    /// An index that holds nothing beside a backup that does: most likely the wrong data folder.
    #[error(
        "the index in {} is empty, but the folder contains a backup; check --data-dir",
        data.display()
    )]
    EmptyIndex {
        /// The data folder.
        data: PathBuf,
    },
    /// A backup into the folder that is backed up.
    #[error("{} is inside the data folder; choose another folder", destination.display())]
    WithinDataFolder {
        /// The destination.
        destination: PathBuf,
    },
    /// Something of a data folder would be lost.
    #[error("the new folder would be incomplete: {fault}")]
    Incomplete {
        /// What.
        fault: String,
    },
    /// A folder contains no manifest.
    #[error("{depot} contains no packs: the manifest (latest) is missing")]
    NoManifest {
        /// Where.
        depot: String,
    },
    /// A restore into a folder that holds something.
    #[error("{} is not empty; name a new folder", folder.display())]
    NotEmpty {
        /// The folder.
        folder: PathBuf,
    },
    /// A manifest that is not of a backup.
    #[error("{depot} contains packs but no backup; import them with specbox pack take")]
    NoState {
        /// Where.
        depot: String,
    },
    /// A folder of backups is no place for built packs.
    #[error("{depot} contains backups; build packs in another folder")]
    HoldsBackups {
        /// Where.
        depot: String,
    },
    /// A restore into a link or the root of a file system.
    #[error(
        "{} is a link or the root of a file system; restore into a new subfolder",
        folder.display()
    )]
    MountPoint {
        /// The folder.
        folder: PathBuf,
    },
    /// A backup without accounts.
    #[error("the backup contains no accounts; restore it without a passphrase or identity")]
    NoAccounts,
    /// A bundle without a part that it must have.
    #[error(
        "bundle {bundle} is incomplete: {title} is missing or damaged; run `specbox bundle verify`, and copy it again"
    )]
    IncompleteBundle {
        /// The manifest of the bundle.
        bundle: String,
        /// A pack that is not in the bundle.
        title: String,
    },
    /// A bundle that continues another manifest than the one of this index.
    #[error(
        "bundle {bundle} continues {}, but this index is at {}: it does not contain {title}. Apply the bundles in between \
         first, or a complete bundle",
        parent,
        applied.as_deref().unwrap_or("none")
    )]
    ContinuesAnother {
        /// The manifest of the bundle.
        bundle: String,
        /// The one that it continues.
        parent: String,
        /// The manifest of the index.
        applied: Option<String>,
        /// A pack that is not in the bundle.
        title: String,
    },
    /// No room for a second index.
    #[error(
        "{} has {} MB free, but about {} MB are needed; nothing was changed",
        folder.display(),
        free / 1_000_000,
        needed / 1_000_000
    )]
    NoSpace {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes that are free.
        free: u64,
        /// Where.
        folder: PathBuf,
    },
    /// Going back would lose what was stored since.
    #[error(
        "{changes} changes since the bundle was applied would be lost; add --discard-changes to discard them"
    )]
    ChangesSince {
        /// How many.
        changes: u64,
    },
    /// A replica has what its source has.
    #[error("this server is a replica of {of}: make changes there")]
    Replica {
        /// Its source.
        of: String,
    },
    /// A data folder that nobody may write into.
    #[error("the data folder is read-only")]
    OnlyReads,
    /// A bundle that is there already.
    #[error("{} exists; name a new file or an empty folder", path.display())]
    Exists {
        /// Its path.
        path: PathBuf,
    },
    /// A model that is not installed cannot be bundled.
    #[error("model {name} is not installed; see specbox models list")]
    NoModel {
        /// Its name.
        name: String,
    },
    /// Whoever asked wants no more.
    #[error("stopped; nothing was changed")]
    Stopped,
    /// A file cannot be read or written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
}

impl CommandError {
    /// Adds what was tried, on which file, to an error of the system.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
