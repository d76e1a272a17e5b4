//! The name of an object: the hash of what is in it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::PackError;

/// BLAKE3 of the content of an object, printed as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectHash([u8; 32]);

impl ObjectHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The hash of a finished hasher.
    pub(crate) fn from_hasher(hasher: &blake3::Hasher) -> Self {
        Self(*hasher.finalize().as_bytes())
    }

    /// A hash from its bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// An object in a depot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredObject {
    /// Its name: of a pack the hash of what is in it, of others the hash of their bytes.
    pub hash: ObjectHash,
    /// Its size in bytes.
    pub bytes: u64,
}

impl fmt::Display for ObjectHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl FromStr for ObjectHash {
    type Err = PackError;

    fn from_str(text: &str) -> Result<Self, PackError> {
        // Upper case would give one object two names.
        let is_printed = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        match blake3::Hash::from_hex(text) {
            Ok(hash) if is_printed => Ok(Self(*hash.as_bytes())),
            _ => Err(PackError::BadHash),
        }
    }
}

impl Serialize for ObjectHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ObjectHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_has_one_spelling() {
        let hash = ObjectHash::of(b"pack");
        let text = hash.to_string();
        assert_eq!(text.parse::<ObjectHash>().expect("own text"), hash);
        for other in [&text.to_uppercase(), &text[1..], "../../etc/passwd"] {
            assert!(matches!(other.parse::<ObjectHash>(), Err(PackError::BadHash)), "{other}");
        }
    }
}
