//! An attempt to sign in, as the browser keeps it while its owner is at the company's server.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The longest attempt that is read: browsers keep cookies of 4 KiB.
const MAX_ENCODED_BYTES: usize = 4096;

/// An attempt to sign in. It is kept in a cookie that only this server sets and reads, and is good for one browser:
/// an answer of the company's server that belongs to another attempt is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attempt {
    /// Comes back in the address of the answer.
    pub state: String,
    /// Comes back in the ID token.
    pub nonce: String,
    /// The PKCE verifier: who has only the answer cannot redeem it.
    pub verifier: String,
    /// The path to open afterwards.
    pub next: String,
    /// When it began, in seconds since 1970.
    pub began: i64,
}

impl Attempt {
    /// The PKCE challenge (RFC 7636, section 4.2).
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.as_bytes()))
    }

    /// The value of the cookie.
    pub fn to_cookie_value(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// The attempt in the value of a cookie; `None` for anything else.
    pub fn from_cookie_value(value: &str) -> Option<Self> {
        if value.len() > MAX_ENCODED_BYTES {
            return None;
        }
        serde_json::from_slice(&URL_SAFE_NO_PAD.decode(value).ok()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_rfc_and_a_cookie_is_read_back() {
        let attempt = Attempt {
            state: "s".to_owned(),
            nonce: "n".to_owned(),
            // RFC 7636, appendix B.
            verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".to_owned(),
            next: "/search?q=a b".to_owned(),
            began: 7,
        };
        assert_eq!(attempt.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
        assert_eq!(Attempt::from_cookie_value(&attempt.to_cookie_value()), Some(attempt));
        for value in ["", "e30", "%", &"A".repeat(5000)] {
            assert_eq!(Attempt::from_cookie_value(value), None, "{value}");
        }
    }
}
