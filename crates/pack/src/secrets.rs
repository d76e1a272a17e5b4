//! Accounts and settings in a depot: a tar archive in the format of age, encrypted to a passphrase or to a key.
//!
//! `age --decrypt FILE | tar --extract` opens one without this program.

use std::io::Read;

use age::secrecy::SecretString;

use crate::PackError;

/// Bytes of one file, at most.
const MAX_FILE_BYTES: u64 = 4 << 30;

/// The relative path of a file, and its bytes.
pub type SecretFile = (String, Vec<u8>);

/// What secrets are encrypted to.
pub enum SecretsLock {
    /// A passphrase.
    Passphrase(String),
    /// The identity of a recipient (`age1...`).
    Recipient(age::x25519::Recipient),
}

/// What opens secrets.
pub enum SecretsKey {
    /// The passphrase.
    Passphrase(String),
    /// The identity (`AGE-SECRET-KEY-1...`).
    Identity(age::x25519::Identity),
}

impl SecretsLock {
    /// Reads a recipient.
    pub fn parse_recipient(text: &str) -> Result<Self, PackError> {
        let recipient = text.trim().parse();
        recipient.map(Self::Recipient).map_err(|_| PackError::Invalid { what: "recipient" })
    }
}

impl SecretsKey {
    /// Reads the file of an identity; lines that begin with `#` are comments.
    pub fn parse_identity(file: &str) -> Result<Self, PackError> {
        let mut lines = file.lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        let identity = line.and_then(|line| line.parse().ok());
        identity.map(Self::Identity).ok_or(PackError::Invalid { what: "identity" })
    }
}

/// The cost of guessing a passphrase, as a power of two: each guess takes 2^17 KiB of memory, and so does a backup. What
/// `age` would choose itself grows with the machine, up to 1 GiB.
const WORK_FACTOR: u8 = 17;

/// Encrypts files, each with its relative path.
pub fn seal_secrets(files: &[SecretFile], lock: &SecretsLock) -> Result<Vec<u8>, PackError> {
    let invalid = |_| PackError::Invalid { what: "secret file name" };
    let mut archive = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        archive.append_data(&mut header, path, bytes.as_slice()).map_err(invalid)?;
    }
    let archive = archive.into_inner().map_err(invalid)?;
    let sealed = match lock {
        SecretsLock::Passphrase(passphrase) => {
            let passphrase = SecretString::from(passphrase.as_str());
            let mut recipient = age::scrypt::Recipient::new(passphrase);
            recipient.set_work_factor(WORK_FACTOR);
            age::encrypt(&recipient, &archive)
        }
        SecretsLock::Recipient(recipient) => age::encrypt(recipient, &archive),
    };
    sealed.map_err(|_| PackError::Invalid { what: "recipient" })
}

/// Decrypts files. Their paths are relative and lead to nothing outside the folder they are put into.
pub fn open_secrets(sealed: &[u8], key: &SecretsKey) -> Result<Vec<SecretFile>, PackError> {
    let archive = match key {
        SecretsKey::Passphrase(passphrase) => {
            let identity = age::scrypt::Identity::new(SecretString::from(passphrase.as_str()));
            age::decrypt(&identity, sealed)
        }
        SecretsKey::Identity(identity) => age::decrypt(identity, sealed),
    };
    let archive = archive.map_err(PackError::Locked)?;
    let damaged = |_| PackError::Invalid { what: "archive of secrets" };
    let mut files = Vec::new();
    for entry in tar::Archive::new(archive.as_slice()).entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        let path = entry.path().map_err(damaged)?.into_owned();
        let is_below =
            path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        let path = if is_below { path.to_str().map(str::to_owned) } else { None };
        let path = path.ok_or(PackError::Invalid { what: "secret file name" })?;
        let mut bytes = Vec::new();
        entry.take(MAX_FILE_BYTES).read_to_end(&mut bytes).map_err(damaged)?;
        files.push((path, bytes));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> Vec<SecretFile> {
        vec![
            ("accounts.redb".to_owned(), b"rows".to_vec()),
            ("tls/authority.pem".to_owned(), b"key".to_vec()),
        ]
    }

    #[test]
    fn secrets_open_with_their_key_alone() {
        let identity = age::x25519::Identity::generate();
        let lock = SecretsLock::parse_recipient(&identity.to_public().to_string()).expect("valid");
        let sealed = seal_secrets(&files(), &lock).expect("sealed");
        assert!(!sealed.windows(4).any(|window| window == b"rows"));
        let opened = open_secrets(&sealed, &SecretsKey::Identity(identity)).expect("opened");
        assert_eq!(opened, files());
        let other = SecretsKey::Identity(age::x25519::Identity::generate());
        assert!(matches!(open_secrets(&sealed, &other), Err(PackError::Locked(_))));
        let wrong = SecretsKey::Passphrase("word".to_owned());
        assert!(matches!(open_secrets(&sealed, &wrong), Err(PackError::Locked(_))));
    }

    #[test]
    fn secrets_open_with_their_passphrase_and_damage_is_seen() {
        let lock = SecretsLock::Passphrase("a long word".to_owned());
        let key = SecretsKey::Passphrase("a long word".to_owned());
        let mut sealed = seal_secrets(&files(), &lock).expect("sealed");
        assert_eq!(open_secrets(&sealed, &key).expect("opened"), files());
        let last = sealed.len() - 1;
        sealed[last] ^= 1;
        assert!(matches!(open_secrets(&sealed, &key), Err(PackError::Locked(_))));
    }

    #[test]
    fn a_path_that_leaves_the_folder_is_refused() {
        for path in ["../accounts.redb", "/etc/passwd"] {
            let identity = age::x25519::Identity::generate();
            let mut archive = tar::Builder::new(Vec::new());
            let mut header = tar::Header::new_gnu();
            header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_size(0);
            header.set_cksum();
            archive.append(&header, &[][..]).expect("appended");
            let archive = archive.into_inner().expect("finished");
            let sealed = age::encrypt(&identity.to_public(), &archive).expect("sealed");
            let error = open_secrets(&sealed, &SecretsKey::Identity(identity)).expect_err(path);
            assert_eq!(error.to_string(), "secret file name is not valid", "{path}");
        }
    }
}
