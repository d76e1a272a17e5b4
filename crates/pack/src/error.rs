//! Why a pack, a list of packs or a signature is rejected.

use std::{io, path::PathBuf};

/// Something is wrong with a pack, a manifest or a signature.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The first bytes are those of another kind of file.
    #[error("not a specbox {what}")]
    Foreign {
        /// What was expected, such as "pack".
        what: &'static str,
    },
    /// A later program wrote it.
    #[error("{what} has format {found}; this program reads formats up to {known}")]
    Format {
        /// What it is.
        what: &'static str,
        /// Its format.
        found: u32,
        /// The newest format that is known.
        known: u32,
    },
    /// The file is too short or too long.
    #[error("{what} is truncated or has trailing bytes")]
    Length {
        /// What it is.
        what: &'static str,
    },
    /// The bytes are not those that were written.
    #[error("{what} is damaged: its checksum differs")]
    Checksum {
        /// What it is.
        what: &'static str,
    },
    /// A value that no writer makes.
    #[error("{what} is not valid")]
    Invalid {
        /// What it is.
        what: &'static str,
    },
    /// Something is larger than any that is written.
    #[error("{what} is larger than the {limit} bytes allowed")]
    TooLarge {
        /// What it is.
        what: &'static str,
        /// The most bytes it may have.
        limit: u64,
    },
    /// Not 64 lower-case hexadecimal digits.
    #[error("not the hash of an object")]
    BadHash,
    /// An object that a list names is missing.
    #[error("{name} is missing")]
    Missing {
        /// Its path in the depot.
        name: String,
    },
    /// The bytes of an object do not match its name.
    #[error("{name} is damaged: its content does not match its name")]
    Damaged {
        /// Its path in the depot.
        name: String,
    },
    /// A list cannot be parsed.
    #[error("the manifest is not valid")]
    Manifest(#[source] serde_json::Error),
    /// A file of a depot cannot be parsed.
    #[error("{name} is damaged; remove it")]
    DamagedFile {
        /// Its path in the depot.
        name: String,
    },
    /// A list is not signed.
    #[error("the manifest is not signed")]
    Unsigned,
    /// No trusted key made the signature.
    #[error("the manifest is signed by key {key_id}, which is not trusted")]
    Untrusted {
        /// The key that made it.
        key_id: String,
    },
    /// The signature is of other bytes.
    #[error("the signature does not match the manifest")]
    BadSignature,
    /// A key or a signature cannot be parsed, or the password of a key is wrong.
    #[error("{what} cannot be used")]
    Key {
        /// Which one.
        what: &'static str,
        /// What the library says.
        #[source]
        source: minisign::PError,
    },
    /// Encrypted files cannot be opened: another key, or damage.
    #[error("accounts and settings cannot be decrypted with this key or passphrase")]
    Locked(#[source] age::DecryptError),
    /// Object storage does not answer, or refuses.
    #[error("cannot {action} {name}: {reason}")]
    Remote {
        /// What was tried.
        action: &'static str,
        /// On what.
        name: String,
        /// What the library says.
        reason: String,
    },
    /// A file cannot be read or written.
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
}

impl PackError {
    /// Adds what was tried, on which file, to an error of the system.
    pub(crate) fn io(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
