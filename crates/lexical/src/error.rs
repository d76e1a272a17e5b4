//! What can go wrong with a word index.

use std::path::{Path, PathBuf};

/// A failure of a word index.
#[derive(Debug, thiserror::Error)]
pub enum LexicalError {
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}", .path.display())]
    Io {
        /// What was being done, for example `create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's error.
        #[source]
        source: std::io::Error,
    },
    /// tantivy failed.
    #[error("the word index cannot be read or written")]
    Engine(#[source] Box<tantivy::TantivyError>),
}

impl LexicalError {
    pub(crate) fn io_error(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Whether it reports only that a thread of the engine ended, and not why.
    pub fn is_thread_failure(&self) -> bool {
        let Self::Engine(error) = self else { return false };
        matches!(**error, tantivy::TantivyError::ErrorInThread(_))
    }
}

impl From<tantivy::TantivyError> for LexicalError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Engine(Box::new(error))
    }
}
