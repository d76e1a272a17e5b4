//! Clients: programs that registered themselves (RFC 7591), and those that the operator configured.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{OAuthSettings, RedirectUri};
use crate::{
    AccessError, Clock,
    database::{
        AccountsChange, AccountsDatabase, CLIENTS, UNUSED_CLIENTS, decode_record, encode_record,
    },
    secret::new_secret,
    throttle::Throttle,
};

/// A client that was never granted anything is forgotten after this long.
const UNUSED_CLIENT_LIFETIME_S: i64 = 24 * 3600;
/// Clients that were never granted anything, at most.
const MAX_UNUSED_CLIENTS: u64 = 10_000;
/// A client that registered this recently may be about to be used: it is not evicted.
const RECENT_REGISTRATION_S: i64 = 600;
/// Redirect URIs of a client.
pub const MAX_REDIRECT_URIS: usize = 10;
/// Bytes of all redirect URIs of a client together.
const MAX_ALL_URIS_BYTES: usize = 4096;
/// Characters of a client's name.
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
    /// There were too many registrations.
    TooMany {
        /// Seconds after which the client may try again.
        retry_after_s: u64,
    },
}

/// What is stored of a client.
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
    pub(crate) throttle: &'a Throttle,
    pub(crate) clock: &'a Clock,
}

impl RegisteredClients<'_> {
    /// Registers a client with those of the given redirect URIs that may be registered; the others are
    /// ignored.
    pub fn register_client(
        &self,
        name: &str,
        redirect_uris: &[&str],
        address: IpAddr,
    ) -> Result<RegistrationOutcome, AccessError> {
        if let Err(retry_after_s) = self.throttle.admit_client(address) {
            return Ok(RegistrationOutcome::TooMany { retry_after_s });
        }
        let redirect_uris = parse_redirect_uris(redirect_uris);
        if redirect_uris.is_empty() {
            return Ok(RegistrationOutcome::NoRedirectUri);
        }
        let id = new_secret()?;
        let registered_at_s = self.clock.unix_seconds();
        let name = sanitize_name(name);
        let stored = StoredClient { name, redirect_uris, created: registered_at_s };
        let has_room = self.database.write_transaction(|txn| {
            if !evict_unused_clients(txn, registered_at_s, MAX_UNUSED_CLIENTS)? {
                return Ok(false);
            }
            txn.open_table(CLIENTS)?.insert(id.as_str(), encode_record(&stored).as_slice())?;
            txn.open_table(UNUSED_CLIENTS)?.insert((registered_at_s, id.as_str()), ())?;
            Ok(true)
        })?;
        if !has_room {
            return Ok(RegistrationOutcome::TooMany {
                retry_after_s: RECENT_REGISTRATION_S.unsigned_abs(),
            });
        }
        Ok(RegistrationOutcome::Registered { client: stored.into_client(id), registered_at_s })
    }

    /// A client by its id: one that registered, or one that the operator configured.
    pub fn find_client(&self, id: &str) -> Result<Option<OAuthClient>, AccessError> {
        if let Some(client) = self.settings.clients.iter().find(|client| client.id == id) {
            return Ok(Some(client.clone()));
        }
        let value = self.database.begin_read()?.open_table(CLIENTS)?.get(id)?;
        let Some(value) = value else { return Ok(None) };
        let stored: StoredClient = decode_record("client", value.value())?;
        Ok(Some(stored.into_client(id.to_owned())))
    }
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

/// Marks a registered client as granted, so that it is never evicted: programs keep their id for ever.
pub(super) fn mark_client_granted(txn: &AccountsChange<'_>, id: &str) -> Result<(), AccessError> {
    let clients = txn.open_table(CLIENTS)?;
    let stored =
        clients.get(id)?.map(|value| decode_record::<StoredClient>("client", value.value()));
    if let Some(StoredClient { created, .. }) = stored.transpose()? {
        txn.open_table(UNUSED_CLIENTS)?.remove((created, id))?;
    }
    Ok(())
}

/// Forgets clients that were never granted anything: old ones, and the oldest where there are `max_unused`
/// or more. Returns whether there is room for one more.
pub(super) fn evict_unused_clients(
    txn: &AccountsChange<'_>,
    now: i64,
    max_unused: u64,
) -> Result<bool, AccessError> {
    let mut unused = txn.open_table(UNUSED_CLIENTS)?;
    let mut clients = txn.open_table(CLIENTS)?;
    loop {
        let count = unused.len()?;
        let Some((created, id)) = unused.first()?.map(|(key, _)| {
            let (created, id) = key.value();
            (created, id.to_owned())
        }) else {
            return Ok(true);
        };
        let (age, is_full) = (now - created, count >= max_unused);
        if age < UNUSED_CLIENT_LIFETIME_S && !is_full {
            return Ok(true);
        }
        if age < RECENT_REGISTRATION_S {
            return Ok(false);
        }
        unused.remove((created, id.as_str()))?;
        clients.remove(id.as_str())?;
    }
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
