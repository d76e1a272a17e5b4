//! Signatures of manifests in the format of minisign (Ed25519 over BLAKE2b), so that its tools make and check them too.

use std::io::Cursor;

use base64::{Engine, engine::general_purpose::STANDARD};
use minisign::{KeyPair, PublicKey, PublicKeyBox, SecretKeyBox, SignatureBox};

use crate::PackError;

/// Bytes of an Ed25519 signature.
const ED25519_BYTES: usize = 64;
/// Bytes of the first signature in a file: algorithm, number of the key, signature.
const SIGNATURE_LINE_BYTES: usize = 2 + 8 + ED25519_BYTES;

/// A key that signs.
pub struct SigningKey {
    key: minisign::SecretKey,
}

/// A key that a signature is checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedKey {
    key: PublicKey,
}

/// The files of a new key pair.
pub struct KeyFiles {
    /// The key that signs; anyone who has it can sign.
    pub secret: String,
    /// The key to be trusted.
    pub public: String,
    /// The line of the public key for configurations.
    pub trusted: String,
}

impl KeyFiles {
    /// Makes a key pair. With a password, the secret key can be used only with it.
    pub fn generate(password: Option<String>) -> Result<Self, PackError> {
        let failed = |source| PackError::Key { what: "new key", source };
        // Without one the library would ask on the terminal.
        let pair = match &password {
            Some(_) => KeyPair::generate_encrypted_keypair(password),
            None => KeyPair::generate_unencrypted_keypair(),
        };
        let KeyPair { pk, sk } = pair.map_err(failed)?;
        Ok(Self {
            secret: sk.to_box(Some("specbox secret key")).map_err(failed)?.into_string(),
            public: pk.to_box().map_err(failed)?.into_string(),
            trusted: pk.to_base64(),
        })
    }
}

impl SigningKey {
    /// Reads the file of a secret key.
    pub fn parse(file: &str, password: Option<String>) -> Result<Self, PackError> {
        let failed = |source| PackError::Key { what: "secret key", source };
        let boxed = SecretKeyBox::from_string(file).map_err(failed)?;
        let key = match password {
            Some(password) => boxed.into_secret_key(Some(password)),
            None => boxed.into_unencrypted_secret_key(),
        };
        Ok(Self { key: key.map_err(failed)? })
    }

    /// The key that its signatures are checked with.
    pub fn trusted_key(&self) -> Result<TrustedKey, PackError> {
        let key = PublicKey::from_secret_key(&self.key);
        Ok(TrustedKey { key: key.map_err(|source| PackError::Key { what: "secret key", source })? })
    }

    /// The signature file of some bytes; `comment` is signed with them.
    pub fn sign(&self, bytes: &[u8], comment: &str) -> Result<String, PackError> {
        let signature = minisign::sign(
            None,
            &self.key,
            Cursor::new(bytes),
            Some(comment),
            Some("signature of a specbox manifest"),
        );
        let signature =
            signature.map_err(|source| PackError::Key { what: "secret key", source })?;
        Ok(signature.into_string())
    }
}

impl TrustedKey {
    /// Reads the base64 line of a public key, or its file.
    pub fn parse(text: &str) -> Result<Self, PackError> {
        let failed = |source| PackError::Key { what: "trusted key", source };
        let text = text.trim();
        let key = if text.contains('\n') {
            PublicKeyBox::from_string(text).and_then(PublicKeyBox::into_public_key)
        } else {
            PublicKey::from_base64(text)
        };
        Ok(Self { key: key.map_err(failed)? })
    }

    /// The number by which signatures name the key, in hexadecimal digits as minisign prints it.
    pub fn key_id(&self) -> String {
        format_key_id(self.key.keynum())
    }
}

/// Checks that one of the trusted keys signed some bytes; returns the signed comment.
pub fn verify_signature(
    bytes: &[u8],
    signature: &str,
    trusted: &[TrustedKey],
) -> Result<String, PackError> {
    let unusable = |source| PackError::Key { what: "signature", source };
    if !has_whole_lines(signature) {
        return Err(PackError::BadSignature);
    }
    let signature = SignatureBox::from_string(signature).map_err(unusable)?;
    let id = signature.keynum();
    let Some(trusted) = trusted.iter().find(|trusted| trusted.key.keynum() == id) else {
        return Err(PackError::Untrusted { key_id: format_key_id(id) });
    };
    minisign::verify(&trusted.key, &signature, Cursor::new(bytes), true, false, false)
        .map_err(|_| PackError::BadSignature)?;
    signature.trusted_comment().map_err(unusable)
}

/// Whether a signature file has its four lines, and their signatures the right lengths: the library reads the last
/// one without checking its length.
fn has_whole_lines(signature: &str) -> bool {
    let lines: Vec<&str> = signature.trim_end().lines().collect();
    let length = |line: &str| STANDARD.decode(line.trim()).map(|bytes| bytes.len());
    match lines[..] {
        [_, signature, _, of_comment] => {
            length(signature) == Ok(SIGNATURE_LINE_BYTES) && length(of_comment) == Ok(ED25519_BYTES)
        }
        _ => false,
    }
}

/// The library keeps the number in little-endian order and prints it the other way round.
fn format_key_id(id: &[u8]) -> String {
    id.iter().rev().map(|byte| format!("{byte:02X}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> (SigningKey, TrustedKey) {
        let files = KeyFiles::generate(None).expect("made");
        let signing = SigningKey::parse(&files.secret, None).expect("own file");
        let trusted = TrustedKey::parse(&files.trusted).expect("own line");
        assert_eq!(TrustedKey::parse(&files.public).expect("own file"), trusted);
        (signing, trusted)
    }

    #[test]
    fn a_forged_manifest_is_refused() {
        let (signing, trusted) = key();
        let (_, other) = key();
        let manifest = b"{\"format\": 1}";
        let signature = signing.sign(manifest, "specbox 1").expect("signed");
        let check = |bytes: &[u8], signature: &str, keys: &[TrustedKey]| {
            verify_signature(bytes, signature, keys)
        };
        assert_eq!(
            check(manifest, &signature, &[other.clone(), trusted.clone()]).expect("own signature"),
            "specbox 1"
        );
        let untrusted = check(manifest, &signature, &[other]);
        assert!(
            matches!(untrusted, Err(PackError::Untrusted { key_id }) if key_id == trusted.key_id())
        );
        assert!(matches!(
            check(b"{\"format\": 2}", &signature, std::slice::from_ref(&trusted)),
            Err(PackError::BadSignature)
        ));
        // The comment is signed too.
        let commented = signature.replace("specbox 1", "specbox 2");
        let refused = check(manifest, &commented, std::slice::from_ref(&trusted));
        assert!(matches!(refused, Err(PackError::BadSignature)), "{refused:?}");
        let lines: Vec<&str> = signature.lines().collect();
        let short = |line: usize| {
            let mut lines = lines.clone();
            lines[line] = "AAAA";
            lines.join("\n")
        };
        let half = signature[..signature.len() / 2].to_owned();
        for forged in ["".to_owned(), "untrusted comment: x".to_owned(), half, short(1), short(3)] {
            let forged = forged.as_str();
            let refused = check(manifest, forged, std::slice::from_ref(&trusted));
            assert!(matches!(refused, Err(PackError::BadSignature)), "{forged:?}: {refused:?}");
        }
        let refused = check(manifest, &signature, &[]);
        assert!(matches!(refused, Err(PackError::Untrusted { .. })), "{refused:?}");
    }

    #[test]
    fn a_secret_key_with_a_password_is_of_no_use_without() {
        let files = KeyFiles::generate(Some("word".to_owned())).expect("made");
        for password in [None, Some("other".to_owned())] {
            let error = SigningKey::parse(&files.secret, password).err().expect("another password");
            assert_eq!(error.to_string(), "secret key cannot be used");
        }
        let signing = SigningKey::parse(&files.secret, Some("word".to_owned())).expect("right");
        let signature = signing.sign(b"x", "c").expect("signed");
        let trusted = [TrustedKey::parse(&files.trusted).expect("own line")];
        assert_eq!(verify_signature(b"x", &signature, &trusted).expect("signed"), "c");
    }
}
