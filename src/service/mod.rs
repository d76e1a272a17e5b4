//! One operation, one file: its parameters are the contract's, here is what it does.
//!
//! Owns what a question means. Every edge (HTTP, MCP, command line) reaches an operation through
//! [`Declared`], so that all give the same payload. Knows nothing of sockets or status lines.

mod arms;
mod command_error;
mod corpus;
mod documents;
mod get_document;
mod get_image;
mod get_sections;
mod health;
mod ingest_job;
mod jobs;
mod list_documents;
mod list_sections;
mod meetings;
mod metering;
mod operation;
mod optimize_job;
mod overview;
mod pictures_job;
mod refusals;
mod reindex_job;
mod resolve_term;
mod search_combined;
mod search_images;
mod search_text;
mod similar_images;
mod tdocs;

use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use accounts::{Access, SetupLink};
use contributions::TdocCatalog;
use mirror::Mirror;
use retrieval::Retriever;
use store::{GraphBuilder, Store, StoreError};
use wire::Failure;

pub use arms::{ArmRanker, CandidateFeatures};
pub use command_error::CommandError;
pub use corpus::{CorpusPassage, visit_distinct_passages};
pub use get_image::Image;
pub use ingest_job::IngestSettings;
pub use jobs::{JobKind, JobRecord, Jobs, RunningJob};
pub use meetings::{ImportedNotes, MeetingsReport};
pub use metering::OperationReply;
pub use operation::{DeclaredOperation, Operation, find_operation, operations};
pub use optimize_job::OptimizeReport;
pub use overview::CorpusOverview;
pub use reindex_job::ReindexReport;
use reindex_job::check_configured_model;
pub use tdocs::{CalendarReport, MeetingSyncReport, PendingReport, SyncReport};

/// Where a server answers that was told nothing else.
pub const DEFAULT_BASE_URL: &str = "https://localhost:8443";

/// How this installation does its work.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How documents are read.
    pub ingest: IngestSettings,
    /// What builds the graphs over vectors.
    pub graph_builder: GraphBuilder,
    /// Where files of meetings come from.
    pub mirror: Arc<Mirror>,
}

/// Everything an operation works with.
pub struct Service {
    /// Documents, words and vectors.
    pub store: Arc<Store>,
    /// Keys.
    pub access: Access,
    /// What answers searches, with the models.
    pub retriever: Retriever,
    /// Long work, running and done.
    pub jobs: Jobs,
    ready: AtomicBool,
    /// The corpus in numbers, and the batch for which that holds.
    corpus_overview: Mutex<Option<(u64, Arc<CorpusOverview>)>>,
    settings: Settings,
    base_url: OnceLock<String>,
    ingest_lock: Mutex<()>,
    listing_cache: documents::ListingCache,
    /// The documents of meetings, as of the last question about them.
    tdoc_catalog: Mutex<Option<Arc<TdocCatalog>>>,
    /// Documents of meetings that are being fetched.
    fetches: tdocs::FetchQueue,
    /// Decisions of meetings, as of the last questions about them.
    meeting_views: Mutex<meetings::MeetingViewCache>,
}

impl Service {
    /// Puts the parts together.
    pub fn new(
        store: Arc<Store>,
        access: Access,
        retriever: Retriever,
        settings: Settings,
    ) -> Self {
        let (ingesting, listing) = (Mutex::default(), documents::ListingCache::default());
        let base_url = OnceLock::new();
        let jobs = Jobs::open(store.data_folder().jobs_path());
        let ready = AtomicBool::new(false);
        Self {
            store,
            access,
            retriever,
            jobs,
            ready,
            corpus_overview: Mutex::default(),
            settings,
            base_url,
            ingest_lock: ingesting,
            listing_cache: listing,
            tdoc_catalog: Mutex::default(),
            fetches: tdocs::FetchQueue::default(),
            meeting_views: Mutex::default(),
        }
    }

    /// Says by which URL clients reach this service; the first word counts.
    pub fn set_base_url(&self, url: &str) {
        let _ = self.base_url.set(url.trim_end_matches('/').to_owned());
    }

    /// The URL by which clients reach this service, without a slash at its end.
    pub fn base_url(&self) -> &str {
        self.base_url.get().map_or(DEFAULT_BASE_URL, String::as_str)
    }

    /// The page on which the owner of a link sets their password.
    pub fn setup_url(&self, link: &SetupLink) -> String {
        format!("{}/setup?token={}", self.base_url(), link.token)
    }

    /// Name of the text embedder: the configured one, else the one whose vectors are stored.
    pub fn text_embedding(&self) -> Result<String, StoreError> {
        let stored = self.store.snapshot().text_model()?;
        Ok(self.retriever.models.settings().text_embedding(stored.as_ref()))
    }

    /// Name of the image embedder: the configured one, else the one whose vectors are stored; none
    /// where figures are found by their words alone.
    pub fn image_embedding(&self) -> Result<Option<String>, StoreError> {
        let stored = self.store.snapshot().picture_model()?;
        Ok(self.retriever.models.settings().image_embedding(stored.as_ref()))
    }

    /// Name of the image embedder whose vectors searches use; none where there are none, or where
    /// another one is configured.
    pub fn image_embedding_in_use(&self) -> Result<Option<String>, StoreError> {
        let stored = self.store.snapshot().picture_model()?;
        let wanted = self.retriever.models.settings().image_embedding(stored.as_ref());
        Ok(stored.map(|row| row.name).filter(|name| wanted.as_ref() == Some(name)))
    }

    /// Whether searches find their models loaded.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Loads the models that searches need, before the first one does.
    pub fn load_models(&self) -> Result<(), CommandError> {
        self.retriever.models.text_embedder(&self.text_embedding()?)?;
        self.retriever.models.reranker()?;
        if let Some(name) = self.image_embedding_in_use()?
            && self.retriever.models.reads_texts(&name)
        {
            self.retriever.models.image_embedder(&name)?;
        }
        self.ready.store(true, Ordering::Release);
        Ok(())
    }
}

/// A defect: the client gets a number, the log gets the cause.
pub fn internal_failure(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    let incident = format!("{:016x}", rand::random::<u64>());
    Failure::Internal { incident, cause: cause.into() }
}
