//! Long work over a data folder: ingests, vectors, imports, whole meetings, and the fetching of
//! TDocs.
//!
//! Owns what runs beside the operations and the right to change the store for a while: one ingest,
//! reindex or optimization at a time. Promises that what was stored before a failure stays, and that
//! a requested fetch also completes after a restart. Knows nothing of operations, nor of who watches
//! the progress.

mod calendars;
mod command_error;
mod decision_vectors;
mod fetch;
mod history;
mod ingest;
mod notes;
mod optimize;
mod pictures;
mod registers;
mod reindex;
mod sync;

pub use calendars::CalendarReport;
pub use command_error::CommandError;
pub use fetch::{FetchRefusal, is_read};
pub use history::{JobHistory, JobKind, JobRecord, RunningJob};
pub use ingest::IngestSettings;
pub use notes::{ImportedNotes, MeetingsReport};
pub use optimize::OptimizeReport;
pub use reindex::ReindexReport;
pub use sync::{MeetingSyncReport, PendingReport, SyncReport};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use contributions::TdocCatalogCache;
use mirror::Mirror;
use retrieval::Models;
use store::{GraphBuilder, Store, StoreError};

use fetch::FetchQueue;

/// How this installation runs its jobs.
#[derive(Debug, Clone, Default)]
pub struct JobSettings {
    /// How documents are read.
    pub ingest: IngestSettings,
    /// What builds the graphs over vectors.
    pub graph_builder: GraphBuilder,
    /// Where files of meetings come from.
    pub mirror: Arc<Mirror>,
}

/// Runs long jobs.
pub struct JobRunner {
    store: Arc<Store>,
    models: Arc<Models>,
    tdoc_catalogs: Arc<TdocCatalogCache>,
    settings: JobSettings,
    /// The running jobs, and the last ones that ended.
    pub history: JobHistory,
    /// Held by the job that changes documents or vectors.
    ingest_lock: Mutex<()>,
    /// TDocs that are being fetched.
    fetches: FetchQueue,
}

impl JobRunner {
    /// A runner for the jobs of a store.
    pub fn new(
        store: Arc<Store>,
        models: Arc<Models>,
        tdoc_catalogs: Arc<TdocCatalogCache>,
        settings: JobSettings,
    ) -> Self {
        let history = JobHistory::open(store.data_folder().jobs_path());
        let (ingest_lock, fetches) = (Mutex::default(), FetchQueue::default());
        Self { store, models, tdoc_catalogs, settings, history, ingest_lock, fetches }
    }

    /// Waits for the right to change documents or vectors.
    fn lock_ingest(&self) -> MutexGuard<'_, ()> {
        self.ingest_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Name of the text embedder: the configured one, else the one whose vectors are stored.
    fn text_embedding(&self) -> Result<String, StoreError> {
        self.store.recover()?;
        self.models.text_embedding(&self.store.snapshot())
    }
}
