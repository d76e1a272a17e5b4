//! Why an export or an import failed.

use pack::PackError;
use store::StoreError;

/// An export or an import failed; what was done before stays.
#[derive(Debug, thiserror::Error)]
pub enum PackingError {
    /// The data folder failed.
    #[error("the data folder failed")]
    Store(#[from] StoreError),
    /// The depot failed.
    #[error("the depot failed")]
    Depot(#[from] PackError),
    /// A pack of the list failed.
    #[error("{title}")]
    Pack {
        /// What the pack is called.
        title: String,
        /// Why.
        #[source]
        source: Box<PackingError>,
    },
    /// The model failed.
    #[error("the model failed: {0}")]
    Model(String),
    /// Whoever asked wants no more.
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
