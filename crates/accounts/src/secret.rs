//! Secrets that are shown once: 256 random bits, stored as a hash.

use sha2::{Digest, Sha256};

use super::AccessError;

/// SHA-256 of a secret. The secrets are random, so a fast hash is enough, and the time of a look-up
/// by hash does not reveal how much of a guess was right.
pub(super) type SecretHash = [u8; 32];

/// A new secret: 64 hexadecimal digits.
pub fn new_secret() -> Result<String, AccessError> {
    Ok(encode_hex(&random_bytes::<32>()?))
}

/// Bytes of the system's generator.
pub(super) fn random_bytes<const N: usize>() -> Result<[u8; N], AccessError> {
    let mut random = [0u8; N];
    rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut random)
        .map_err(|_| AccessError::Random)?;
    Ok(random)
}

pub(super) fn hash_secret(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

pub(super) fn encode_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
