//! What can go wrong with accounts, keys, sessions and charges.

use database_file::DatabaseFileError;

/// Characters of an account's name.
pub(super) const MAX_ACCOUNT_NAME_CHARS: usize = 64;
/// Characters of a key's name.
pub(super) const MAX_KEY_NAME_CHARS: usize = 100;

/// A failure of the accounts database, or a request that is rejected.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The database failed.
    #[error("the accounts database cannot be read or written")]
    Database(#[source] Box<redb::Error>),
    /// The file of the database could not be opened.
    #[error("the accounts database cannot be opened")]
    File(#[from] DatabaseFileError),
    /// The server of the accounts rejected a request, or cannot be reached.
    #[error("the accounts server returned an error or cannot be reached")]
    Server(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The tables on the server are of another version.
    #[error(
        "the accounts on the server have format {found}, but this program reads format {known}; use the version of \
         specbox that created them"
    )]
    ServerFormat {
        /// That of the tables.
        found: i64,
        /// The one that is known.
        known: i64,
    },
    /// The program was built without support for a server of accounts.
    #[error(
        "this program was built without PostgreSQL; build it with the feature 'postgres', or remove \
         the accounts server from the configuration"
    )]
    NoServerSupport,
    /// The accounts to copy into are not new.
    #[error("the destination already has accounts; nothing was copied")]
    NotEmpty,
    /// A change of what may only be read.
    #[error("the accounts are read-only on this server")]
    OnlyRead,
    /// A stored record cannot be decoded.
    #[error("a stored {what} cannot be decoded")]
    Decode {
        /// The kind of record.
        what: &'static str,
    },
    /// The system provides no random numbers.
    #[error("the operating system provides no random numbers")]
    Random,
    /// Charges could not be written.
    #[error("the charge could not be stored")]
    ChargeLost,
    /// A password could not be hashed.
    #[error("the password could not be hashed")]
    Hashing,
    /// No such key.
    #[error("there is no key with ID {id}")]
    UnknownKey {
        /// The id asked for.
        id: u64,
    },
    /// The subject of a watch is empty or too long.
    #[error("a watch subject must have 1 to {max} characters", max = super::watches::MAX_SUBJECT_CHARS)]
    InvalidWatch,
    /// An account watches too much.
    #[error("an account may have at most {max_watches} watches; remove one first")]
    TooManyWatches {
        /// How many it may.
        max_watches: usize,
    },
    /// No such watch.
    #[error("there is no watch with ID {id}")]
    UnknownWatch {
        /// The number asked for.
        id: u64,
    },
    /// No such grant.
    #[error("there is no connected program with ID {id}")]
    UnknownGrant {
        /// The number asked for.
        id: u64,
    },
    /// No such account.
    #[error("there is no account '{name}'; see `specbox user list`")]
    UnknownAccount {
        /// The name asked for.
        name: String,
    },
    /// Another account has the name.
    #[error("account '{name}' already exists")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A name that no account can have.
    #[error(
        "an account's name must have 1 to {max} characters of a to z, 0 to 9 and .-_@+, and begin \
         with a letter or digit",
        max = MAX_ACCOUNT_NAME_CHARS
    )]
    InvalidAccountName,
    /// A key's name is too long or empty.
    #[error("a key's name must have 1 to {max} characters", max = MAX_KEY_NAME_CHARS)]
    InvalidKeyName,
    /// The name of a key's project is too long.
    #[error("the name of a project must have at most {max} characters and no line breaks", max = MAX_KEY_NAME_CHARS)]
    InvalidProject,
    /// A key would expire in the past or in centuries, or at no known time.
    #[error(
        "a key expires at a date such as 2027-03-31, or after a time such as 90d or 12h, in the next ten years"
    )]
    InvalidExpiry,
    /// A list of invitations is too long.
    #[error("a list may have at most {max_invitations} addresses; send several lists")]
    TooManyInvitations {
        /// How many it may have.
        max_invitations: usize,
    },
    /// A key is restricted to an operation that does not exist.
    #[error("there is no operation '{name}'; operations: {known}")]
    UnknownOperation {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A key is restricted to a series that cannot exist.
    #[error("'{series}' is not a series of specifications such as 38")]
    InvalidSeries {
        /// What was given.
        series: String,
    },
    /// A password that is too short or too long.
    #[error("a password must have {min_chars} to {max_chars} characters")]
    InvalidPassword {
        /// The fewest.
        min_chars: usize,
        /// The most.
        max_chars: usize,
    },
    /// No such plan.
    #[error("there is no plan '{name}'; plans: {known}")]
    UnknownPlan {
        /// The name asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// An account has as many keys as it may.
    #[error("an account may have at most {max_keys} keys; delete one first")]
    TooManyKeys {
        /// The most.
        max_keys: usize,
    },
    /// The only operator would be disabled.
    #[error("'{name}' is the only active operator; create another one first")]
    LastOperator {
        /// Its name.
        name: String,
    },
    /// A set-up link that was used, has expired, or never existed.
    #[error("the link is not valid: it was used, has expired, or was replaced by a newer one")]
    InvalidLink,
}

/// redb has an error type for each call; all of them mean that the database failed.
macro_rules! from_redb {
    ($($error:ty),+) => {
        $(impl From<$error> for AccessError {
            fn from(error: $error) -> Self {
                Self::Database(Box::new(error.into()))
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
