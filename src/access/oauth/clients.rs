//! Clients: programs that registered themselves (RFC 7591), and those the operator named.

use std::net::IpAddr;

use redb::{ReadableTable, Table};
use serde::{Deserialize, Serialize};

use super::RedirectUri;
use crate::access::{
    Access, AccessError,
    database::{CLIENTS, decode, encode},
    secret::new_secret,
};

/// A client that was never granted anything is forgotten after so long.
const UNUSED_LIFE_S: i64 = 24 * 3600;
/// Clients that were never granted anything, at most.
const MOST_UNUSED: usize = 5000;
/// One that registered so lately is in use, perhaps: it does not give way to others.
const FRESH_S: i64 = 600;
/// Redirect URIs of a client.
const MOST_URIS: usize = 10;
/// Characters of a name.
const MOST_NAME_CHARS: usize = 100;

/// A program that may ask people for access.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Its id.
    pub id: String,
    /// What it calls itself; anybody can call themselves anything.
    pub name: String,
    /// Where it may be answered.
    pub redirect_uris: Vec<RedirectUri>,
}

impl Client {
    /// A client as people see it: its name is made fit to be shown.
    pub fn new(id: &str, name: &str, redirect_uris: Vec<RedirectUri>) -> Self {
        Self { id: id.to_owned(), name: shown_name(name), redirect_uris }
    }

    /// Whether it may be answered there.
    pub fn may_be_answered_at(&self, asked: &RedirectUri) -> bool {
        self.redirect_uris.iter().any(|own| own.allows(asked))
    }
}

/// How a registration ended.
#[derive(Debug)]
pub enum Registration {
    /// Well.
    Done {
        /// The client.
        client: Client,
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
pub(super) struct StoredClient {
    name: String,
    redirect_uris: Vec<RedirectUri>,
    created: i64,
    /// Whether a person ever granted it anything; then it is kept, for clients keep their id for ever.
    pub(super) granted: bool,
}

impl Access {
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
        let good = redirect_uris.iter().filter_map(|text| RedirectUri::parse(text));
        let redirect_uris: Vec<RedirectUri> = good.take(MOST_URIS).collect();
        if redirect_uris.is_empty() {
            return Ok(Registration::NoRedirectUri);
        }
        let id = new_secret()?;
        let at = self.clock.seconds();
        let name = shown_name(name);
        let stored = StoredClient { name, redirect_uris, created: at, granted: false };
        let has_room = self.file.change(|txn| {
            let mut clients = txn.open_table(CLIENTS)?;
            if !make_room(&mut clients, at)? {
                return Ok(false);
            }
            clients.insert(id.as_str(), encode(&stored).as_slice())?;
            Ok(true)
        })?;
        if !has_room {
            return Ok(Registration::TooMany { retry_after_s: FRESH_S.unsigned_abs() });
        }
        Ok(Registration::Done { client: stored.into_client(id), at })
    }

    /// A client by its id: one that registered, or one the operator named.
    pub fn client(&self, id: &str) -> Result<Option<Client>, AccessError> {
        if let Some(client) = self.oauth.clients.iter().find(|client| client.id == id) {
            return Ok(Some(client.clone()));
        }
        let table = self.file.read()?.open_table(CLIENTS)?;
        let Some(value) = table.get(id)? else { return Ok(None) };
        let stored: StoredClient = decode("client", value.value())?;
        Ok(Some(stored.into_client(id.to_owned())))
    }
}

impl StoredClient {
    fn into_client(self, id: String) -> Client {
        Client { id, name: self.name, redirect_uris: self.redirect_uris }
    }
}

/// Notes that a client was granted something, where it is one that registered.
pub(super) fn note_granted(
    clients: &mut Table<'_, &'static str, &'static [u8]>,
    id: &str,
) -> Result<(), AccessError> {
    let stored = clients.get(id)?.map(|value| decode::<StoredClient>("client", value.value()));
    if let Some(stored) = stored.transpose()?.filter(|stored| !stored.granted) {
        let stored = StoredClient { granted: true, ..stored };
        clients.insert(id, encode(&stored).as_slice())?;
    }
    Ok(())
}

/// Forgets clients that were never granted anything: the old ones, and where there are too many the
/// oldest. Whether there is room for one more then.
fn make_room(
    clients: &mut Table<'_, &'static str, &'static [u8]>,
    now: i64,
) -> Result<bool, AccessError> {
    let mut unused = Vec::new();
    for entry in clients.iter()? {
        let (id, value) = entry?;
        let stored: StoredClient = decode("client", value.value())?;
        if !stored.granted {
            unused.push((stored.created, id.value().to_owned()));
        }
    }
    unused.sort_unstable();
    let over = (unused.len() + 1).saturating_sub(MOST_UNUSED);
    for (at, (created, id)) in unused.iter().enumerate() {
        let age = now - created;
        if age >= UNUSED_LIFE_S || (at < over && age >= FRESH_S) {
            clients.remove(id.as_str())?;
        } else if at < over {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A name fit to be shown: no control characters, no end.
fn shown_name(name: &str) -> String {
    let shown: String = name.chars().filter(|c| !is_unfit(*c)).take(MOST_NAME_CHARS).collect();
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    if shown.is_empty() { "A program without a name".to_owned() } else { shown }
}

/// Characters that turn the direction of a text around or are not seen.
fn is_unfit(c: char) -> bool {
    let turns =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    (c.is_control() && !c.is_whitespace()) || turns || c == '\u{feff}'
}
