//! API keys: `sk-` and 256 random bits.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{
    AccessError, Caller, Clock, Via,
    clock::{format_timestamp, timestamp_from_seconds},
    database::{
        ACCOUNTS, AccountsChange, AccountsDatabase, COUNTERS, KEY_IDS, KEY_USES, KEYS, RowTable,
        decode_record,
    },
    error::MAX_KEY_NAME_CHARS,
    key_limits::KeyLimits,
    key_row::{KeyRow, StoredKey},
    plans::AccountPlans,
    secret::{SecretHash, hash_secret, new_secret},
};

/// What every key begins with.
const PREFIX: &str = "sk-";
/// Characters of a key that lists show: `sk-` and six digits, which are 24 of its 256 random bits.
const PREFIX_CHARS: usize = 9;
/// Name of the counter of ids.
const NEXT_KEY: &str = "next_key";
/// Keys that an account may have. A new key and a list read the keys of all accounts, so none may fill the table.
const MAX_KEYS: usize = 100;

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// What is stored of it.
    #[serde(flatten)]
    pub stored: StoredKey,
    /// What restricts it.
    #[serde(flatten)]
    pub limits: KeyLimits,
    /// Whether it has expired.
    pub expired: bool,
    /// When it was used last for a metered request, RFC 3339 in UTC.
    pub last_used_at: Option<String>,
}

/// A key that was just created.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewKey {
    /// The key itself; shown now and never again.
    pub key: String,
    /// Its record.
    pub record: KeyRecord,
}

impl KeyRecord {
    /// What its state is called: a deactivated key stays deactivated when it expires.
    pub fn state(&self) -> &'static str {
        match (self.stored.active, self.expired) {
            (false, _) => "deactivated",
            (true, true) => "expired",
            (true, false) => "active",
        }
    }
}

/// What became of a key that a request came with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyOutcome {
    /// It is accepted.
    Accepted(Caller),
    /// It was accepted until it expired.
    Expired,
    /// It is unknown, malformed or deactivated, or its account is disabled.
    Rejected,
}

impl KeyOutcome {
    /// The caller, if the key is accepted.
    pub fn into_caller(self) -> Option<Caller> {
        match self {
            Self::Accepted(caller) => Some(caller),
            Self::Expired | Self::Rejected => None,
        }
    }
}

/// The API keys of all accounts.
#[derive(Clone, Copy)]
pub struct ApiKeys<'a> {
    pub(super) database: &'a AccountsDatabase,
    pub(super) plans: &'a AccountPlans,
    pub(super) clock: &'a Clock,
}

impl ApiKeys<'_> {
    /// Creates a key of an account, without limits.
    pub fn create_key(&self, account: u32, name: &str) -> Result<NewKey, AccessError> {
        self.create_limited_key(account, name, &KeyLimits::default())
    }

    /// Creates a key of an account.
    pub fn create_limited_key(
        &self,
        account: u32,
        name: &str,
        limits: &KeyLimits,
    ) -> Result<NewKey, AccessError> {
        let limits = limits.to_stored(self.clock.now())?;
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_KEY_NAME_CHARS {
            return Err(AccessError::InvalidKeyName);
        }
        let key = format!("{PREFIX}{}", new_secret()?);
        let created_at = format_timestamp(self.clock.now());
        let row = self.database.write_transaction(|txn| {
            if txn.open_table(ACCOUNTS)?.get(account)?.is_none() {
                return Err(AccessError::UnknownAccount { name: account.to_string() });
            }
            let mut keys = txn.open_table(KEYS)?;
            if load_keys(&keys, Some(account))?.len() >= MAX_KEYS {
                return Err(AccessError::TooManyKeys { max_keys: MAX_KEYS });
            }
            let mut ids = txn.open_table(KEY_IDS)?;
            let mut counters = txn.open_table(COUNTERS)?;
            let after_last = ids.last()?.map_or(1, |(id, _)| id.value() + 1);
            let next = counters.get(NEXT_KEY)?.map_or(1, |next| next.value());
            // The id of a deleted key is never reused: a late form or a late use must not affect
            // another key.
            let id = after_last.max(next);
            counters.insert(NEXT_KEY, id + 1)?;
            let stored = StoredKey {
                id,
                name: name.to_owned(),
                prefix: key.chars().take(PREFIX_CHARS).collect(),
                account,
                created_at: created_at.clone(),
                active: true,
            };
            let row = KeyRow { stored, limits: limits.clone() };
            let hash = hash_secret(&key);
            ids.insert(id, &hash)?;
            keys.insert(&hash, row.encode().as_slice())?;
            Ok(row)
        })?;
        Ok(NewKey { key, record: self.to_record(row, None)? })
    }

    /// The keys of an account, or all of them; oldest first.
    pub fn list_keys(&self, account: Option<u32>) -> Result<Vec<KeyRecord>, AccessError> {
        let txn = self.database.begin_read()?;
        let mut uses = HashMap::new();
        for (id, seconds) in txn.open_table(KEY_USES)?.iter()? {
            uses.insert(id.value(), seconds.value());
        }
        let mut rows = load_keys(&txn.open_table(KEYS)?, account)?;
        rows.sort_by_key(|row| row.stored.id);
        let records = rows.into_iter().map(|row| {
            let last_used_s = uses.get(&row.stored.id).copied();
            self.to_record(row, last_used_s)
        });
        records.collect()
    }

    fn to_record(self, row: KeyRow, last_used_s: Option<i64>) -> Result<KeyRecord, AccessError> {
        let KeyRow { stored, limits } = row;
        let expired = limits.have_expired(self.clock.now())?;
        let last_used_at =
            last_used_s.map(|seconds| format_timestamp(timestamp_from_seconds(seconds)));
        Ok(KeyRecord { stored, limits, expired, last_used_at })
    }

    /// Deactivates a key: it is rejected from now on. With `account`, only a key of that account.
    pub fn deactivate_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        self.database.write_transaction(|txn| {
            let (hash, mut row) = find_key(txn, account, id)?;
            row.stored.active = false;
            txn.open_table(KEYS)?.insert(&hash, row.encode().as_slice())?;
            let last_used_s = txn.open_table(KEY_USES)?.get(id)?.map(|seconds| seconds.value());
            self.to_record(row, last_used_s)
        })
    }

    /// Deletes a key. With `account`, only a key of that account.
    pub fn delete_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        self.database.write_transaction(|txn| {
            let (hash, row) = find_key(txn, account, id)?;
            txn.open_table(KEYS)?.remove(&hash)?;
            txn.open_table(KEY_IDS)?.remove(id)?;
            let last_used_s = txn.open_table(KEY_USES)?.remove(id)?.map(|seconds| seconds.value());
            self.to_record(row, last_used_s)
        })
    }

    /// Authenticates the caller with this key. The key is looked up by its hash, so the time taken does not reveal how
    /// much of a guess was right; only who has the whole key learns that it has expired.
    pub fn authenticate_key(&self, key: &str) -> Result<KeyOutcome, AccessError> {
        if !key.starts_with(PREFIX) {
            return Ok(KeyOutcome::Rejected);
        }
        let txn = self.database.begin_read()?;
        let Some(value) = txn.open_table(KEYS)?.get(&hash_secret(key))? else {
            return Ok(KeyOutcome::Rejected);
        };
        let KeyRow { stored, limits } = KeyRow::decode(value.value())?;
        if !stored.active {
            return Ok(KeyOutcome::Rejected);
        }
        let accounts = txn.open_table(ACCOUNTS)?;
        let Some(value) = accounts.get(stored.account)? else { return Ok(KeyOutcome::Rejected) };
        let account = decode_record("account", value.value())?;
        let Some(caller) = Caller::from_account(self.plans, &account, Via::Key(stored.id)) else {
            return Ok(KeyOutcome::Rejected);
        };
        if limits.have_expired(self.clock.now())? {
            return Ok(KeyOutcome::Expired);
        }
        Ok(KeyOutcome::Accepted(caller.with_scope(limits.scope)))
    }
}

/// The stored keys of an account, or all of them.
fn load_keys(
    table: &RowTable<'_, &'static SecretHash, &'static [u8]>,
    account: Option<u32>,
) -> Result<Vec<KeyRow>, AccessError> {
    let mut rows = Vec::new();
    for (_, value) in table.iter()? {
        let row = KeyRow::decode(value.value())?;
        if account.is_none_or(|account| account == row.stored.account) {
            rows.push(row);
        }
    }
    Ok(rows)
}

/// A key by its id. With `account`, a key of another account is reported as unknown.
fn find_key(
    txn: &AccountsChange<'_>,
    account: Option<u32>,
    id: u64,
) -> Result<(SecretHash, KeyRow), AccessError> {
    let unknown = || AccessError::UnknownKey { id };
    let hash = txn.open_table(KEY_IDS)?.get(id)?.map(|hash| *hash.value());
    let hash = hash.ok_or_else(unknown)?;
    let row = txn.open_table(KEYS)?.get(&hash)?.map(|value| KeyRow::decode(value.value()));
    let row = row.ok_or_else(unknown)??;
    if account.is_some_and(|account| account != row.stored.account) {
        return Err(unknown());
    }
    Ok((hash, row))
}

#[cfg(test)]
mod tests;
