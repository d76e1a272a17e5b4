//! The tables of the accounts, and how a change to them is made: in `accounts.redb`, or on a server that several
//! programs share.

mod file;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod tables;

use std::sync::atomic::{AtomicBool, Ordering};

use redb::{TableDefinition, Value};
use serde::{Serialize, de::DeserializeOwned};

use super::{AccessError, AccountsLocation, secret::SecretHash};
use file::AccountsFile;
use rows::OrderedKey;
use tables::{AccountsServer, ServerRows};

pub(super) use tables::{AccountsChange, AccountsView, RowTable};

/// Id of an account -> `Account`.
pub(super) const ACCOUNTS: TableDefinition<u32, &[u8]> = TableDefinition::new("accounts");
/// Name of an account -> its id.
pub(super) const ACCOUNT_NAMES: TableDefinition<&str, u32> = TableDefinition::new("account_names");
/// Hash of a key -> `StoredKey`.
pub(super) const KEYS: TableDefinition<&SecretHash, &[u8]> = TableDefinition::new("keys");
/// Id of a key -> its hash.
pub(super) const KEY_IDS: TableDefinition<u64, &SecretHash> = TableDefinition::new("key_ids");
/// Id of a key -> when it was used last, in seconds since 1970.
pub(super) const KEY_USES: TableDefinition<u64, i64> = TableDefinition::new("key_uses");
/// Counters by name.
pub(super) const COUNTERS: TableDefinition<&str, u64> = TableDefinition::new("counters");
/// Account -> hash of its set-up link, and when the link expires, in seconds since 1970.
pub(super) const SETUP_LINKS: TableDefinition<u32, (&SecretHash, i64)> =
    TableDefinition::new("links");
/// Hash of a session's cookie -> `SessionRow`.
pub(super) const SESSIONS: TableDefinition<&SecretHash, &[u8]> = TableDefinition::new("sessions");
/// Account and month -> metered requests that were answered.
pub(super) const USAGE_MONTHS: TableDefinition<(u32, u32), u64> =
    TableDefinition::new("usage_months");
/// Account, day and operation -> metered requests that were answered.
pub(super) const USAGE_DAYS: TableDefinition<(u32, u32, &str), u64> =
    TableDefinition::new("usage_days");
/// Account, month and program -> requests that run in it, and when it last reported them, in seconds since 1970. Only
/// if several programs share the accounts.
pub(super) const HELD_REQUESTS: TableDefinition<(u32, u32, u64), (u64, i64)> =
    TableDefinition::new("held_requests");

/// Id of a client that registered with version 0.1 -> `StoredClient`.
pub(super) const CLIENTS: TableDefinition<&str, &[u8]> = TableDefinition::new("oauth_clients");
/// Purpose -> a secret of this installation.
pub(super) const SECRETS: TableDefinition<&str, &str> = TableDefinition::new("secrets");
/// Hash of an authorization code -> `StoredCode`.
pub(super) const CODES: TableDefinition<&SecretHash, &[u8]> = TableDefinition::new("oauth_codes");
/// Handle of a grant -> `StoredGrant`.
pub(super) const GRANTS: TableDefinition<&str, &[u8]> = TableDefinition::new("oauth_grants");
/// Hash of a refresh token that was used -> when its grant ends at the latest, in seconds since 1970.
pub(super) const SPENT_TOKENS: TableDefinition<&SecretHash, i64> =
    TableDefinition::new("oauth_spent_tokens");
/// Id of a grant -> when it was used last, in seconds since 1970.
pub(super) const GRANT_USES: TableDefinition<u64, i64> = TableDefinition::new("oauth_grant_uses");

/// (account, id of the watch) -> `Watch`.
pub(super) const WATCHES: TableDefinition<(u32, u64), &[u8]> = TableDefinition::new("watches");
/// (account, number of the event) -> `StoredEvent`.
pub(super) const WATCH_EVENTS: TableDefinition<(u32, u64), &[u8]> =
    TableDefinition::new("watch_events");
/// (id of the watch, key of an event that came).
pub(super) const WATCH_KEYS: TableDefinition<(u64, u128), ()> = TableDefinition::new("watch_keys");
/// Account -> hash of its feed's secret.
pub(super) const FEEDS: TableDefinition<u32, &SecretHash> = TableDefinition::new("feeds");
/// Hash of a feed's secret -> account.
pub(super) const FEED_ACCOUNTS: TableDefinition<&SecretHash, u32> =
    TableDefinition::new("feed_accounts");

/// Account -> issuer and subject of the identity that it is linked to, in two lines.
pub(super) const IDENTITIES: TableDefinition<u32, &str> = TableDefinition::new("identities");

/// Version of stored records, their first byte.
const RECORD_VERSION: u8 = 1;

/// Does something with each table that a copy of the accounts has. Their types differ, so a loop cannot.
macro_rules! for_each_table {
    ($table:ident => $act:expr) => {
        for_each_table!(@each $table => $act; ACCOUNTS ACCOUNT_NAMES KEYS KEY_IDS KEY_USES COUNTERS SETUP_LINKS SESSIONS USAGE_MONTHS USAGE_DAYS CLIENTS SECRETS CODES GRANTS SPENT_TOKENS GRANT_USES WATCHES WATCH_EVENTS WATCH_KEYS FEEDS FEED_ACCOUNTS IDENTITIES);
    };
    (@each $table:ident => $act:expr; $($name:ident)+) => {
        $({
            let $table = $name;
            $act;
        })+
    };
}
use for_each_table;

/// The accounts, wherever they are.
pub(super) struct AccountsDatabase {
    kind: DatabaseKind,
    /// Whether they could not be read or changed at the last attempt.
    has_failed: AtomicBool,
}

enum DatabaseKind {
    /// In a file of this program's data folder.
    File(AccountsFile),
    /// On a server.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "only PostgreSQL is such a server")
    )]
    Server(Box<dyn AccountsServer>),
}

impl AccountsDatabase {
    /// Opens the accounts with all their tables, creating them if they do not exist.
    pub(super) fn open(location: &AccountsLocation) -> Result<Self, AccessError> {
        let kind = match location {
            AccountsLocation::File(path) => DatabaseKind::File(AccountsFile::open(path)?),
            #[cfg(feature = "postgres")]
            AccountsLocation::Server(url) => {
                use redb::TableHandle;
                let mut names = vec![HELD_REQUESTS.name().to_owned()];
                for_each_table!(table => names.push(table.name().to_owned()));
                DatabaseKind::Server(Box::new(postgres::PostgresAccounts::open(url, &names)?))
            }
            #[cfg(not(feature = "postgres"))]
            AccountsLocation::Server(_) => return Err(AccessError::NoServerSupport),
        };
        Ok(Self { kind, has_failed: AtomicBool::new(false) })
    }

    /// Whether the database could not be read or changed at the last attempt.
    pub(super) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Notes whether the database itself failed: rejecting a request is not a failure.
    fn note_outcome<T>(&self, outcome: Result<T, AccessError>) -> Result<T, AccessError> {
        let failed = matches!(
            outcome,
            Err(AccessError::Database(_) | AccessError::File(_) | AccessError::Server(_))
        );
        self.has_failed.store(failed, Ordering::Relaxed);
        outcome
    }

    /// Whether other programs use these accounts too.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.kind, DatabaseKind::Server(_))
    }

    /// A view of the last committed state.
    pub(super) fn begin_read(&self) -> Result<AccountsView<'_>, AccessError> {
        self.note_outcome(match &self.kind {
            DatabaseKind::File(file) => file.begin_read().map(AccountsView::File),
            DatabaseKind::Server(server) => server.begin_read().map(AccountsView::Server),
        })
    }

    /// Makes a change atomically; it is on the disk when this returns. On a server, the change is repeated if it
    /// conflicts with another program's.
    pub(super) fn write_transaction<T>(
        &self,
        mut change: impl FnMut(&AccountsChange<'_>) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let server = match &self.kind {
            DatabaseKind::File(file) => return self.note_outcome(file.write_transaction(change)),
            DatabaseKind::Server(server) => server,
        };
        let mut outcome = None;
        self.note_outcome(server.write(&mut |rows: &dyn ServerRows| {
            outcome = Some(change(&AccountsChange::Server(rows))?);
            Ok(())
        }))?;
        Ok(outcome.expect("a change that succeeds has an outcome"))
    }

    /// Copies everything into other accounts, which must be new.
    pub(super) fn copy_to(&self, other: &Self) -> Result<(), AccessError> {
        let from = self.begin_read()?;
        other.write_transaction(|to| {
            if to.open_table(ACCOUNTS)?.first()?.is_some() {
                return Err(AccessError::NotEmpty);
            }
            for_each_table!(table => copy_table(&from, to, table)?);
            Ok(())
        })
    }
}

/// Copies the rows of a table.
fn copy_table<K: OrderedKey, V: Value + 'static>(
    from: &AccountsView<'_>,
    to: &AccountsChange<'_>,
    table: TableDefinition<'static, K, V>,
) -> Result<(), AccessError> {
    let mut copy = to.open_table(table)?;
    for (key, value) in from.open_table(table)?.iter()? {
        copy.insert(key.value(), value.value())?;
    }
    Ok(())
}

/// A record as it is stored.
pub(super) fn encode_record<T: Serialize>(record: &T) -> Vec<u8> {
    postcard::to_extend(record, vec![RECORD_VERSION]).expect("plain data encodes into memory")
}

/// A stored record; `what` names its kind.
pub(super) fn decode_record<T: DeserializeOwned>(
    what: &'static str,
    bytes: &[u8],
) -> Result<T, AccessError> {
    match bytes.split_first() {
        Some((&RECORD_VERSION, body)) => {
            postcard::from_bytes(body).map_err(|_| AccessError::Decode { what })
        }
        _ => Err(AccessError::Decode { what }),
    }
}
