//! The operations, one file each: the contract declares their parameters, this module runs them.
//!
//! Owns the meaning of every request. Every edge (HTTP, MCP, command line) reaches an operation through
//! [`DeclaredOperation`], so that all give the same payload. Knows nothing of sockets or status lines.

mod address;
mod argument_values;
mod comparison;
mod detail;
mod diagnosis;
mod documents;
mod get_document;
mod get_image;
mod get_section_parts;
mod get_sections;
mod health;
mod key_scope;
mod list_documents;
mod list_sections;
mod listed_documents;
mod meetings;
mod metering;
mod names;
mod on_demand;
mod operation;
mod overview;
mod preview_text;
mod quotes;
mod references;
mod refusals;
mod resolve_term;
mod search_combined;
mod search_images;
mod search_text;
mod section_parts;
mod similar_images;
mod spelling;
mod suggest;
mod tdocs;
mod term_definitions;
mod watches;
pub use argument_values::{
    complete_document_numbers, complete_meetings, complete_releases, complete_sections,
    complete_versions,
};
pub use comparison::paragraph_ages;
pub use get_image::{find_image, find_image_with_snapshot, read_image};
pub use meetings::find_meetings;
pub use meetings::meeting_companies;
pub use meetings::notes_text;
pub use overview::corpus_overview;
pub use preview_text::preview_text;
pub use quotes::prepare_quotes;
pub use suggest::collect_names;
pub use watches::add_watch;
pub use watches::{journal_lag, start_watching};

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use crate::jobs::{CommandError, JobRunner, JobSettings};
use accounts::Access;
use contributions::{TdocCatalog, TdocCatalogCache};
use cost_meter::run_shared;
use retrieval::Retriever;
use store::{DocumentEntry, Snapshot, Store};
use wire::Failure;

pub use address::{DEFAULT_BASE_URL, ServiceAddress};
pub use comparison::ParagraphAges;
pub(crate) use detail::has_low_detail;
pub(crate) use diagnosis::join_messages;
pub(crate) use documents::nearest_documents;
pub use get_image::{Image, PICTURE_FILE_ROUTE, to_drawing_path, to_inline_picture_path};
pub(crate) use key_scope::may_call;
pub use meetings::{MeetingCompany, NamedMeeting, NotesText};
pub use metering::OperationReply;
pub(crate) use names::find_names;
pub(crate) use operation::{DIAGNOSIS, run_within};
pub use operation::{DeclaredOperation, Operation, ValidParameters, find_operation, operations};
pub use overview::CorpusOverview;
pub use preview_text::{PassageCounts, TextPreview};
pub use references::{CitationResolver, find_cited_version};

/// Everything an operation works with.
pub struct Service {
    /// Documents, words and vectors.
    pub store: Arc<Store>,
    /// Accounts, keys, plans and charges.
    pub access: Access,
    /// The search pipeline, with the models.
    pub retriever: Retriever,
    /// Long-running jobs.
    pub jobs: Arc<JobRunner>,
    /// The URL by which clients reach this service.
    pub address: ServiceAddress,
    ready: AtomicBool,
    corpus_overview: overview::OverviewCache,
    listing_cache: documents::ListingCache,
    suggested_names: Arc<suggest::NameIndexCache>,
    section_names: names::SectionNamesCache,
    listed_names: names::ListedNamesCache,
    comparisons: comparison::ComparisonCache,
    tdoc_catalogs: Arc<TdocCatalogCache>,
    indexed_tdocs: tdocs::IndexedTdocCounts,
    /// The meetings that were requested last.
    meeting_views: Mutex<meetings::MeetingViewCache>,
    /// The links between the decisions of each group.
    decision_lives: Mutex<meetings::DecisionLifeCache>,
    /// Which notes can contain a quote.
    notes_filters: Mutex<quotes::NotesFilterCache>,
}

impl Service {
    /// Puts the parts together.
    pub fn new(
        store: Arc<Store>,
        access: Access,
        retriever: Retriever,
        settings: JobSettings,
    ) -> Self {
        let tdoc_catalogs =
            Arc::new(TdocCatalogCache::with_file(store.data_folder().tdoc_catalog_path()));
        let (models, catalogs) = (retriever.models.clone(), tdoc_catalogs.clone());
        let activity = retriever.activity.clone();
        let jobs = Arc::new(JobRunner::new(store.clone(), models, activity, catalogs, settings));
        Self {
            store,
            access,
            retriever,
            jobs,
            address: ServiceAddress::default(),
            ready: AtomicBool::new(false),
            corpus_overview: overview::OverviewCache::default(),
            listing_cache: documents::ListingCache::default(),
            indexed_tdocs: tdocs::IndexedTdocCounts::default(),
            suggested_names: Arc::default(),
            section_names: names::SectionNamesCache::default(),
            listed_names: names::ListedNamesCache::default(),
            comparisons: comparison::ComparisonCache::default(),
            tdoc_catalogs,
            meeting_views: Mutex::default(),
            decision_lives: Mutex::default(),
            notes_filters: Mutex::default(),
        }
    }

    /// Reopens the database file of the store if it has failed, most often because the disk was full.
    /// Called before a reader takes a snapshot.
    pub fn recover_store(&self) {
        match run_shared(|| self.store.recover()) {
            Ok(true) => tracing::warn!("the database file was reopened after a failure"),
            Ok(false) => {}
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::error!(error, "the database file cannot be reopened yet");
            }
        }
    }

    /// The TDocs of all registers in a snapshot.
    pub fn tdoc_catalog(&self, snapshot: &Snapshot) -> Result<Arc<TdocCatalog>, Failure> {
        // Read once for all requests, however long it takes.
        run_shared(|| self.tdoc_catalogs.catalog_of(snapshot)).map_err(internal_failure)
    }

    /// Reads and counts what lists of meeting documents need, ahead of the first request.
    pub(crate) fn prepare_tdoc_lists(&self) -> Result<(), Failure> {
        let snapshot = self.store.snapshot();
        let catalog = self.tdoc_catalog(&snapshot)?;
        self.indexed_tdocs.by_meeting(&catalog, &snapshot);
        Ok(())
    }

    /// Whether the models that searches need are loaded.
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Acquire)
    }

    /// Loads the models that searches need, before the first one does.
    pub fn load_models(&self) -> Result<(), CommandError> {
        let (models, snapshot) = (&self.retriever.models, self.store.snapshot());
        models.text_embedder(&models.text_embedding(&snapshot)?)?;
        models.reranker()?;
        if let Some(name) = models.image_embedding_in_use(&snapshot)?
            && models.reads_texts(&name)
        {
            models.image_embedder(&name)?;
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

/// Refuses a request for what an earlier program did not store with a version: an empty answer would say that there
/// is none.
fn require_definitions(snapshot: &Snapshot, entry: &DocumentEntry) -> Result<(), Failure> {
    if snapshot.names().has_definitions(entry.id).map_err(internal_failure)? {
        Ok(())
    } else {
        Err(Failure::Unavailable {
            message: format!(
                "{} {} was stored by an earlier version of the program, without its names and change history. Run \
                 `specbox upgrade`, or ingest its file again.",
                entry.row.number, entry.row.version
            ),
        })
    }
}
