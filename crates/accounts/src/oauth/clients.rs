//! Clients: programs that registered themselves (RFC 7591), and those the operator named.

use std::net::IpAddr;

use redb::{ReadableTable, ReadableTableMetadata, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::{OAuthSettings, RedirectUri};
use crate::{
    AccessError, Clock,
    database::{AccountsFile, CLIENTS, UNUSED_CLIENTS, decode_record, encode_record},
    secret::new_secret,
    throttle::Throttle,
};

/// A client that was never granted anything is forgotten after so long.
const UNUSED_CLIENT_LIFETIME_S: i64 = 24 * 3600;
/// Clients that were never granted anything, at most.
const MAX_UNUSED_CLIENTS: u64 = 10_000;
/// One that registered so lately is in use, perhaps: it does not give way to others.
const RECENT_REGISTRATION_S: i64 = 600;
/// Redirect URIs of a client, and their bytes together.
pub const MAX_REDIRECT_URIS: usize = 10;
const MAX_URI_BYTES: usize = 4096;
/// Characters of a name.
const MAX_NAME_CHARS: usize = 100;

/// A program that may ask people for access.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OAuthClient {
    /// Its id.
    pub id: String,
    /// What it calls itself; anybody can call themselves anything.
    pub name: String,
    /// Where it may be answered.
    pub redirect_uris: Vec<RedirectUri>,
}

impl OAuthClient {
    /// A client as people see it: its name is made fit to be shown.
    pub fn new(id: &str, name: &str, redirect_uris: Vec<RedirectUri>) -> Self {
        Self { id: id.to_owned(), name: sanitize_name(name), redirect_uris }
    }

    /// Whether it may be answered there.
    pub fn has_redirect_uri(&self, requested: &RedirectUri) -> bool {
        self.redirect_uris.iter().any(|own| own.matches_request(requested))
    }
}

/// How a registration ended.
#[derive(Debug)]
pub enum Registration {
    /// Well.
    Done {
        /// The client.
        client: OAuthClient,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// No redirect URI is one that may be registered.
    NoRedirectUri,
    /// There were too many.
    TooMany {
        /// Seconds until the next is let in.
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
    pub(crate) file: &'a AccountsFile,
    pub(crate) settings: &'a OAuthSettings,
    pub(crate) throttle: &'a Throttle,
    pub(crate) clock: &'a Clock,
}

impl RegisteredClients<'_> {
    /// Registers a client under the redirect URIs among those given that may be registered: one that may
    /// not does not spoil the others.
    pub fn register_client(
        &self,
        name: &str,
        redirect_uris: &[&str],
        address: IpAddr,
    ) -> Result<Registration, AccessError> {
        if let Err(retry_after_s) = self.throttle.admit_client(address) {
            return Ok(Registration::TooMany { retry_after_s });
        }
        let redirect_uris = parse_redirect_uris(redirect_uris);
        if redirect_uris.is_empty() {
            return Ok(Registration::NoRedirectUri);
        }
        let id = new_secret()?;
        let at = self.clock.unix_seconds();
        let name = sanitize_name(name);
        let stored = StoredClient { name, redirect_uris, created: at };
        let has_room = self.file.write_transaction(|txn| {
            if !evict_unused_clients(txn, at, MAX_UNUSED_CLIENTS)? {
                return Ok(false);
            }
            txn.open_table(CLIENTS)?.insert(id.as_str(), encode_record(&stored).as_slice())?;
            txn.open_table(UNUSED_CLIENTS)?.insert((at, id.as_str()), ())?;
            Ok(true)
        })?;
        if !has_room {
            return Ok(Registration::TooMany {
                retry_after_s: RECENT_REGISTRATION_S.unsigned_abs(),
            });
        }
        Ok(Registration::Done { client: stored.into_client(id), at })
    }

    /// A client by its id: one that registered, or one the operator named.
    pub fn find_client(&self, id: &str) -> Result<Option<OAuthClient>, AccessError> {
        if let Some(client) = self.settings.clients.iter().find(|client| client.id == id) {
            return Ok(Some(client.clone()));
        }
        let table = self.file.begin_read()?.open_table(CLIENTS)?;
        let Some(value) = table.get(id)? else { return Ok(None) };
        let stored: StoredClient = decode_record("client", value.value())?;
        Ok(Some(stored.into_client(id.to_owned())))
    }
}

impl StoredClient {
    fn into_client(self, id: String) -> OAuthClient {
        OAuthClient { id, name: self.name, redirect_uris: self.redirect_uris }
    }
}

/// The redirect URIs among those given that may be registered, as many as a client may have.
pub fn parse_redirect_uris(given: &[impl AsRef<str>]) -> Vec<RedirectUri> {
    let mut bytes = 0;
    let good = given.iter().filter_map(|text| RedirectUri::parse(text.as_ref()));
    let fits = |uri: &RedirectUri| {
        bytes += uri.as_str().len();
        bytes <= MAX_URI_BYTES
    };
    good.take(MAX_REDIRECT_URIS).take_while(fits).collect()
}

/// Notes that a client was granted something, where it is one that registered: it is kept from now on, for
/// programs keep their id for ever.
pub(super) fn note_granted(txn: &WriteTransaction, id: &str) -> Result<(), AccessError> {
    let clients = txn.open_table(CLIENTS)?;
    let stored =
        clients.get(id)?.map(|value| decode_record::<StoredClient>("client", value.value()));
    if let Some(StoredClient { created, .. }) = stored.transpose()? {
        txn.open_table(UNUSED_CLIENTS)?.remove((created, id))?;
    }
    Ok(())
}

/// Forgets clients that were never granted anything: the old ones, and where there are too many the
/// oldest. Whether there is room for one more then.
pub(super) fn evict_unused_clients(
    txn: &WriteTransaction,
    now: i64,
    most: u64,
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
        let (age, is_full) = (now - created, count >= most);
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

/// A name fit to be shown: no control characters, nothing unseen, an end.
fn sanitize_name(name: &str) -> String {
    let visible: String = name.chars().filter(|c| !is_invisible(*c)).take(MAX_NAME_CHARS).collect();
    let visible = visible.split_whitespace().collect::<Vec<_>>().join(" ");
    match visible.chars().any(char::is_alphanumeric) {
        true => visible,
        false => "A program without a name".to_owned(),
    }
}

/// Characters that turn the direction of a text around or are not seen.
fn is_invisible(c: char) -> bool {
    let unseen = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
    );
    unseen || (c.is_control() && !c.is_whitespace())
}
