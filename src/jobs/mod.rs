//! Long work over a data folder: ingests, vectors, imports, whole meetings, and the fetching of
//! TDocs.
//!
//! Owns what runs beside the operations and the right to change the store for a while: one ingest,
//! reindex or optimization at a time. Promises that what was stored before a failure stays, and that
//! a requested fetch also completes after a restart. Knows nothing of operations, nor of who watches
//! the progress.

mod background;
mod backup;
mod bundle_apply;
mod bundle_create;
mod bundle_files;
mod calendars;
mod command_error;
mod decision_vectors;
mod definition_reader;
mod fetch;
mod history;
mod ingest;
mod job;
mod notes;
mod on_demand;
mod optimize;
mod pack_build;
mod packs;
mod pictures;
mod registers;
mod reindex;
mod reindex_report;
mod replica;
mod restore;
mod supervisor;
mod sync;
mod sync_specs;
mod tables;
mod upgrade;
mod uploads;
mod vectors;

pub use background::start_background_vectors;
pub use backup::{
    Backup, BackupOptions, BackupReport, HiddenText, SecretsChoice, SigningKeyText, verify_backup,
};
pub use bundle_apply::{ApplyBundle, ApplyOptions, ApplyReport, RollBackBundle, RollbackReport};
pub use bundle_create::{BundleCheck, BundleOptions, BundleReport, create_bundle, verify_bundle};
pub use bundle_files::free_bytes;
pub use calendars::{CalendarReport, ImportCalendars};
pub use command_error::CommandError;
pub use fetch::{FetchRefusal, fetch_or_wait, is_read, resume_fetches};
pub use history::{JobHistory, JobKind, JobRecord, RunningJob};
pub use ingest::{IngestFiles, IngestSettings};
pub use job::{CountedJob, Job, JobProgress, JobReport, JobStep};
pub use notes::{ImportMeetings, ImportedNotes, MeetingsReport};
pub use on_demand::{
    FetchRequester, ListedFolder, ListedVersion, SourceAnswer, SourceCatalogue, VersionRefusal,
    WantedVersion, ask_catalogue, cancel_version_fetches, fetch_version, fetches_on_demand,
    source_catalogue,
};
pub use optimize::{OptimizeReport, OptimizeVectors};
pub use pack_build::{
    BuildPacks, EmbedDepot, PackBuildOptions, PackBuildReport, Shard, publish_packs,
};
pub use packs::{TakeOptions, TakePacks, TakeReport, TrustChoice};
pub use registers::ImportRegisters;
pub use reindex::ReindexVectors;
pub use reindex_report::ReindexReport;
pub use replica::{
    ReplicaSettings, ReplicaState, check_changeable, check_writable, forbid_changes, replica_state,
    start_following,
};
pub use restore::{RestoreOptions, RestoreReport, restore_backup};
pub use sync::{
    MeetingSyncReport, PendingReport, ProcessPending, SyncMeetings, SyncReport, SyncTdocs,
};
pub use sync_specs::{SpecSyncOptions, SpecSyncReport, SyncSpecs};
pub use tables::{ExportTables, check_outside};
pub use upgrade::{UnreadableParts, UpgradeIndex, UpgradeReport};
pub use uploads::{
    UploadFolder, begin_upload, index_upload, resume_uploads, set_aside_uploads, waiting_uploads,
    withdraw_attempts,
};
pub use vectors::{VectorsReport, make_missing_vectors, note_asked};

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError, TryLockError,
    atomic::{AtomicBool, Ordering},
};

use contributions::TdocCatalogCache;
use extract::TokenCounting;
use mirror::Mirror;
use retrieval::{ModelSettings, Models, SearchActivity};
use store::{GraphBuilder, Store, StoreError};

use fetch::FetchQueue;
use on_demand::{SharedCatalogue, SourceTaskQueue};
use replica::FollowedSource;
use supervisor::ThreadSupervisor;
use uploads::UploadQueue;
use vectors::AskedDocuments;

/// How this installation runs its jobs.
#[derive(Debug, Clone, Default)]
pub struct JobSettings {
    /// How documents are read.
    pub ingest: IngestSettings,
    /// What builds the graphs over vectors.
    pub graph_builder: GraphBuilder,
    /// Where files of meetings and specifications come from.
    pub mirror: Arc<Mirror>,
    /// Whether versions of specifications are fetched when a client asks for them.
    pub on_demand: bool,
}

/// Runs long jobs.
pub struct JobRunner {
    store: Arc<Store>,
    models: Arc<Models>,
    /// Searches that run: work in the background stands back for them.
    activity: Arc<SearchActivity>,
    tdoc_catalogs: Arc<TdocCatalogCache>,
    settings: JobSettings,
    /// The running jobs, and the last ones that ended.
    pub history: JobHistory,
    /// Held by the job that changes documents.
    ingest_lock: Mutex<()>,
    /// Held by the job that changes the vectors of texts, after the lock above.
    vectors_lock: Mutex<()>,
    /// Held by the backup that runs.
    backup_lock: Mutex<()>,
    /// Whether a thread of its own makes vectors.
    background: AtomicBool,
    /// What callers ask for.
    asked: AskedDocuments,
    /// TDocs that are being fetched.
    fetches: FetchQueue,
    /// What the source of specifications lists.
    catalogue: SharedCatalogue,
    /// Versions that are being fetched on demand.
    source_tasks: SourceTaskQueue,
    /// Files that operators sent.
    uploads: UploadQueue,
    /// What a replica follows.
    followed: FollowedSource,
    /// Whether the data folder is only read.
    only_reads: AtomicBool,
    /// The threads that live as long as the server.
    pub(crate) threads: Arc<ThreadSupervisor>,
}

impl JobRunner {
    /// A runner for the jobs of a store.
    pub fn new(
        store: Arc<Store>,
        models: Arc<Models>,
        activity: Arc<SearchActivity>,
        tdoc_catalogs: Arc<TdocCatalogCache>,
        settings: JobSettings,
    ) -> Self {
        let history = JobHistory::open(store.data_folder().jobs_path());
        Self {
            store,
            models,
            activity,
            tdoc_catalogs,
            settings,
            history,
            ingest_lock: Mutex::default(),
            vectors_lock: Mutex::default(),
            backup_lock: Mutex::default(),
            background: AtomicBool::new(false),
            asked: AskedDocuments::default(),
            fetches: FetchQueue::default(),
            catalogue: SharedCatalogue::default(),
            source_tasks: SourceTaskQueue::default(),
            uploads: UploadQueue::default(),
            followed: FollowedSource::default(),
            only_reads: AtomicBool::new(false),
            threads: Arc::default(),
        }
    }

    /// Whether documents are being read, or graphs built.
    fn is_reading(&self) -> bool {
        matches!(self.ingest_lock.try_lock(), Err(std::sync::TryLockError::WouldBlock))
    }

    /// Whether vectors are made in the background of a server.
    fn makes_vectors_in_background(&self) -> bool {
        self.background.load(Ordering::Acquire)
    }

    /// How workers count tokens of the text model: by an estimate where it is not installed.
    fn token_counting(&self, model: &str) -> TokenCounting {
        let ModelSettings { registry, folder, .. } = self.models.settings();
        match neural::read_vocabulary(registry, model, folder) {
            Ok(json) => TokenCounting::Vocabulary(json),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "passages are split by estimated token counts");
                TokenCounting::Estimated
            }
        }
    }

    /// Waits for the right to change documents.
    fn lock_ingest(&self) -> MutexGuard<'_, ()> {
        self.ingest_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same; calls `say_waiting` first if others have that right.
    fn lock_ingest_telling(&self, say_waiting: impl FnOnce()) -> MutexGuard<'_, ()> {
        if matches!(self.ingest_lock.try_lock(), Err(TryLockError::WouldBlock)) {
            say_waiting();
        }
        self.lock_ingest()
    }

    /// Waits until no other backup runs.
    fn lock_backup(&self) -> MutexGuard<'_, ()> {
        self.backup_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Name of the text embedder: the configured one, else the one whose vectors are stored.
    fn text_embedding(&self) -> Result<String, StoreError> {
        self.store.recover()?;
        self.models.text_embedding(&self.store.snapshot())
    }
}
