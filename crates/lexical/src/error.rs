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

    /// Whether the operating system reported something unrelated to the content of the files, such as a read of a
    /// failing disk or too many open files: another attempt may succeed.
    pub(crate) fn is_transient(&self) -> bool {
        use tantivy::{
            TantivyError,
            directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError},
        };
        let cause: Option<&std::io::Error> = match self {
            Self::Io { source, .. } => Some(source),
            Self::Engine(error) => match &**error {
                TantivyError::IoError(error)
                | TantivyError::LockFailure(LockError::IoError(error), _)
                | TantivyError::OpenReadError(OpenReadError::IoError { io_error: error, .. })
                | TantivyError::OpenWriteError(OpenWriteError::IoError {
                    io_error: error, ..
                })
                | TantivyError::OpenDirectoryError(OpenDirectoryError::IoError {
                    io_error: error,
                    ..
                }) => Some(error),
                _ => None,
            },
        };
        cause.is_some_and(|error| {
            error.raw_os_error().is_some() && error.kind() != std::io::ErrorKind::NotFound
        })
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
