//! Why a mirror does not return a file or a folder.

use std::io;

/// A request to a mirror failed.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// There is no such file or folder.
    #[error("there is no '{path}' on the mirror")]
    NotFound {
        /// The requested path.
        path: String,
    },
    /// The mirror could not be reached, or its response is not what was expected.
    #[error("the mirror did not give '{path}': {reason}")]
    Failed {
        /// The requested path.
        path: String,
        /// The reason.
        reason: String,
    },
    /// The file exceeds the limit.
    #[error("'{path}' is larger than {limit} bytes, the most that is fetched")]
    TooLarge {
        /// The requested path.
        path: String,
        /// The limit.
        limit: u64,
    },
    /// The mirror redirects to a host that is not allowed.
    #[error("the mirror leads to '{host}', which mirror.hosts does not name")]
    ForbiddenHost {
        /// The host.
        host: String,
    },
    /// Writing to the data folder failed.
    #[error("storing what came from the mirror failed")]
    Io(#[from] io::Error),
}
