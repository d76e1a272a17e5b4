//! One operation, one file: its parameters are the contract's, here is what it does.
//!
//! Owns what a question means. Every edge (HTTP, MCP, command line) reaches an operation through
//! [`Declared`], so that all give the same payload. Knows nothing of sockets or status lines.

mod documents;
mod get_document;
mod get_sections;
mod health;
mod identifiers;
mod ingest_job;
mod list_documents;
mod list_sections;
mod models;
mod operation;
mod resolve_term;
mod search_text;
mod slots;
mod wording;

use std::sync::{Arc, Mutex};

use crate::{access::Access, store::Store, wire::Failure};

pub use ingest_job::IngestSettings;
pub use models::{ModelSettings, Models};
pub use operation::{Declared, Operation, declared, operations};
pub use wording::{Vocabulary, VocabularyError, Wording};

/// Searches that wait for the reranker, which uses all cores for each, before more are refused.
const RERANK_QUEUE: usize = 7;
/// Seconds after which a refused search may try again.
const RERANK_RETRY_S: u64 = 10;

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
    reading: IngestSettings,
    ingesting: Mutex<()>,
    reranking: slots::Slots,
    listing: documents::ListingCache,
}

impl Service {
    /// Puts the parts together.
    pub fn new(
        store: Arc<Store>,
        access: Access,
        models: Models,
        wording: Wording,
        reading: IngestSettings,
    ) -> Self {
        let (ingesting, listing) = (Mutex::default(), documents::ListingCache::default());
        let reranking = slots::Slots::new(1, RERANK_QUEUE, RERANK_RETRY_S);
        Self { store, access, models, wording, reading, ingesting, reranking, listing }
    }
}

/// A defect: the client gets a number, the log gets the cause.
pub(crate) fn internal(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Failure {
    let incident = format!("{:016x}", rand::random::<u64>());
    Failure::Internal { incident, cause: cause.into() }
}
