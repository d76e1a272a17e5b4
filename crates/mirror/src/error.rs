//! Why a mirror does not return a file or a folder.

use std::io;

/// A request to a mirror failed.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// There is no such file or folder.
    #[error("'{path}' was not found on the mirror")]
    NotFound {
        /// The requested path.
        path: String,
    },
    /// The mirror could not be reached, or its response is not what was expected.
    #[error("the mirror did not return '{path}': {reason}")]
    Failed {
        /// The requested path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The file exceeds the limit.
    #[error("'{path}' exceeds the limit of {limit} bytes")]
    TooLarge {
        /// The requested path.
        path: String,
        /// The limit.
        limit: u64,
    },
    /// The mirror redirects to a host that is not allowed.
    #[error("the mirror redirects to '{host}', which is not in mirror.hosts")]
    ForbiddenHost {
        /// The host.
        host: String,
    },
    /// The data folder cannot be written.
    #[error("cannot store a fetched file")]
    Io(#[from] io::Error),
}
