//! Why an export or an import failed.

use pack::PackError;
use store::StoreError;

/// An export or an import failed; what was done before stays.
#[derive(Debug, thiserror::Error)]
pub enum PackingError {
    /// The data folder cannot be read or written.
    #[error("the data folder cannot be read or written")]
    Store(#[from] StoreError),
    /// The depot cannot be read or written.
    #[error("the depot cannot be read or written")]
    Depot(#[from] PackError),
    /// A pack of the manifest cannot be read or written.
    #[error("{title}")]
    Pack {
        /// The title of the pack.
        title: String,
        /// Why.
        #[source]
        source: Box<PackingError>,
    },
    /// What a document defines could not be read from its text.
    #[error("names and terms could not be read: {0}")]
    Definitions(String),
    /// The model cannot be used.
    #[error("the model cannot be used: {0}")]
    Model(String),
    /// The caller cancelled it.
    #[error("stopped")]
    Cancelled,
}

impl PackingError {
    /// Says which pack the error is of.
    pub(crate) fn of_pack(self, title: &str) -> Self {
        match self {
            Self::Cancelled => Self::Cancelled,
            error => Self::Pack { title: title.to_owned(), source: Box::new(error) },
        }
    }
}
