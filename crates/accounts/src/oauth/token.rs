//! The forms of codes and tokens.
//!
//! A token is `at-` or `rt-`, the handle of its grant, and a secret: the grant is found without a table
//! of tokens, and a token that is no longer valid still identifies its grant.

use crate::{
    AccessError,
    secret::{SecretHash, encode_hex, hash_secret, new_secret},
};

/// Hexadecimal digits of a handle; 128 random bits.
const HANDLE_CHARS: usize = 32;
/// Prefix of an access token.
const ACCESS: &str = "at-";
/// Prefix of a refresh token.
const REFRESH: &str = "rt-";

/// The random name of a grant; part of its tokens and shown nowhere else.
pub(super) fn new_handle() -> Result<String, AccessError> {
    let mut secret = new_secret()?;
    secret.truncate(HANDLE_CHARS);
    Ok(secret)
}

pub(super) fn format_access_token(handle: &str, secret: &str) -> String {
    format!("{ACCESS}{handle}{secret}")
}

pub(super) fn format_refresh_token(handle: &str, secret: &str) -> String {
    format!("{REFRESH}{handle}{secret}")
}

/// A token as it was sent.
pub(super) struct ParsedToken<'a> {
    /// The handle of its grant.
    pub(super) handle: &'a str,
    /// Whether it is an access token; otherwise it is a refresh token.
    pub(super) is_access: bool,
    /// Hash of the whole token.
    pub(super) hash: SecretHash,
}

/// Parses a token; `None` if it is malformed.
pub(super) fn parse_token(token: &str) -> Option<ParsedToken<'_>> {
    let is_access = token.starts_with(ACCESS);
    let rest = token.strip_prefix(ACCESS).or_else(|| token.strip_prefix(REFRESH))?;
    let handle = rest.get(..HANDLE_CHARS)?;
    handle.bytes().all(|b| b.is_ascii_hexdigit()).then(|| ParsedToken {
        handle,
        is_access,
        hash: hash_secret(token),
    })
}

/// A secret derived from a used token and a random salt: a client that has the token gets the same answer again, and
/// what is stored is not enough to derive it.
pub(super) fn derive_secret(what: &str, token: &str, salt: &str) -> String {
    encode_hex(&hash_secret(&format!("{what} {salt} {token}")))
}
