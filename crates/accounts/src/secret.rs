//! Secrets that are shown once: 256 random bits, stored as a hash.

use sha2::{Digest, Sha256};

use super::AccessError;

/// SHA-256 of a secret. The secrets are random, so a fast hash is enough, and the time of a look-up
/// by hash does not reveal how much of a guess was right.
pub(super) type SecretHash = [u8; 32];

/// Sixty-four hexadecimal digits.
pub(super) fn new_secret() -> Result<String, AccessError> {
    let mut random = [0u8; 32];
    rand::TryRng::try_fill_bytes(&mut rand::rngs::SysRng, &mut random)
        .map_err(|_| AccessError::Random)?;
    Ok(encode_hex(&random))
}

pub(super) fn hash_secret(secret: &str) -> SecretHash {
    Sha256::digest(secret.as_bytes()).into()
}

pub(super) fn encode_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
