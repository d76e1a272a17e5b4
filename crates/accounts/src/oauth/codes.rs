//! Authorization codes: what a person allowed, until the client fetches its tokens.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use redb::ReadableTable;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{
    Scope, Tokens,
    clients::note_granted,
    grants::{Grant, TokenRefusal, insert_grant},
};
use crate::{
    Access, AccessError,
    database::{CODES, GRANTS, decode, encode},
    secret::{hash_of, new_secret},
};

/// A code is used within so long.
const LIFE_S: i64 = 60;
/// So long it is known that a code was used: who sends it again has stolen it, or was robbed of it.
const REMEMBERED_S: i64 = 3600;

/// What a person allowed a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Id of the client.
    pub client: String,
    /// What it calls itself.
    pub client_name: String,
    /// Where it was answered, exactly as it asked.
    pub redirect_uri: String,
    /// Its PKCE challenge, S256.
    pub challenge: String,
    /// What it may do.
    pub scope: Scope,
    /// The resource that its tokens are for.
    pub resource: String,
}

/// A code that a client sends to get its tokens.
#[derive(Debug, Clone, Copy)]
pub struct CodeUse<'a> {
    /// The code.
    pub code: &'a str,
    /// Id of the client that sends it.
    pub client: &'a str,
    /// Where it says it was answered; OAuth 2.1 wants that no more, for there is the verifier.
    pub redirect_uri: Option<&'a str>,
    /// Its PKCE verifier.
    pub verifier: &'a str,
    /// The resource of this server.
    pub resource: &'a str,
}

#[derive(Serialize, Deserialize)]
struct StoredCode {
    asked: Asked,
    account: u32,
    created: i64,
    state: CodeState,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
enum CodeState {
    Fresh,
    /// Someone tried to use it who could not.
    Spoilt,
    /// Handle of the grant that came of it.
    Used(String),
}

impl Access {
    /// The code by which a client gets what `account` allowed it.
    pub fn allow_client(&self, account: u32, asked: Asked) -> Result<String, AccessError> {
        let code = new_secret()?;
        let now = self.clock.seconds();
        let stored = StoredCode { asked, account, created: now, state: CodeState::Fresh };
        self.file.change(|txn| {
            let mut codes = txn.open_table(CODES)?;
            codes.retain(|_, value| {
                decode::<StoredCode>("code", value)
                    .is_ok_and(|old| now - old.created < REMEMBERED_S)
            })?;
            codes.insert(&hash_of(&code), encode(&stored).as_slice())?;
            Ok(())
        })?;
        Ok(code)
    }

    /// Gives a client the tokens that a code is for. A code is good once: a second use ends what came
    /// of the first, and a wrong one spoils it.
    pub fn use_code(
        &self,
        sent: &CodeUse<'_>,
    ) -> Result<Result<Tokens, TokenRefusal>, AccessError> {
        let now = self.clock.seconds();
        let hash = hash_of(sent.code);
        let unknown = Ok(Err(TokenRefusal::InvalidGrant("The code is unknown.")));
        // A guess must not cost a write, for which those who are charged wait.
        if self.file.read()?.open_table(CODES)?.get(&hash)?.is_none() {
            return unknown;
        }
        let fresh = self.fresh_tokens()?;
        self.file.change(|txn| {
            let mut codes = txn.open_table(CODES)?;
            let stored = codes.get(&hash)?.map(|value| decode::<StoredCode>("code", value.value()));
            let Some(mut stored) = stored.transpose()? else {
                return unknown;
            };
            let mut grants = txn.open_table(GRANTS)?;
            let refused = match &stored.state {
                CodeState::Used(handle) => {
                    let ended = grants.remove(handle.as_str())?.is_some();
                    tracing::warn!(account = stored.account, ended, "a code was sent again");
                    Some(TokenRefusal::InvalidGrant("The code was used before."))
                }
                CodeState::Spoilt => Some(TokenRefusal::InvalidGrant("The code is void.")),
                CodeState::Fresh if now - stored.created >= LIFE_S => {
                    Some(TokenRefusal::InvalidGrant("The code is too old."))
                }
                CodeState::Fresh => stored.refusal(sent),
            };
            let outcome = match refused {
                Some(refusal) => {
                    if stored.state == CodeState::Fresh {
                        stored.state = CodeState::Spoilt;
                    }
                    Err(refusal)
                }
                None => {
                    let grant = Grant::new(stored.account, &stored.asked, now);
                    let issued = insert_grant(txn, &mut grants, grant, &fresh, now)?;
                    stored.state = CodeState::Used(fresh.handle.clone());
                    if issued.is_ok() {
                        note_granted(txn, &stored.asked.client)?;
                    }
                    issued
                }
            };
            codes.insert(&hash, encode(&stored).as_slice())?;
            Ok(outcome)
        })
    }
}

impl StoredCode {
    /// What is wrong with a use of it, if anything.
    fn refusal(&self, sent: &CodeUse<'_>) -> Option<TokenRefusal> {
        let Asked { client, redirect_uri, challenge, resource, .. } = &self.asked;
        let invalid = |what| Some(TokenRefusal::InvalidGrant(what));
        if client != sent.client {
            return invalid("The code was given to another client.");
        }
        if sent.redirect_uri.is_some_and(|sent| sent != redirect_uri) {
            return invalid("redirect_uri is not the one the code was sent to.");
        }
        if !is_verifier(sent.verifier) || *challenge != challenge_of(sent.verifier) {
            return invalid("code_verifier does not fit the challenge.");
        }
        if resource != sent.resource {
            return invalid("The code is for this server under another address.");
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
