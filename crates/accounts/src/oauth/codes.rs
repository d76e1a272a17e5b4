//! Authorization codes: what a person allowed a client, until the client exchanges the code for tokens.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    OAuthSettings,
    stored_grant::{
        ClientAuthorization, FreshTokens, IssuedTokens, StoredGrant, TokenRefusal, insert_grant,
    },
};
use crate::{
    AccessError, Clock,
    clock::has_ended,
    database::{AccountsDatabase, CODES, GRANTS, decode_record, encode_record},
    secret::{hash_secret, new_secret},
};

/// A code expires after this long. A client exchanges it at once; RFC 6749 recommends at most ten minutes.
const CODE_LIFETIME_S: i64 = 60;
/// A code is stored for this long, so that a second use is recognised: one of the two users stole it.
const USED_CODE_MEMORY_S: i64 = 3600;

/// A code that a client sends to get its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CodeExchange<'a> {
    /// The code.
    pub code: &'a str,
    /// Id of the client that sends it.
    pub client: &'a str,
    /// The redirect URI it says it used; OAuth 2.1 no longer requires it, because of the verifier.
    pub redirect_uri: Option<&'a str>,
    /// Its PKCE verifier.
    pub verifier: &'a str,
    /// The resource of this server.
    pub resource: &'a str,
}

#[derive(Serialize, Deserialize)]
struct StoredCode {
    authorization: ClientAuthorization,
    account: u32,
    created: i64,
    state: CodeState,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
enum CodeState {
    Fresh,
    /// A rejected exchange made it invalid.
    Spoilt,
    /// Exchanged; the handle of the resulting grant.
    Used(String),
}

/// Authorization codes of all clients.
#[derive(Clone, Copy)]
pub struct AuthorizationCodes<'a> {
    pub(crate) database: &'a AccountsDatabase,
    pub(crate) settings: &'a OAuthSettings,
    pub(crate) clock: &'a Clock,
}

impl AuthorizationCodes<'_> {
    /// Issues the code for what `account` allowed a client.
    pub fn issue_code(
        &self,
        account: u32,
        authorization: ClientAuthorization,
    ) -> Result<String, AccessError> {
        let code = new_secret()?;
        let now = self.clock.unix_seconds();
        let stored = StoredCode { authorization, account, created: now, state: CodeState::Fresh };
        self.database.write_transaction(|txn| {
            let mut codes = txn.open_table(CODES)?;
            codes.retain(|_, value| {
                decode_record::<StoredCode>("code", value)
                    .is_ok_and(|old| !has_ended(old.created, USED_CODE_MEMORY_S, now))
            })?;
            codes.insert(&hash_secret(&code), encode_record(&stored).as_slice())?;
            Ok(())
        })?;
        Ok(code)
    }

    /// Exchanges a code for tokens. A code is valid once: a second use revokes the grant of the first, and a
    /// refused exchange makes the code invalid.
    pub fn exchange_code(
        &self,
        sent: &CodeExchange<'_>,
    ) -> Result<Result<IssuedTokens, TokenRefusal>, AccessError> {
        let now = self.clock.unix_seconds();
        let hash = hash_secret(sent.code);
        let unknown = || Ok(Err(TokenRefusal::InvalidGrant("The code is unknown.")));
        // A guess must not cost a write: charges of other requests would wait for it.
        if self.database.begin_read()?.open_table(CODES)?.get(&hash)?.is_none() {
            return unknown();
        }
        let fresh = FreshTokens::generate(self.settings.access_token_s)?;
        self.database.write_transaction(|txn| {
            let mut codes = txn.open_table(CODES)?;
            let stored =
                codes.get(&hash)?.map(|value| decode_record::<StoredCode>("code", value.value()));
            let Some(mut stored) = stored.transpose()? else {
                return unknown();
            };
            let mut grants = txn.open_table(GRANTS)?;
            let refused = match &stored.state {
                CodeState::Used(handle) => {
                    let ended = grants.remove(handle.as_str())?.is_some();
                    tracing::warn!(
                        account = stored.account,
                        ended,
                        "an authorization code was reused"
                    );
                    Some(TokenRefusal::InvalidGrant("The code was already used."))
                }
                CodeState::Spoilt => Some(TokenRefusal::InvalidGrant("The code is invalid.")),
                CodeState::Fresh if has_ended(stored.created, CODE_LIFETIME_S, now) => {
                    Some(TokenRefusal::InvalidGrant("The code has expired."))
                }
                CodeState::Fresh => stored.find_refusal(sent),
            };
            let outcome = match refused {
                Some(refusal) => {
                    if stored.state == CodeState::Fresh {
                        stored.state = CodeState::Spoilt;
                    }
                    Err(refusal)
                }
                None => {
                    let grant = StoredGrant::new(stored.account, &stored.authorization, now);
                    stored.state = CodeState::Used(fresh.handle.clone());
                    insert_grant(txn, &mut grants, grant, &fresh, now)?
                }
            };
            codes.insert(&hash, encode_record(&stored).as_slice())?;
            Ok(outcome)
        })
    }
}

impl StoredCode {
    /// Why an exchange of it is refused, if it is.
    fn find_refusal(&self, sent: &CodeExchange<'_>) -> Option<TokenRefusal> {
        let ClientAuthorization { client, redirect_uri, challenge, resource, .. } =
            &self.authorization;
        let invalid = |what| Some(TokenRefusal::InvalidGrant(what));
        if client != sent.client {
            return invalid("The code was issued to another client.");
        }
        if sent.redirect_uri.is_some_and(|sent| sent != redirect_uri) {
            return invalid("redirect_uri differs from the URI to which the code was sent.");
        }
        if !is_verifier(sent.verifier) || *challenge != challenge_of(sent.verifier) {
            return invalid("code_verifier does not match the challenge.");
        }
        if resource != sent.resource {
            return invalid("The code was issued for a different address of this server.");
        }
        None
    }
}

/// Whether a text has the form of a verifier (RFC 7636, section 4.1).
fn is_verifier(text: &str) -> bool {
    let unreserved = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    (43..=128).contains(&text.len()) && text.bytes().all(unreserved)
}

/// The S256 challenge of a verifier (RFC 7636, section 4.6).
fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}
