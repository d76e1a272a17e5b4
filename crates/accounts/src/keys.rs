//! API keys: `sk-` and 256 random bits.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{
    AccessError, Caller, Clock, Via,
    clock::{format_timestamp, timestamp_from_seconds},
    database::{
        ACCOUNTS, AccountsChange, AccountsDatabase, COUNTERS, KEY_IDS, KEY_USES, KEYS, RowTable,
        decode_record, encode_record,
    },
    error::MAX_KEY_NAME_CHARS,
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

/// What is stored of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredKey {
    /// Id, used to deactivate it.
    pub id: u64,
    /// Name given by its owner.
    pub name: String,
    /// First characters of the key.
    pub prefix: String,
    /// Account it belongs to.
    pub account: u32,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// Whether it is accepted.
    pub active: bool,
}

/// What is known of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// What is stored of it.
    #[serde(flatten)]
    pub stored: StoredKey,
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

impl StoredKey {
    fn into_record(self, last_used_s: Option<i64>) -> KeyRecord {
        let last_used_at =
            last_used_s.map(|seconds| format_timestamp(timestamp_from_seconds(seconds)));
        KeyRecord { stored: self, last_used_at }
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
    /// Creates a key of an account.
    pub fn create_key(&self, account: u32, name: &str) -> Result<NewKey, AccessError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_KEY_NAME_CHARS {
            return Err(AccessError::InvalidKeyName);
        }
        let key = format!("{PREFIX}{}", new_secret()?);
        let created_at = format_timestamp(self.clock.now());
        let stored = self.database.write_transaction(|txn| {
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
            let hash = hash_secret(&key);
            ids.insert(id, &hash)?;
            keys.insert(&hash, encode_record(&stored).as_slice())?;
            Ok(stored)
        })?;
        Ok(NewKey { key, record: stored.into_record(None) })
    }

    /// The keys of an account, or all of them; oldest first.
    pub fn list_keys(&self, account: Option<u32>) -> Result<Vec<KeyRecord>, AccessError> {
        let txn = self.database.begin_read()?;
        let mut uses = HashMap::new();
        for (id, seconds) in txn.open_table(KEY_USES)?.iter()? {
            uses.insert(id.value(), seconds.value());
        }
        let mut stored = load_keys(&txn.open_table(KEYS)?, account)?;
        stored.sort_by_key(|key| key.id);
        let into_record = |key: StoredKey| {
            let last_used_s = uses.get(&key.id).copied();
            key.into_record(last_used_s)
        };
        Ok(stored.into_iter().map(into_record).collect())
    }

    /// Deactivates a key: it is rejected from now on. With `account`, only a key of that account.
    pub fn deactivate_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        self.database.write_transaction(|txn| {
            let (hash, mut stored) = find_key(txn, account, id)?;
            stored.active = false;
            txn.open_table(KEYS)?.insert(&hash, encode_record(&stored).as_slice())?;
            let last_used_s = txn.open_table(KEY_USES)?.get(id)?.map(|seconds| seconds.value());
            Ok(stored.into_record(last_used_s))
        })
    }

    /// Deletes a key. With `account`, only a key of that account.
    pub fn delete_key(&self, account: Option<u32>, id: u64) -> Result<KeyRecord, AccessError> {
        self.database.write_transaction(|txn| {
            let (hash, stored) = find_key(txn, account, id)?;
            txn.open_table(KEYS)?.remove(&hash)?;
            txn.open_table(KEY_IDS)?.remove(id)?;
            let last_used_s = txn.open_table(KEY_USES)?.remove(id)?.map(|seconds| seconds.value());
            Ok(stored.into_record(last_used_s))
        })
    }

    /// The caller with this key; `None` if it is unknown, malformed or deactivated, or its account is disabled. The
    /// key is looked up by its hash, so the time taken does not reveal how much of a guess was right.
    pub fn authenticate_key(&self, key: &str) -> Result<Option<Caller>, AccessError> {
        if !key.starts_with(PREFIX) {
            return Ok(None);
        }
        let txn = self.database.begin_read()?;
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

/// The stored keys of an account, or all of them.
fn load_keys(
    table: &RowTable<'_, &'static SecretHash, &'static [u8]>,
    account: Option<u32>,
) -> Result<Vec<StoredKey>, AccessError> {
    let mut keys = Vec::new();
    for (_, value) in table.iter()? {
        let stored: StoredKey = decode_record("key", value.value())?;
        if account.is_none_or(|account| account == stored.account) {
            keys.push(stored);
        }
    }
    Ok(keys)
}

/// A key by its id. With `account`, a key of another account is reported as unknown.
fn find_key(
    txn: &AccountsChange<'_>,
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
    use crate::{
        Access, AccessSettings, AccountRole, AccountsLocation, ReservationOutcome,
        accounts::FIRST_ACCOUNT, tests::access,
    };

    #[test]
    fn a_key_authenticates_until_it_is_deactivated() {
        let (_dir, access) = access();
        let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
        assert!(made.key.starts_with("sk-") && made.key.len() == 67);
        let caller =
            access.keys().authenticate_key(&made.key).expect("readable").expect("accepted");
        let by_it = Via::Key(made.record.stored.id);
        assert!(matches!(caller, Caller::Account { via, .. } if via == by_it));
        access.keys().deactivate_key(None, made.record.stored.id).expect("known");
        assert!(access.keys().authenticate_key(&made.key).expect("readable").is_none());
    }

    #[test]
    fn a_deactivated_key_still_says_when_it_was_last_used() {
        let (_dir, access) = access();
        let made = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made");
        assert_eq!(made.record.last_used_at, None);
        let caller =
            access.keys().authenticate_key(&made.key).expect("readable").expect("accepted");
        match access.charges().reserve_request(&caller).expect("readable") {
            ReservationOutcome::Reserved(reservation) => {
                reservation.charge_request("search_text").expect("stored");
            }
            ReservationOutcome::Unmetered | ReservationOutcome::Exhausted(_) => {
                panic!("an account is charged")
            }
        }
        let last_used_at = Some("2026-05-01T12:00:00Z".to_owned());
        let deactivated = access.keys().deactivate_key(None, made.record.stored.id).expect("known");
        assert_eq!((deactivated.stored.active, &deactivated.last_used_at), (false, &last_used_at));
        let deleted = access.keys().delete_key(None, made.record.stored.id).expect("known");
        assert_eq!(deleted.last_used_at, last_used_at);
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
    fn a_key_of_another_account_can_not_be_deactivated_or_deleted() {
        let (_dir, access) = access();
        let ann = access.accounts().add_account("ann", AccountRole::Member, None).expect("made");
        let id = access.keys().create_key(FIRST_ACCOUNT, "lab").expect("made").record.stored.id;
        let refused = access.keys().deactivate_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        let refused = access.keys().delete_key(Some(ann.id), id);
        assert!(matches!(refused, Err(AccessError::UnknownKey { .. })), "{refused:?}");
        assert!(access.keys().list_keys(Some(ann.id)).expect("readable").is_empty());
        access.keys().delete_key(Some(FIRST_ACCOUNT), id).expect("its own");
        let next = access.keys().create_key(FIRST_ACCOUNT, "next").expect("made").record.stored.id;
        assert_eq!(next, id + 1, "an id is not given again");
        access.keys().delete_key(None, next).expect("known");
        assert!(access.keys().list_keys(None).expect("readable").is_empty());
    }

    #[test]
    fn key_count_and_name_length_are_limited() {
        let (_dir, access) = access();
        for name in ["", "  ", &"n".repeat(MAX_KEY_NAME_CHARS + 1)] {
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
        let access = Access::open(&AccountsLocation::File(path.clone()), AccessSettings::default())
            .expect("opened");
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
