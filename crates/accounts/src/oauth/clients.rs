//! Clients: programs that registered themselves (RFC 7591), and those that the operator configured.
//!
//! Nothing is stored of a registration: the id of a client contains what the client said, under a code that only this
//! installation can make (RFC 7591, appendix A.5.2). So no flood of registrations fills a table, and none has to be
//! slowed down, which would lock out everybody behind the same address.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::{OAuthSettings, RedirectUri};
use crate::{
    AccessError, Clock,
    database::{AccountsDatabase, CLIENTS, SECRETS, decode_record, encode_record},
    secret::{new_secret, random_bytes},
};

/// Prefix of the ids of registered clients.
const ID_PREFIX: &str = "registered-";
/// The row with the secret under which ids are made.
const ID_SECRET: &str = "oauth client ids";
/// Bytes of the code at the beginning of an id: 128 bits, which nobody guesses over a network.
const CODE_BYTES: usize = 16;
/// Random bytes that make each id another one.
const ID_RANDOM_BYTES: usize = 8;
/// Redirect URIs of a client.
pub const MAX_REDIRECT_URIS: usize = 10;
/// Bytes of all redirect URIs of a client together. They are in its id, which is sent in the query of a request, and
/// a request may have 16 KiB before its body.
const MAX_ALL_URIS_BYTES: usize = 4096;
/// Characters of a client's name, which is in its id and on the consent page.
const MAX_NAME_CHARS: usize = 100;

/// A program that may ask people for access.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OAuthClient {
    /// Its id.
    pub id: String,
    /// The name it gave itself; not verified.
    pub name: String,
    /// Where authorization responses may be sent.
    pub redirect_uris: Vec<RedirectUri>,
}

impl OAuthClient {
    /// A client whose name is sanitized for display.
    pub fn new(id: &str, name: &str, redirect_uris: Vec<RedirectUri>) -> Self {
        Self { id: id.to_owned(), name: sanitize_name(name), redirect_uris }
    }

    /// Whether a request may name this redirect URI.
    pub fn has_redirect_uri(&self, requested: &RedirectUri) -> bool {
        self.redirect_uris.iter().any(|own| own.matches_request(requested))
    }
}

/// The outcome of a registration.
#[derive(Debug)]
pub enum RegistrationOutcome {
    /// The client is registered.
    Registered {
        /// The client.
        client: OAuthClient,
        /// When it registered, in seconds since 1970.
        registered_at_s: i64,
    },
    /// None of the redirect URIs may be registered.
    NoRedirectUri,
}

/// The content of the id of a client; clients of version 0.1 are stored in this form.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredClient {
    name: String,
    redirect_uris: Vec<RedirectUri>,
    created: i64,
}

/// The clients of this installation.
#[derive(Clone, Copy)]
pub struct RegisteredClients<'a> {
    pub(crate) database: &'a AccountsDatabase,
    pub(crate) settings: &'a OAuthSettings,
    pub(crate) clock: &'a Clock,
}

impl RegisteredClients<'_> {
    /// Registers a client with those of the given redirect URIs that may be registered; the others are
    /// ignored.
    pub fn register_client(
        &self,
        name: &str,
        redirect_uris: &[&str],
    ) -> Result<RegistrationOutcome, AccessError> {
        let redirect_uris = parse_redirect_uris(redirect_uris);
        if redirect_uris.is_empty() {
            return Ok(RegistrationOutcome::NoRedirectUri);
        }
        let registered_at_s = self.clock.unix_seconds();
        let name = sanitize_name(name);
        let stored = StoredClient { name, redirect_uris, created: registered_at_s };
        let id = encode_id(&stored, &self.id_secret()?)?;
        Ok(RegistrationOutcome::Registered { client: stored.into_client(id), registered_at_s })
    }

    /// A client by its id: one that registered, or one that the operator configured.
    pub fn find_client(&self, id: &str) -> Result<Option<OAuthClient>, AccessError> {
        if let Some(client) = self.settings.clients.iter().find(|client| client.id == id) {
            return Ok(Some(client.clone()));
        }
        let stored = match id.strip_prefix(ID_PREFIX) {
            Some(rest) => decode_id(rest, &self.id_secret()?),
            None => match self.database.begin_read()?.open_table(CLIENTS)?.get(id)? {
                Some(value) => Some(decode_record("client", value.value())?),
                None => None,
            },
        };
        Ok(stored.map(|stored| stored.into_client(id.to_owned())))
    }

    /// The secret under which ids are made; generated when it is first needed.
    fn id_secret(&self) -> Result<String, AccessError> {
        if let Some(secret) = self.database.begin_read()?.open_table(SECRETS)?.get(ID_SECRET)? {
            return Ok(secret.value().to_owned());
        }
        let fresh = new_secret()?;
        self.database.write_transaction(|txn| {
            let mut secrets = txn.open_table(SECRETS)?;
            // Another request may have come between.
            if let Some(secret) = secrets.get(ID_SECRET)? {
                return Ok(secret.value().to_owned());
            }
            secrets.insert(ID_SECRET, fresh.as_str())?;
            Ok(fresh.clone())
        })
    }
}

/// The id of a client: a code, random bytes that make it unique, and what is known of the client.
fn encode_id(client: &StoredClient, secret: &str) -> Result<String, AccessError> {
    let mut content = random_bytes::<ID_RANDOM_BYTES>()?.to_vec();
    content.extend(encode_record(client));
    let mut hmac = id_hmac(secret);
    hmac.update(&content);
    let code = hmac.finalize().into_bytes();
    let mut bytes = code.iter().copied().take(CODE_BYTES).collect::<Vec<u8>>();
    bytes.extend(content);
    Ok(format!("{ID_PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes)))
}

/// The content of an id after its prefix; `None` for an id that this installation did not make.
fn decode_id(rest: &str, secret: &str) -> Option<StoredClient> {
    let bytes = URL_SAFE_NO_PAD.decode(rest).ok()?;
    let (code, content) = bytes.split_first_chunk::<CODE_BYTES>()?;
    let mut hmac = id_hmac(secret);
    hmac.update(content);
    hmac.verify_truncated_left(code).ok()?;
    let (_, record) = content.split_first_chunk::<ID_RANDOM_BYTES>()?;
    decode_record("client", record).ok()
}

/// Makes the codes of ids: HMAC-SHA-256, cut to [`CODE_BYTES`] (RFC 2104, section 5).
fn id_hmac(secret: &str) -> Hmac<Sha256> {
    Hmac::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length")
}

impl StoredClient {
    fn into_client(self, id: String) -> OAuthClient {
        OAuthClient { id, name: self.name, redirect_uris: self.redirect_uris }
    }
}

/// Those of the given redirect URIs that may be registered, up to the limits of a client.
pub fn parse_redirect_uris(given: &[impl AsRef<str>]) -> Vec<RedirectUri> {
    let mut bytes = 0;
    let valid = given.iter().filter_map(|text| RedirectUri::parse(text.as_ref()));
    let fits = |uri: &RedirectUri| {
        bytes += uri.as_str().len();
        bytes <= MAX_ALL_URIS_BYTES
    };
    valid.take(MAX_REDIRECT_URIS).take_while(fits).collect()
}

/// A displayable name: no control or invisible characters, at most `MAX_NAME_CHARS`.
fn sanitize_name(name: &str) -> String {
    let visible: String = name.chars().filter(|c| !is_invisible(*c)).take(MAX_NAME_CHARS).collect();
    let visible = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    if visible.chars().any(char::is_alphanumeric) {
        visible
    } else {
        "A program without a name".to_owned()
    }
}

/// Bidirectional controls and invisible characters.
fn is_invisible(c: char) -> bool {
    let is_format_or_filler = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    is_format_or_filler || (c.is_control() && !c.is_whitespace())
}
