//! Passwords: argon2id, one hash at a time.

use std::sync::{Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, PasswordHash, PasswordHasher, PasswordVerifier, Version};

use super::AccessError;

/// Minimum number of characters.
const MIN_CHARS: usize = 12;
/// Maximum number of characters: hashing is not for whole files.
const MAX_CHARS: usize = 200;
/// Memory, passes and lanes of the hash: the second recommendation of OWASP's password storage
/// sheet (19 MiB, 2, 1).
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes passwords, one at a time: each takes a core for tens of milliseconds, and searches need
/// the others.
#[derive(Default)]
pub(super) struct Passwords {
    hashing_lock: Mutex<()>,
}

impl Passwords {
    /// The hash of a new password, with its own salt and parameters (PHC string).
    pub(super) fn hash_password(&self, password: &str) -> Result<String, AccessError> {
        let characters = password.chars().count();
        if !(MIN_CHARS..=MAX_CHARS).contains(&characters) {
            return Err(AccessError::InvalidPassword {
                min_chars: MIN_CHARS,
                max_chars: MAX_CHARS,
            });
        }
        let _guard = self.hashing_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let hash =
            build_hasher()?.hash_password(password.as_bytes()).map_err(|_| AccessError::Hashing)?;
        Ok(hash.to_string())
    }

    /// Whether a password matches the hash `stored`. Without a hash it does the same work, so that
    /// the time taken does not reveal whether an account exists.
    pub(super) fn is_correct_password(
        &self,
        password: &str,
        stored: Option<&str>,
    ) -> Result<bool, AccessError> {
        // No stored password is longer (a character has at most 4 bytes), so do not hash this one.
        if password.len() > MAX_CHARS * 4 {
            return Ok(false);
        }
        let _guard = self.hashing_lock.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(stored) = stored else {
            build_hasher()?.hash_password(password.as_bytes()).map_err(|_| AccessError::Hashing)?;
            return Ok(false);
        };
        let hash =
            PasswordHash::new(stored).map_err(|_| AccessError::Decode { what: "password" })?;
        Ok(build_hasher()?.verify_password(password.as_bytes(), &hash).is_ok())
    }
}

fn build_hasher() -> Result<Argon2<'static>, AccessError> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|_| AccessError::Hashing)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_matches_its_hash_only_and_each_hash_has_its_own_salt() {
        let passwords = Passwords::default();
        let hash = passwords.hash_password("correct horse").expect("hashed");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash_password("correct horse").expect("hashed"));
        assert!(passwords.is_correct_password("correct horse", Some(&hash)).expect("compared"));
        assert!(!passwords.is_correct_password("correct hors", Some(&hash)).expect("compared"));
        assert!(!passwords.is_correct_password("correct horse", None).expect("compared"));
    }

    #[test]
    fn too_short_and_too_long_passwords_are_refused() {
        let passwords = Passwords::default();
        for password in ["", "eleven char", &"x".repeat(MAX_CHARS + 1)] {
            let refused = passwords.hash_password(password);
            assert!(matches!(refused, Err(AccessError::InvalidPassword { .. })), "{refused:?}");
        }
        let twelve = "zw\u{f6}lf Zeichen";
        let hash = passwords.hash_password(twelve).expect("long enough");
        assert!(passwords.is_correct_password(twelve, Some(&hash)).expect("compared"));
    }
}
