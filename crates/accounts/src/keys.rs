//! API keys: `sk-` and 256 random bits.

use std::collections::HashMap;

use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    AccessError, Caller, Clock, Via,
    clock::{format_timestamp, timestamp_from_seconds},
    database::{
        ACCOUNTS, AccountsFile, COUNTERS, KEY_IDS, KEY_USES, KEYS, decode_record, encode_record,
    },
    plans::AccountPlans,
    secret::{SecretHash, hash_secret, new_secret},
};

/// What every key begins with.
const PREFIX: &str = "sk-";
/// Characters of a key that lists may show.
const PREFIX_CHARS: usize = 9;
/// Name of the counter of ids.
const NEXT_KEY: &str = "next_key";
/// Keys that an account may have.
const MAX_KEYS: usize = 100;
/// Characters of a key's name.
const MAX_NAME_CHARS: usize = 100;

/// What is stored of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StoredKey {
    id: u64,
    name: String,
    prefix: String,
    account: u32,
    created_at: String,
    active: bool,
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// Id, used to deactivate it.
    pub id: u64,
    /// Name given by its owner.
    pub name: String,
    /// First characters of the key.
    pub prefix: String,
    /// Account it belongs to.
    pub account: u32,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// When it was used last for a metered request, RFC 3339 in UTC.
    pub last_used_at: Option<String>,
    /// Whether it is accepted.
    pub active: bool,
}

/// A key just made.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NewKey {
    /// The key itself; shown now and never again.
    pub key: String,
    /// What is kept of it.
    pub record: KeyRecord,
}

impl StoredKey {
    fn into_record(self, uses: &HashMap<u64, i64>) -> KeyRecord {
        let last_used_at =
            uses.get(&self.id).map(|seconds| format_timestamp(timestamp_from_seconds(*seconds)));
        let Self { id, name, prefix, account, created_at, active } = self;
        KeyRecord { id, name, prefix, account, created_at, last_used_at, active }
    }
}

/// The API keys of all accounts.
#[derive(Clone, Copy)]
pub struct ApiKeys<'a> {
    pub(super) file: &'a AccountsFile,
    pub(super) plans: &'a AccountPlans,
    pub(super) clock: &'a Clock,
}

impl ApiKeys<'_> {
    /// Makes a key of an account.
    pub fn create_key(&self, account: u32, name: &str) -> Result<NewKey, AccessError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARS {
            return Err(AccessError::InvalidKeyName);
        }
        let key = format!("{PREFIX}{}", new_secret()?);
        let created_at = format_timestamp(self.clock.now());
        let stored = self.file.write_transaction(|txn| {
            if txn.open_table(ACCOUNTS)?.get(account)?.is_none() {
                return Err(AccessError::UnknownAccount { name: account.to_string() });
            }
            let mut keys = txn.open_table(KEYS)?;
            if stored_keys(&keys, Some(account))?.len() >= MAX_KEYS {
                return Err(AccessError::TooManyKeys { most: MAX_KEYS });
            }
            let mut ids = txn.open_table(KEY_IDS)?;
            let mut counters = txn.open_table(COUNTERS)?;
            let after_last = ids.last()?.map_or(1, |(id, _)| id.value() + 1);
            let next = counters.get(NEXT_KEY)?.map_or(1, |next| next.value());
            // The id of a deleted key is never given again: a form or a use that comes late then
            // means no other key.
            let id = after_last.max(next);
            counters.insert(NEXT_KEY, id + 1)?;
            let stored = StoredKey {
                id,
                name: name.to_owned(),
                prefix: key.chars().take(PREFIX_CHARS).collect(),
                account,
                created_at,
                active: true,
            };
            let hash = hash_secret(&key);
            ids.insert(id, &hash)?;
            keys.insert(&hash, encode_record(&stored).as_slice())?;
            Ok(stored)
        })?;
        Ok(NewKey { key, record: stored.into_record(&HashMap::new()) })
    }

    /// The keys of an account, or all of them; oldest first.
    pub fn list_keys(&self, account: Option<u32>) -> Result<Vec<KeyRecord>, AccessError> {
        let txn = self.file.begin_read()?;
        let mut uses = HashMap::new();
        for entry in txn.open_table(KEY_USES)?.iter()? {
            let (id, seconds) = entry?;
            uses.insert(id.value(), seconds.value());
        }
        let mut stored = stored_keys(&txn.open_table(KEYS)?, account)?;
        stored.sort_by_key(|key| key.id);
        Ok(stored.into_iter().map(|key| key.into_record(&uses)).collect())
    }

    /// Makes a key be refused from now on. `account` is its owner, where that must be so.
    pub fn deactivate_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        let stored = self.file.write_transaction(|txn| {
            let (hash, mut stored) = key_by_id(txn, account, id)?;
            stored.active = false;
            txn.open_table(KEYS)?.insert(&hash, encode_record(&stored).as_slice())?;
            Ok(stored)
        })?;
        Ok(stored.into_record(&HashMap::new()))
    }

    /// Forgets a key. `account` is its owner, where that must be so.
    pub fn delete_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        let stored = self.file.write_transaction(|txn| {
            let (hash, stored) = key_by_id(txn, account, id)?;
            txn.open_table(KEYS)?.remove(&hash)?;
            txn.open_table(KEY_IDS)?.remove(id)?;
            txn.open_table(KEY_USES)?.remove(id)?;
            Ok(stored)
        })?;
        Ok(stored.into_record(&HashMap::new()))
    }

    /// Whose key this is; none where it is unknown, malformed or deactivated, or its account is
    /// disabled. The key is looked up by its hash, so the time taken says nothing of how much of it
    /// was right.
    pub fn authenticate_key(&self, key: &str) -> Result<Option<Caller>, AccessError> {
        if !key.starts_with(PREFIX) {
            return Ok(None);
        }
        let txn = self.file.begin_read()?;
        let Some(value) = txn.open_table(KEYS)?.get(&hash_secret(key))? else { return Ok(None) };
        let stored: StoredKey = decode_record("key", value.value())?;
        if !stored.active {
            return Ok(None);
        }
        let accounts = txn.open_table(ACCOUNTS)?;
        let Some(value) = accounts.get(stored.account)? else { return Ok(None) };
        let account = decode_record("account", value.value())?;
        Ok(Caller::from_account(self.plans, &account, Via::Key(stored.id)))
    }
}

fn stored_keys(
    keys: &impl ReadableTable<&'static SecretHash, &'static [u8]>,
    account: Option<u32>,
) -> Result<Vec<StoredKey>, AccessError> {
    let mut found = Vec::new();
    for entry in keys.iter()? {
        let stored: StoredKey = decode_record("key", entry?.1.value())?;
        if account.is_none_or(|account| account == stored.account) {
            found.push(stored);
        }
    }
    Ok(found)
}

/// A key by its id. A key of somebody else is as unknown as one that never was.
fn key_by_id(
    txn: &WriteTransaction,
    account: Option<u32>,
    id: u64,
) -> Result<(SecretHash, StoredKey), AccessError> {
    let unknown = || AccessError::UnknownKey { id };
    let hash = txn.open_table(KEY_IDS)?.get(id)?.map(|hash| *hash.value());
    let hash = hash.ok_or_else(unknown)?;
    let stored = txn.open_table(KEYS)?.get(&hash)?.map(|value| decode_record("key", value.value()));
    let stored: StoredKey = stored.ok_or_else(unknown)??;
    if account.is_some_and(|account| account != stored.account) {
        return Err(unknown());
    }
    Ok((hash, stored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, AccessSettings, AccountRole, accounts::FIRST_ACCOUNT, tests::access};

    #[test]
    fn a_key_opens_the_door_until_it_is_deactivated() {
        let (_dir, access) = access();
        let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
        assert!(made.key.starts_with("sk-") && made.key.len() == 67);
        let caller =
            access.keys().authenticate_key(&made.key).expect("readable").expect("accepted");
        let by_it = Via::Key(made.record.id);
        assert!(matches!(caller, Caller::Account { via, .. } if via == by_it));
        access.keys().deactivate_key(None, made.record.id).expect("known");
        assert!(access.keys().authenticate_key(&made.key).expect("readable").is_none());
    }

    #[test]
    fn keys_of_a_disabled_account_are_refused_and_come_back_with_it() {
        let (_dir, access) = access();
        let ann = access.accounts().add_account("ann", AccountRole::Member, None).expect("made");
        let made = access.keys().create_key(ann.id, "lab").expect("made");
        access.accounts().set_active(ann.id, false).expect("disabled");
        assert!(access.keys().authenticate_key(&made.key).expect("readable").is_none());
        access.accounts().set_active(ann.id, true).expect("enabled");
        assert!(access.keys().authenticate_key(&made.key).expect("readable").is_some());
    }

    #[test]
    fn nobody_touches_another_ones_key() {
        let (_dir, access) = access();
        let ann = access.accounts().add_account("ann", AccountRole::Member, None).expect("made");
        let id = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made").record.id;
        let refused = access.keys().deactivate_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        let refused = access.keys().delete_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        assert!(access.keys().list_keys(Some(ann.id)).expect("readable").is_empty());
        access.keys().delete_key(Some(FIRST_ACCOUNT), id).expect("its own");
        let next = access.keys().create_key(FIRST_ACCOUNT, "next").expect("made").record.id;
        assert_eq!(next, id + 1, "an id is not given again");
        access.keys().delete_key(None, next).expect("known");
        assert!(access.keys().list_keys(None).expect("readable").is_empty());
    }

    #[test]
    fn an_account_has_so_many_keys_with_names_of_some_length() {
        let (_dir, access) = access();
        for name in ["", "  ", &"n".repeat(MAX_NAME_CHARS + 1)] {
            let refused = access.keys().create_key(FIRST_ACCOUNT, name);
            assert!(matches!(refused, Err(AccessError::InvalidKeyName)), "{refused:?}");
        }
        for _ in 0..MAX_KEYS {
            access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
        }
        let refused = access.keys().create_key(FIRST_ACCOUNT, "lab");
        assert!(matches!(refused, Err(AccessError::TooManyKeys { .. })), "{refused:?}");
    }

    #[test]
    fn foreign_keys_are_refused_and_none_is_stored_in_clear() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("accounts.redb");
        let access = Access::open(&path, AccessSettings::default()).expect("opened");
        let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
        for key in ["", "sk-", "Bearer", &made.key[..66], &made.key.to_uppercase()] {
            assert!(access.keys().authenticate_key(key).expect("readable").is_none(), "{key}");
        }
        drop(access);
        let bytes = std::fs::read(&path).expect("readable");
        let secret = &made.key.as_bytes()[3..];
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}
