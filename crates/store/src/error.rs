//! What can go wrong with the data folder.

use std::path::PathBuf;

use database_file::DatabaseFileError;
use lexical::LexicalError;

/// A failure of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process holds the folder.
    #[error("the data folder {} is in use by another process", .path.display())]
    Held {
        /// The data folder.
        path: PathBuf,
    },
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
    /// There is no database, but files that only a database can have listed.
    #[error(
        "{} is {state}, but files that it lists are still in the data folder: {found}. Restore the file from a copy of the \
         folder, or restore a backup into a new folder (`specbox restore`). To start with an empty index, use \
         another data folder or remove this one. Nothing was changed",
        .path.display()
    )]
    DatabaseLost {
        /// The file of the database.
        path: PathBuf,
        /// Missing or empty.
        state: &'static str,
        /// What is there.
        found: String,
    },
    /// The database is older than the files beside it.
    #[error(
        "{} is older than the rest of the data folder: documents added since then would be lost. Restore the newest copy of \
         the file, or restore a backup into a new folder (`specbox restore`). To continue with what the file contains, \
         remove the files and folders whose names begin with {}. Nothing was changed",
        .path.display(),
        .newer.display()
    )]
    DatabaseOlder {
        /// The file of the database.
        path: PathBuf,
        /// The file or folder that shows it.
        newer: PathBuf,
    },
    /// A part of the database cannot be read.
    #[error(
        "the database is damaged (locations: {count}; the first: {first}) and was opened read-only; \
         run `specbox doctor` to see what is lost and how to repair it"
    )]
    Damaged {
        /// How many.
        count: usize,
        /// The first one.
        first: String,
    },
    /// The database is so damaged that it cannot be opened.
    #[error(
        "the index of {} cannot be opened because one of its files is damaged; run `specbox doctor` to \
         see which, what is lost and how to repair it",
        .path.display()
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
    },
    /// The file that names the index is missing, damaged or from another time.
    #[error(
        "{} {fault}, so the current index of the data folder is unknown. Write {content} to \
         it, and run `specbox verify`; if that finds faults, swap the two names. Nothing was changed",
        .path.display()
    )]
    CurrentLost {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
        /// What it may have said: the newest index, and the one before it.
        content: String,
    },
    /// The file with the list that the index was brought to is damaged.
    #[error(
        "{} is damaged. Remove it: the next `specbox bundle apply` then compares a bundle with all that the index has. The index \
         itself is not affected",
        .path.display()
    )]
    AppliedListDamaged {
        /// The file.
        path: PathBuf,
    },
    /// The file of accounts was emptied.
    #[error(
        "{} is empty. If there were accounts, restore the file from a copy or a backup with accounts; if the first start \
         was interrupted, or to start with new accounts, remove it. Nothing was changed",
        .path.display()
    )]
    AccountsLost {
        /// The file.
        path: PathBuf,
    },
    /// The file of accounts is gone.
    #[error(
        "{} is missing. Restore it from a copy or a backup with accounts; to start with new accounts, remove {}. \
         Nothing was changed",
        .path.display(), .note.display()
    )]
    AccountsMissing {
        /// The file.
        path: PathBuf,
        /// The note that says that it was there.
        note: PathBuf,
    },
    /// The metadata database cannot be read or written.
    #[error("the metadata database cannot be read or written")]
    Metadata(#[source] Box<redb::Error>),
    /// The word index cannot be read or written.
    #[error("the word index cannot be read or written")]
    Lexical(#[source] Box<LexicalError>),
    /// A vector file is damaged or foreign.
    #[error("the vector file cannot be used")]
    Vectors(#[from] index_format::SegmentError),
    /// A stored value cannot be decoded.
    #[error("a stored {what} cannot be decoded; run `specbox verify`")]
    Decode {
        /// The kind of value.
        what: &'static str,
    },
    /// The content of a pack cannot be decoded.
    #[error("a pack is damaged or from another version of this program: {what}")]
    Packed {
        /// The kind of content.
        what: &'static str,
    },
    /// A restore into an index that contains documents.
    #[error("the data folder already contains documents; restore into a new one")]
    NotEmpty,
    /// A document under another id than in the index that is followed.
    #[error("the data folder already has {name}; use a new data folder to follow another index")]
    OtherIds {
        /// The document.
        name: String,
    },
    /// There is no index to go back to.
    #[error("there is no previous index to return to")]
    NothingBefore,
    /// The operating system gives no random numbers.
    #[error("the operating system provides no random numbers")]
    Random,
    /// The folder was written in another format, by another version of this program.
    #[error(
        "the data folder has format {found}, but this program reads format {expected}; run \
         `specbox backup` with the version that created the folder, then `specbox restore` with this \
         version"
    )]
    Format {
        /// Format found in the folder.
        found: u32,
        /// Format this program reads.
        expected: u32,
    },
    /// The stored vectors belong to another model.
    #[error(
        "the stored vectors are from {stored}, but the configured model is {configured}; run \
         `specbox reindex --model {configured}`, or remove text_embedding from specbox.toml"
    )]
    ModelMismatch {
        /// Name of the model that made the stored vectors.
        stored: String,
        /// Name of the configured model.
        configured: String,
    },
    /// A value exceeds what the format can hold.
    #[error("too many {what} for one data folder")]
    Full {
        /// What there are too many of.
        what: &'static str,
    },
}

impl StoreError {
    pub(crate) fn io_error(
        action: &'static str,
        path: &std::path::Path,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

/// redb has an error type for each call; all of them mean that the database failed.
macro_rules! from_redb {
    ($($error:ty),+) => {
        $(impl From<$error> for StoreError {
            fn from(error: $error) -> Self {
                Self::Metadata(Box::new(error.into()))
            }
        })+
    };
}
from_redb!(
    redb::DatabaseError,
    redb::TransactionError,
    redb::TableError,
    redb::StorageError,
    redb::CommitError
);

impl StoreError {
    /// Whether it reports only that a thread of the word index ended, and not why.
    pub(crate) fn is_thread_failure(&self) -> bool {
        matches!(self, Self::Lexical(error) if error.is_thread_failure())
    }
}

impl From<LexicalError> for StoreError {
    fn from(error: LexicalError) -> Self {
        match error {
            LexicalError::Io { action, path, source } => Self::Io { action, path, source },
            error @ LexicalError::Engine(_) => Self::Lexical(Box::new(error)),
        }
    }
}

impl From<DatabaseFileError> for StoreError {
    fn from(error: DatabaseFileError) -> Self {
        match error {
            DatabaseFileError::Open { path, source } => Self::Io { action: "open", path, source },
            DatabaseFileError::Redb(error) => Self::Metadata(error),
        }
    }
}
