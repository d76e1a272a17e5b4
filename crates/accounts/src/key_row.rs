//! A key as it is stored, with and without limits.
//!
//! The row of a key without limits is what every program reads and writes. Earlier programs do not know limits: they
//! must refuse a key that has some rather than accept it for everything, so its row has another version.

use serde::{Deserialize, Serialize};

use super::{
    AccessError,
    database::{decode_record, encode_record},
    key_limits::KeyLimits,
};

/// Version of the row of a key with limits, its first byte.
const LIMITED_VERSION: u8 = 2;

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

/// The row of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyRow {
    pub(super) stored: StoredKey,
    pub(super) limits: KeyLimits,
}

impl KeyRow {
    pub(super) fn encode(&self) -> Vec<u8> {
        if self.limits.is_empty() {
            return encode_record(&self.stored);
        }
        postcard::to_extend(self, vec![LIMITED_VERSION]).expect("plain data encodes into memory")
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, AccessError> {
        match bytes.split_first() {
            Some((&LIMITED_VERSION, body)) => {
                postcard::from_bytes(body).map_err(|_| AccessError::Decode { what: "key" })
            }
            _ => {
                let stored = decode_record("key", bytes)?;
                Ok(Self { stored, limits: KeyLimits::default() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyScope;

    /// The row of a key that an earlier program wrote: id 3, name "lab", account 1.
    const EARLIER_ROW: &[u8] = b"\x01\x03\x03lab\x09sk-0a1b2c\x01\x142026-05-01T12:00:00Z\x01";

    #[test]
    fn the_row_of_an_earlier_program_is_read_and_written_as_it_was() {
        let row = KeyRow::decode(EARLIER_ROW).expect("readable");
        assert_eq!((row.stored.id, row.stored.name.as_str(), row.stored.account), (3, "lab", 1));
        assert_eq!((row.stored.prefix.as_str(), row.stored.active), ("sk-0a1b2c", true));
        assert!(row.limits.is_empty());
        assert_eq!(row.encode(), EARLIER_ROW);
    }

    #[test]
    fn a_row_with_limits_is_refused_by_programs_that_do_not_know_them() {
        let mut row = KeyRow::decode(EARLIER_ROW).expect("readable");
        let limits = [
            KeyLimits { project: Some("6G".to_owned()), ..KeyLimits::default() },
            KeyLimits {
                expires_at: Some("2027-01-01T00:00:00Z".to_owned()),
                ..KeyLimits::default()
            },
            KeyLimits {
                scope: KeyScope { series: vec!["38".to_owned()], ..KeyScope::default() },
                ..KeyLimits::default()
            },
        ];
        for limits in limits {
            row.limits = limits;
            let bytes = row.encode();
            assert_eq!(KeyRow::decode(&bytes).expect("readable"), row);
            // This is how they read it.
            assert!(decode_record::<StoredKey>("key", &bytes).is_err(), "{row:?}");
            for length in 0..bytes.len() {
                assert!(KeyRow::decode(&bytes[..length]).is_err(), "{length} bytes of {row:?}");
            }
        }
    }
}
