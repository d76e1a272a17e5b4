//! The tables of `accounts.redb`, and how a change to them is made.

use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use redb::{ReadTransaction, ReadableTable, TableDefinition, WriteTransaction};
use serde::{Serialize, de::DeserializeOwned};

use super::{AccessError, secret::SecretHash};
use database_file::DatabaseFile;

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

/// Id of a client -> `StoredClient`.
pub(super) const CLIENTS: TableDefinition<&str, &[u8]> = TableDefinition::new("oauth_clients");
/// Clients that were never granted anything: when they registered, and their id.
pub(super) const UNUSED_CLIENTS: TableDefinition<(i64, &str), ()> =
    TableDefinition::new("oauth_unused_clients");
/// Hash of an authorization code -> `StoredCode`.
pub(super) const CODES: TableDefinition<&SecretHash, &[u8]> = TableDefinition::new("oauth_codes");
/// Handle of a grant -> `StoredGrant`.
pub(super) const GRANTS: TableDefinition<&str, &[u8]> = TableDefinition::new("oauth_grants");
/// Id of a grant -> when it was used last, in seconds since 1970.
pub(super) const GRANT_USES: TableDefinition<u64, i64> = TableDefinition::new("oauth_grant_uses");

/// (account, id of the watch) -> `Watch`.
pub(super) const WATCHES: TableDefinition<(u32, u64), &[u8]> = TableDefinition::new("watches");
/// (account, number of the event) -> `EventRow`.
pub(super) const WATCH_EVENTS: TableDefinition<(u32, u64), &[u8]> =
    TableDefinition::new("watch_events");
/// (id of the watch, key of an event that came).
pub(super) const WATCH_KEYS: TableDefinition<(u64, u128), ()> = TableDefinition::new("watch_keys");
/// Account -> hash of its feed's secret.
pub(super) const FEEDS: TableDefinition<u32, &SecretHash> = TableDefinition::new("feeds");
/// Hash of a feed's secret -> account.
pub(super) const FEED_ACCOUNTS: TableDefinition<&SecretHash, u32> =
    TableDefinition::new("feed_accounts");

/// Page cache of redb: large enough for the whole file of a typical installation.
const CACHE_BYTES: usize = 16 << 20;
/// Version of stored records, their first byte.
const RECORD_VERSION: u8 = 1;

/// The open file.
pub(super) struct AccountsFile {
    file: DatabaseFile,
    write_lock: Mutex<()>,
}

impl AccountsFile {
    /// Opens the file with all its tables, creating it where it does not exist.
    pub(super) fn open(path: &Path) -> Result<Self, AccessError> {
        let file = DatabaseFile::open(path.to_owned(), CACHE_BYTES)?;
        let opened = Self { file, write_lock: Mutex::default() };
        opened.write_transaction(|txn| {
            txn.open_table(ACCOUNTS)?;
            txn.open_table(ACCOUNT_NAMES)?;
            txn.open_table(KEYS)?;
            txn.open_table(KEY_IDS)?;
            txn.open_table(KEY_USES)?;
            txn.open_table(COUNTERS)?;
            txn.open_table(SETUP_LINKS)?;
            txn.open_table(SESSIONS)?;
            txn.open_table(USAGE_MONTHS)?;
            txn.open_table(USAGE_DAYS)?;
            txn.open_table(CLIENTS)?;
            txn.open_table(UNUSED_CLIENTS)?;
            txn.open_table(CODES)?;
            txn.open_table(GRANTS)?;
            txn.open_table(GRANT_USES)?;
            txn.open_table(WATCHES)?;
            txn.open_table(WATCH_EVENTS)?;
            txn.open_table(WATCH_KEYS)?;
            txn.open_table(FEEDS)?;
            txn.open_table(FEED_ACCOUNTS)?;
            Ok(())
        })?;
        Ok(opened)
    }

    /// Writes the last committed state into a new file, while this one is used.
    pub(super) fn copy_to(&self, path: &Path) -> Result<(), AccessError> {
        let copy = Self::open(path)?;
        let from = self.begin_read()?;
        copy.write_transaction(|to| {
            copy_table(&from, to, ACCOUNTS)?;
            copy_table(&from, to, ACCOUNT_NAMES)?;
            copy_table(&from, to, KEYS)?;
            copy_table(&from, to, KEY_IDS)?;
            copy_table(&from, to, KEY_USES)?;
            copy_table(&from, to, COUNTERS)?;
            copy_table(&from, to, SETUP_LINKS)?;
            copy_table(&from, to, SESSIONS)?;
            copy_table(&from, to, USAGE_MONTHS)?;
            copy_table(&from, to, USAGE_DAYS)?;
            copy_table(&from, to, CLIENTS)?;
            copy_table(&from, to, UNUSED_CLIENTS)?;
            copy_table(&from, to, CODES)?;
            copy_table(&from, to, GRANTS)?;
            copy_table(&from, to, GRANT_USES)?;
            copy_table(&from, to, WATCHES)?;
            copy_table(&from, to, WATCH_EVENTS)?;
            copy_table(&from, to, WATCH_KEYS)?;
            copy_table(&from, to, FEEDS)?;
            copy_table(&from, to, FEED_ACCOUNTS)?;
            Ok(())
        })
    }

    /// A view of the last committed state.
    pub(super) fn begin_read(&self) -> Result<ReadTransaction, AccessError> {
        // Every request reads before it writes, so a read must also reopen the file once the disk
        // has room.
        if self.file.has_failed()
            && let Ok(_writing) = self.write_lock.try_lock()
        {
            self.reopen_if_failed()?;
        }
        Ok(self.file.begin_read()?)
    }

    /// Makes a change atomically; it is on the disk when this returns.
    pub(super) fn write_transaction<T>(
        &self,
        change: impl FnOnce(&WriteTransaction) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let _writing = self.write_lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.reopen_if_failed()?;
        let outcome = self.try_commit(change);
        if outcome.is_err()
            && let Err(error) = self.reopen_if_failed()
        {
            // The disk may still be full; the next change tries again.
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the accounts database stays closed for now");
        }
        outcome
    }

    /// Opens the file again after a failure: a full disk must not lock everyone out for good.
    fn reopen_if_failed(&self) -> Result<(), AccessError> {
        if self.file.has_failed() {
            self.file.reopen_file()?;
        }
        Ok(())
    }

    fn try_commit<T>(
        &self,
        change: impl FnOnce(&WriteTransaction) -> Result<T, AccessError>,
    ) -> Result<T, AccessError> {
        let txn = self.file.begin_write()?;
        let result = change(&txn)?;
        txn.commit()?;
        Ok(result)
    }
}

/// Copies the rows of a table.
fn copy_table<K: redb::Key + 'static, V: redb::Value + 'static>(
    from: &ReadTransaction,
    to: &WriteTransaction,
    table: TableDefinition<K, V>,
) -> Result<(), AccessError> {
    let mut copy = to.open_table(table)?;
    for row in from.open_table(table)?.iter()? {
        let (key, value) = row?;
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
