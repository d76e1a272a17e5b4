//! Why a search could not be answered.

use neural::NeuralError;
use store::StoreError;

/// A search that was refused, or that failed.
#[derive(Debug, thiserror::Error)]
pub enum RetrievalError {
    /// Too many searches are already waiting for the reranker.
    #[error("too many searches are waiting")]
    Overloaded {
        /// Seconds after which another attempt is worth it.
        retry_after_s: u64,
    },
    /// The stored vectors are of another model than the configured one.
    #[error("{message}")]
    ModelMismatch {
        /// What is stored and what is configured, for a person.
        message: String,
    },
    /// Neither vectors nor words could be searched; the log has the causes.
    #[error("neither vectors nor words could be searched")]
    Unavailable,
    /// A model could not be loaded or run.
    #[error("the model cannot be used")]
    Model(#[from] NeuralError),
    /// The index could not be read.
    #[error("the index cannot be read")]
    Store(#[from] StoreError),
}
