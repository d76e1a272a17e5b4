//! The forms of codes and tokens.
//!
//! A token is `at-` or `rt-`, the handle of its grant, and a secret: the grant is found without a table
//! of tokens, and a token that is no longer good still tells whose family it belongs to.

use crate::{
    AccessError,
    secret::{SecretHash, hash_of, hex, new_secret},
};

/// Hexadecimal digits of a handle; 128 random bits.
const HANDLE_CHARS: usize = 32;
/// What tokens begin with.
const ACCESS: &str = "at-";
const REFRESH: &str = "rt-";

/// The random name of a grant; part of its tokens and shown nowhere else.
pub(super) fn new_handle() -> Result<String, AccessError> {
    let mut secret = new_secret()?;
    secret.truncate(HANDLE_CHARS);
    Ok(secret)
}

pub(super) fn access_token(handle: &str, secret: &str) -> String {
    format!("{ACCESS}{handle}{secret}")
}

pub(super) fn refresh_token(handle: &str, secret: &str) -> String {
    format!("{REFRESH}{handle}{secret}")
}

/// A token as it was sent.
pub(super) struct Sent<'a> {
    /// The handle of its grant.
    pub(super) handle: &'a str,
    /// Whether it is an access token; else it is one to refresh with.
    pub(super) is_access: bool,
    /// Hash of the whole.
    pub(super) hash: SecretHash,
}

/// Reads a token; none where it has not the form of one.
pub(super) fn sent(token: &str) -> Option<Sent<'_>> {
    let is_access = token.starts_with(ACCESS);
    let rest = token.strip_prefix(ACCESS).or_else(|| token.strip_prefix(REFRESH))?;
    let handle = rest.get(..HANDLE_CHARS)?;
    handle.bytes().all(|b| b.is_ascii_hexdigit()).then(|| Sent {
        handle,
        is_access,
        hash: hash_of(token),
    })
}

/// A secret that follows from a spent token and a random salt: whoever has the token gets the same
/// answer once more, and nobody has it from what is stored.
pub(super) fn following(what: &str, token: &str, salt: &str) -> String {
    hex(&hash_of(&format!("{what} {salt} {token}")))
}
