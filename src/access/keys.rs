//! API keys: `sk-` and 256 random bits.

use std::path::Path;

use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of the whole key -> `KeyRecord`. The keys are random, so a fast hash is enough.
const KEYS: TableDefinition<&[u8; 32], &[u8]> = TableDefinition::new("keys");
/// Id of a key -> SHA-256 of it.
const KEY_IDS: TableDefinition<u64, &[u8; 32]> = TableDefinition::new("key_ids");
/// The account that owns keys made on the command line.
const OPERATOR: u32 = 1;
/// Version of the stored record.
const RECORD_VERSION: u8 = 1;
/// What every key begins with.
const PREFIX: &str = "sk-";
/// Characters of a key that lists may show.
const SHOWN_CHARS: usize = 9;

/// The keys of a data folder.
pub struct Access {
    database: Database,
}

/// Who is asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    /// Account the key belongs to.
    pub account: u32,
    /// Id of the key; none for the command line on the same machine.
    pub key: Option<u64>,
}

impl Caller {
    /// The person at the machine itself, who needs no key.
    pub fn operator() -> Self {
        Self { account: OPERATOR, key: None }
    }
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

/// A failure of the key database.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The database refused.
    #[error("the accounts database failed")]
    Database(#[source] Box<redb::Error>),
    /// A stored record does not decode.
    #[error("a stored key record does not decode")]
    Decode,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers")]
    Random,
    /// No such key.
    #[error("there is no key with the id {id}")]
    UnknownKey {
        /// The id asked for.
        id: u64,
    },
}

impl<E: Into<redb::Error>> From<E> for AccessError {
    fn from(error: E) -> Self {
        Self::Database(Box::new(error.into()))
    }
}

impl Access {
    /// Opens the database, creating it where it does not exist.
    pub fn open(path: &Path) -> Result<Self, AccessError> {
        let database = Database::builder().set_cache_size(8 << 20).create(path)?;
        let txn = database.begin_write()?;
        txn.open_table(KEYS)?;
        txn.open_table(KEY_IDS)?;
        txn.commit()?;
        Ok(Self { database })
    }

    /// Makes a key.
    pub fn create_key(&self, name: &str) -> Result<NewKey, AccessError> {
        let mut random = [0u8; 32];
        rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut random)
            .map_err(|_| AccessError::Random)?;
        let key = format!("{PREFIX}{}", hex(&random));
        let txn = self.database.begin_write()?;
        let record = {
            let mut ids = txn.open_table(KEY_IDS)?;
            let id = ids.last()?.map_or(1, |(id, _)| id.value() + 1);
            let record = KeyRecord {
                id,
                name: name.to_owned(),
                prefix: key.chars().take(SHOWN_CHARS).collect(),
                account: OPERATOR,
                created_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
                active: true,
            };
            let hash = hash(&key);
            ids.insert(id, &hash)?;
            txn.open_table(KEYS)?.insert(&hash, encode(&record).as_slice())?;
            record
        };
        txn.commit()?;
        Ok(NewKey { key, record })
    }

    /// All keys, oldest first.
    pub fn list_keys(&self) -> Result<Vec<KeyRecord>, AccessError> {
        let txn = self.database.begin_read()?;
        let mut records = Vec::new();
        for entry in txn.open_table(KEYS)?.iter()? {
            records.push(decode(entry?.1.value())?);
        }
        records.sort_by_key(|record: &KeyRecord| record.id);
        Ok(records)
    }

    /// Makes a key be refused from now on.
    pub fn deactivate_key(&self, id: u64) -> Result<KeyRecord, AccessError> {
        let txn = self.database.begin_write()?;
        let record = {
            let hash = txn.open_table(KEY_IDS)?.get(id)?.map(|hash| *hash.value());
            let hash = hash.ok_or(AccessError::UnknownKey { id })?;
            let mut keys = txn.open_table(KEYS)?;
            let stored = keys.get(&hash)?.map(|value| decode(value.value()));
            let mut record = stored.ok_or(AccessError::UnknownKey { id })??;
            record.active = false;
            keys.insert(&hash, encode(&record).as_slice())?;
            record
        };
        txn.commit()?;
        Ok(record)
    }

    /// Whose key this is; none where it is unknown, malformed or deactivated. The key is looked
    /// up by its hash, so the time taken says nothing of how much of it was right.
    pub fn authenticate(&self, key: &str) -> Result<Option<Caller>, AccessError> {
        if !key.starts_with(PREFIX) {
            return Ok(None);
        }
        let txn = self.database.begin_read()?;
        let Some(value) = txn.open_table(KEYS)?.get(&hash(key))? else { return Ok(None) };
        let record = decode(value.value())?;
        let caller = Caller { account: record.account, key: Some(record.id) };
        Ok(record.active.then_some(caller))
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key.as_bytes()).into()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn encode(record: &KeyRecord) -> Vec<u8> {
    postcard::to_extend(record, vec![RECORD_VERSION]).expect("plain data encodes into memory")
}

fn decode(bytes: &[u8]) -> Result<KeyRecord, AccessError> {
    match bytes.split_first() {
        Some((&RECORD_VERSION, body)) => {
            postcard::from_bytes(body).map_err(|_| AccessError::Decode)
        }
        _ => Err(AccessError::Decode),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_opens_the_door_until_it_is_deactivated() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let access = Access::open(&dir.path().join("accounts.redb")).expect("opened");
        let made = access.create_key("lab").expect("made");
        assert!(made.key.starts_with("sk-") && made.key.len() == 67);
        let caller = access.authenticate(&made.key).expect("readable").expect("accepted");
        assert_eq!(caller.key, Some(made.record.id));
        access.deactivate_key(made.record.id).expect("known");
        assert_eq!(access.authenticate(&made.key).expect("readable"), None);
    }

    #[test]
    fn foreign_keys_are_refused_and_none_is_stored_in_clear() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let path = dir.path().join("accounts.redb");
        let access = Access::open(&path).expect("opened");
        let made = access.create_key("lab").expect("made");
        for key in ["", "sk-", "Bearer", &made.key[..66], &made.key.to_uppercase()] {
            assert_eq!(access.authenticate(key).expect("readable"), None, "{key}");
        }
        drop(access);
        let bytes = std::fs::read(&path).expect("readable");
        let secret = &made.key.as_bytes()[3..];
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}
