//! Why tables could not be written.

use std::{io, path::PathBuf};

use store::StoreError;

/// An export of tables that failed.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The index cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Columns do not fit together, or the file cannot be written.
    #[error("cannot write a table")]
    Table(#[from] parquet::errors::ParquetError),
    /// Columns do not fit together.
    #[error("cannot build the columns of a table")]
    Columns(#[from] arrow_schema::ArrowError),
    /// A file cannot be written.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// There is nothing to write.
    #[error("the index has no documents; add some with specbox ingest")]
    Empty,
    /// It was stopped before its end; the earlier tables still exist.
    #[error("stopped")]
    Cancelled,
}

impl TableError {
    /// Adds what was tried, on which file, to an error of the system.
    pub(crate) fn io(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
