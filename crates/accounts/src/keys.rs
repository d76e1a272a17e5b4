//! API keys: `sk-` and 256 random bits.

use std::collections::HashMap;

use redb::{ReadableTable, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{
    Access, AccessError, Caller, Via,
    clock::{printed, time_of},
    database::{ACCOUNTS, COUNTERS, KEY_IDS, KEY_USES, KEYS, decode, encode},
    secret::{SecretHash, hash_of, new_secret},
};

/// What every key begins with.
const PREFIX: &str = "sk-";
/// Characters of a key that lists may show.
const SHOWN_CHARS: usize = 9;
/// Name of the counter of ids.
const NEXT_KEY: &str = "next_key";
/// Keys that an account may have.
const MOST_KEYS: usize = 100;
/// Characters of a key's name.
const MOST_NAME_CHARS: usize = 100;

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
#[derive(Debug, Clone, Serialize)]
pub struct NewKey {
    /// The key itself; shown now and never again.
    pub key: String,
    /// What is kept of it.
    pub record: KeyRecord,
}

impl StoredKey {
    fn into_record(self, uses: &HashMap<u64, i64>) -> KeyRecord {
        let last_used_at = uses.get(&self.id).map(|seconds| printed(time_of(*seconds)));
        let Self { id, name, prefix, account, created_at, active } = self;
        KeyRecord { id, name, prefix, account, created_at, last_used_at, active }
    }
}

impl Access {
    /// Makes a key of an account.
    pub fn create_key(&self, account: u32, name: &str) -> Result<NewKey, AccessError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MOST_NAME_CHARS {
            return Err(AccessError::InvalidKeyName);
        }
        let key = format!("{PREFIX}{}", new_secret()?);
        let created_at = printed(self.clock.now());
        let stored = self.file.change(|txn| {
            if txn.open_table(ACCOUNTS)?.get(account)?.is_none() {
                return Err(AccessError::UnknownAccount { name: account.to_string() });
            }
            let mut keys = txn.open_table(KEYS)?;
            if keys_of(&keys, Some(account))?.len() >= MOST_KEYS {
                return Err(AccessError::TooManyKeys { most: MOST_KEYS });
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
                prefix: key.chars().take(SHOWN_CHARS).collect(),
                account,
                created_at,
                active: true,
            };
            let hash = hash_of(&key);
            ids.insert(id, &hash)?;
            keys.insert(&hash, encode(&stored).as_slice())?;
            Ok(stored)
        })?;
        Ok(NewKey { key, record: stored.into_record(&HashMap::new()) })
    }

    /// The keys of an account, or all of them; oldest first.
    pub fn keys(&self, account: Option<u32>) -> Result<Vec<KeyRecord>, AccessError> {
        let txn = self.file.read()?;
        let mut uses = HashMap::new();
        for entry in txn.open_table(KEY_USES)?.iter()? {
            let (id, seconds) = entry?;
            uses.insert(id.value(), seconds.value());
        }
        let mut stored = keys_of(&txn.open_table(KEYS)?, account)?;
        stored.sort_by_key(|key| key.id);
        Ok(stored.into_iter().map(|key| key.into_record(&uses)).collect())
    }

    /// Makes a key be refused from now on. `account` is its owner, where that must be so.
    pub fn deactivate_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        let stored = self.file.change(|txn| {
            let (hash, mut stored) = key_by_id(txn, account, id)?;
            stored.active = false;
            txn.open_table(KEYS)?.insert(&hash, encode(&stored).as_slice())?;
            Ok(stored)
        })?;
        Ok(stored.into_record(&HashMap::new()))
    }

    /// Forgets a key. `account` is its owner, where that must be so.
    pub fn delete_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        let stored = self.file.change(|txn| {
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
    pub fn authenticate(&self, key: &str) -> Result<Option<Caller>, AccessError> {
        if !key.starts_with(PREFIX) {
            return Ok(None);
        }
        let txn = self.file.read()?;
        let Some(value) = txn.open_table(KEYS)?.get(&hash_of(key))? else { return Ok(None) };
        let stored: StoredKey = decode("key", value.value())?;
        if !stored.active {
            return Ok(None);
        }
        let accounts = txn.open_table(ACCOUNTS)?;
        let Some(value) = accounts.get(stored.account)? else { return Ok(None) };
        let account = decode("account", value.value())?;
        Ok(self.caller_of(&account, Via::Key(stored.id)))
    }
}

fn keys_of(
    keys: &impl ReadableTable<&'static SecretHash, &'static [u8]>,
    account: Option<u32>,
) -> Result<Vec<StoredKey>, AccessError> {
    let mut found = Vec::new();
    for entry in keys.iter()? {
        let stored: StoredKey = decode("key", entry?.1.value())?;
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
    let stored = txn.open_table(KEYS)?.get(&hash)?.map(|value| decode("key", value.value()));
    let stored: StoredKey = stored.ok_or_else(unknown)??;
    if account.is_some_and(|account| account != stored.account) {
        return Err(unknown());
    }
    Ok((hash, stored))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Access, AccessSettings, Role, accounts::FIRST, tests::access};

    #[test]
    fn a_key_opens_the_door_until_it_is_deactivated() {
        let (_dir, access) = access();
        let made = access.create_key(FIRST, "lab").expect("made");
        assert!(made.key.starts_with("sk-") && made.key.len() == 67);
        let caller = access.authenticate(&made.key).expect("readable").expect("accepted");
        let by_it = Via::Key(made.record.id);
        assert!(matches!(caller, Caller::Account { via, .. } if via == by_it));
        access.deactivate_key(None, made.record.id).expect("known");
        assert!(access.authenticate(&made.key).expect("readable").is_none());
    }

    #[test]
    fn keys_of_a_disabled_account_are_refused_and_come_back_with_it() {
        let (_dir, access) = access();
        let ann = access.add_account("ann", Role::Member, None).expect("made");
        let made = access.create_key(ann.id, "lab").expect("made");
        access.set_active(ann.id, false).expect("disabled");
        assert!(access.authenticate(&made.key).expect("readable").is_none());
        access.set_active(ann.id, true).expect("enabled");
        assert!(access.authenticate(&made.key).expect("readable").is_some());
    }

    #[test]
    fn nobody_touches_another_ones_key() {
        let (_dir, access) = access();
        let ann = access.add_account("ann", Role::Member, None).expect("made");
        let id = access.create_key(FIRST, "lab").expect("made").record.id;
        let refused = access.deactivate_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        let refused = access.delete_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        assert!(access.keys(Some(ann.id)).expect("readable").is_empty());
        access.delete_key(Some(FIRST), id).expect("its own");
        let next = access.create_key(FIRST, "next").expect("made").record.id;
        assert_eq!(next, id + 1, "an id is not given again");
        access.delete_key(None, next).expect("known");
        assert!(access.keys(None).expect("readable").is_empty());
    }

    #[test]
    fn an_account_has_so_many_keys_with_names_of_some_length() {
        let (_dir, access) = access();
        for name in ["", "  ", &"n".repeat(MOST_NAME_CHARS + 1)] {
            let refused = access.create_key(FIRST, name);
            assert!(matches!(refused, Err(AccessError::InvalidKeyName)), "{refused:?}");
        }
        for _ in 0..MOST_KEYS {
            access.create_key(FIRST, "lab").expect("made");
        }
        let refused = access.create_key(FIRST, "lab");
        assert!(matches!(refused, Err(AccessError::TooManyKeys { .. })), "{refused:?}");
    }

    #[test]
    fn foreign_keys_are_refused_and_none_is_stored_in_clear() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("accounts.redb");
        let access = Access::open(&path, AccessSettings::default()).expect("opened");
        let made = access.create_key(FIRST, "lab").expect("made");
        for key in ["", "sk-", "Bearer", &made.key[..66], &made.key.to_uppercase()] {
            assert!(access.authenticate(key).expect("readable").is_none(), "{key}");
        }
        drop(access);
        let bytes = std::fs::read(&path).expect("readable");
        let secret = &made.key.as_bytes()[3..];
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}
