//! ID tokens: verified as OpenID Connect Core 1.0, section 3.1.3.7 says, before a word of them is believed.

use jsonwebtoken::{
    DecodingKey, Validation, decode, decode_header,
    jwk::{Jwk, PublicKeyUse},
};

use super::{
    claims::Claims,
    signatures::{ACCEPTED, install_provider},
};

/// How far clocks may differ, in seconds.
const LEEWAY_S: u64 = 60;
/// Characters of a subject (OpenID Connect Core 1.0, section 2).
const MAX_SUBJECT_CHARS: usize = 255;

/// What an ID token must say.
pub(super) struct Expectation<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
}

/// Why an ID token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IdTokenFault {
    /// It is no token of a kind that is accepted.
    #[error("it is not a token with an accepted signature algorithm")]
    Malformed,
    /// None of the server's keys is for it.
    #[error("none of the server's keys is for it")]
    UnknownKey,
    /// Its signature is wrong, it has expired, or it is from or for someone else.
    #[error("its signature, issuer, audience or time is wrong")]
    Invalid,
    /// It belongs to another attempt to sign in.
    #[error("its nonce is that of another attempt")]
    WrongNonce,
}

/// The claims of a token that meets an expectation.
pub(super) fn verify_id_token(
    token: &str,
    keys: &[Jwk],
    expected: &Expectation<'_>,
) -> Result<Claims, IdTokenFault> {
    install_provider();
    let header = decode_header(token).map_err(|_| IdTokenFault::Malformed)?;
    if !ACCEPTED.contains(&header.alg) {
        return Err(IdTokenFault::Malformed);
    }
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY_S;
    validation.validate_nbf = true;
    validation.set_issuer(&[expected.issuer]);
    validation.set_audience(&[expected.client_id]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let candidates = keys.iter().filter(|key| is_candidate(key, header.kid.as_deref()));
    let mut fault = IdTokenFault::UnknownKey;
    for key in candidates {
        let Ok(key) = DecodingKey::from_jwk(key) else { continue };
        match decode::<Claims>(token, &key, &validation) {
            Ok(token) => return check_claims(token.claims, expected),
            Err(_) => fault = IdTokenFault::Invalid,
        }
    }
    Err(fault)
}

/// Whether a key may have signed a token that names this key, or none.
fn is_candidate(key: &Jwk, key_id: Option<&str>) -> bool {
    let is_for_signatures =
        key.common.public_key_use.as_ref().is_none_or(|of| *of == PublicKeyUse::Signature);
    is_for_signatures && key_id.is_none_or(|id| key.common.key_id.as_deref() == Some(id))
}

fn check_claims(claims: Claims, expected: &Expectation<'_>) -> Result<Claims, IdTokenFault> {
    let is_for_others = claims.aud.clone().into_vec().len() > 1;
    let is_ours = match claims.azp.as_deref() {
        Some(party) => party == expected.client_id,
        // A token for several clients says which of them it was issued to.
        None => !is_for_others,
    };
    let has_subject = !claims.sub.is_empty() && claims.sub.chars().count() <= MAX_SUBJECT_CHARS;
    if !is_ours || !has_subject {
        return Err(IdTokenFault::Invalid);
    }
    if claims.nonce.as_deref() != Some(expected.nonce) {
        return Err(IdTokenFault::WrongNonce);
    }
    Ok(claims)
}

#[cfg(test)]
mod tests;
