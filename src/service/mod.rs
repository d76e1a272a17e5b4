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
mod identifiers;
mod ingest_job;
mod jobs;
mod list_documents;
mod list_sections;
mod meetings;
mod metering;
mod models;
mod operation;
mod optimize_job;
mod overview;
mod pictures_job;
mod reindex_job;
mod resolve_term;
mod retrieval;
mod search_combined;
mod search_images;
mod search_text;
mod similar_images;
mod slots;
mod tdocs;
mod wording;

use std::sync::{
    Arc, Mutex, OnceLock,
    atomic::{AtomicBool, Ordering},
};

use accounts::{Access, SetupLink};
use contributions::Catalog;
use mirror::Mirror;
use store::{GraphBuilder, Store, StoreError};
use wire::Failure;

pub use arms::{Arms, WeighedCandidate};
pub use command_error::CommandError;
pub use corpus::{CorpusPassage, distinct_passages};
pub use get_image::Image;
pub use ingest_job::IngestSettings;
pub use jobs::{Job, JobKind, Jobs, Running};
pub use meetings::{MeetingsReport, TakenNotes};
pub use metering::Answer;
pub use models::{DEFAULT_TEXT_EMBEDDING, ModelSettings, Models, NO_MODEL};
pub use operation::{Declared, Operation, declared, operations};
pub use optimize_job::OptimizeReport;
pub use overview::Overview;
pub use reindex_job::ReindexReport;
use reindex_job::configured_as;
pub use retrieval::{Candidate, Certainty, Evidence, Found, Question, SearchSettings};
pub use tdocs::{CalendarReport, MeetingSyncReport, PendingReport, SyncReport};
pub use wording::{Vocabulary, VocabularyError, Wording};

/// Searches that wait for the reranker, which uses all cores for each, before more are refused.
const RERANK_QUEUE: usize = 7;
/// Seconds after which a refused search may try again.
const RERANK_RETRY_S: u64 = 10;

/// Where a server answers that was told nothing else.
pub const DEFAULT_BASE_URL: &str = "https://localhost:8443";

/// How this installation does its work.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How documents are read.
    pub ingest: IngestSettings,
    /// How searches are answered.
    pub search: SearchSettings,
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
    /// The neural models, loaded when first needed.
    pub models: Models,
    /// Other wordings of queries.
    pub wording: Wording,
    /// Long work, running and done.
    pub jobs: Jobs,
    ready: AtomicBool,
    /// The corpus in numbers, and the batch for which that holds.
    overview: Mutex<Option<(u64, Arc<Overview>)>>,
    settings: Settings,
    base_url: OnceLock<String>,
    ingesting: Mutex<()>,
    reranking: slots::Slots,
    listing: documents::ListingCache,
    /// The documents of meetings, as of the last question about them.
    contributions: Mutex<Option<Arc<Catalog>>>,
    /// Documents of meetings that are being fetched.
    fetches: tdocs::Fetches,
    /// Decisions of meetings, as of the last questions about them.
    meetings: Mutex<meetings::KeptViews>,
}

impl Service {
    /// Puts the parts together.
    pub fn new(
        store: Arc<Store>,
        access: Access,
        models: Models,
        wording: Wording,
        settings: Settings,
    ) -> Self {
        let (ingesting, listing) = (Mutex::default(), documents::ListingCache::default());
        let reranking = slots::Slots::new(1, RERANK_QUEUE, RERANK_RETRY_S);
        let base_url = OnceLock::new();
        let jobs = Jobs::open(store.folder().jobs());
        let ready = AtomicBool::new(false);
        Self {
            store,
            access,
            models,
            wording,
            jobs,
            ready,
            overview: Mutex::default(),
            settings,
            base_url,
            ingesting,
            reranking,
            listing,
            contributions: Mutex::default(),
            fetches: tdocs::Fetches::default(),
            meetings: Mutex::default(),
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
        let stored = self.store.snapshot().model()?;
        Ok(self.models.settings().text_embedding(stored.as_ref()))
    }

    /// Name of the image embedder: the configured one, else the one whose vectors are stored; none
    /// where figures are found by their words alone.
    pub fn image_embedding(&self) -> Result<Option<String>, StoreError> {
        let stored = self.store.snapshot().picture_model()?;
        Ok(self.models.settings().image_embedding(stored.as_ref()))
    }

    /// Name of the image embedder whose vectors searches use; none where there are none, or where
    /// another one is configured.
    pub fn image_embedding_in_use(&self) -> Result<Option<String>, StoreError> {
        let stored = self.store.snapshot().picture_model()?;
        let wanted = self.models.settings().image_embedding(stored.as_ref());
        Ok(stored.map(|row| row.name).filter(|name| wanted.as_ref() == Some(name)))
    }

    /// Whether searches find their models loaded.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Loads the models that searches need, before the first one does.
    pub fn load_models(&self) -> Result<(), CommandError> {
        self.models.embedder(&self.text_embedding()?)?;
        self.models.reranker()?;
        if let Some(name) = self.image_embedding_in_use()?
            && self.models.reads_texts(&name)
        {
            self.models.image_embedder(&name)?;
        }
        self.ready.store(true, Ordering::Release);
        Ok(())
    }
}

/// A defect: the client gets a number, the log gets the cause.
pub fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    let incident = format!("{:016x}", rand::random::<u64>());
    Failure::Internal { incident, cause: cause.into() }
}
