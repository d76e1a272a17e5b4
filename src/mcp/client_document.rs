//! Clients that are known by a document of theirs: the id is its URL.
//!
//! Such a document is fetched from hosts that the operator named, over HTTPS, without redirects, from
//! public addresses only: a stranger who names a URL must not learn what this machine can reach. Off
//! while no host is named.

use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ipnet::IpNet;
use serde::Deserialize;
use ureq::{
    Agent,
    http::{HeaderMap, Response, header},
    tls::TlsConfig,
    unversioned::transport::DefaultConnector,
};
use url::Url;

use super::clients::FoundClient;
use accounts::{Client, registrable};
use mirror::{Guarded, authorities};

/// A document comes within so long, its connection included.
const WITHIN: Duration = Duration::from_secs(5);
/// The largest that is read.
const MAX_BYTES: u64 = 64 << 10;
/// How long one is believed, where its server says something else or nothing.
const KEPT: Duration = Duration::from_secs(300);
const KEPT_AT_MOST: Duration = Duration::from_secs(3600);
/// How long one that could not be had is not asked for again.
const REFUSED_FOR: Duration = Duration::from_secs(10);
/// Documents that are kept.
const MOST_KEPT: usize = 100;

const NOT_FETCHED: &str = "Its document could not be fetched.";

/// Where documents of clients may come from.
#[derive(Debug, Clone, Default)]
pub struct DocumentSettings {
    /// Hosts, `name` or `name:port`. None: no document is fetched.
    pub hosts: Vec<String>,
    /// Networks of this site that may be asked; other addresses that are not public are not.
    pub networks: Vec<IpNet>,
    /// File with the authorities by which their certificates are judged.
    pub authorities: PathBuf,
}

/// Fetches documents of clients.
pub struct ClientDocuments {
    hosts: Vec<String>,
    agent: Agent,
    kept: Mutex<HashMap<String, (FoundClient, Instant)>>,
}

impl ClientDocuments {
    /// None where no host is named; an error where the authorities cannot be read.
    pub fn new(settings: &DocumentSettings) -> io::Result<Option<Self>> {
        if settings.hosts.is_empty() {
            return Ok(None);
        }
        let roots = authorities(&settings.authorities)?;
        let config = Agent::config_builder()
            .https_only(true)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .timeout_global(Some(WITHIN))
            .max_idle_connections(0)
            .user_agent("specbox")
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        let resolver = Guarded::new(settings.networks.clone(), None);
        Ok(Some(Self {
            hosts: settings.hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            kept: Mutex::default(),
        }))
    }

    /// Whether an id may be that of a client with a document.
    pub fn may_be(&self, id: &str) -> bool {
        self.url_of(id).is_some()
    }

    /// The client with this id. Waits for its document.
    pub fn client(&self, id: &str) -> FoundClient {
        let Some(url) = self.url_of(id) else { return FoundClient::NotAllowed };
        if let Some((found, until)) = self.kept().get(id).cloned()
            && Instant::now() < until
        {
            return found;
        }
        let (found, kept_for) = match self.fetch(&url, id) {
            Ok((client, kept_for)) => (FoundClient::Known(client), kept_for),
            Err(said) => (FoundClient::Unusable(said), REFUSED_FOR),
        };
        let mut kept = self.kept();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(id.to_owned(), (found.clone(), Instant::now() + kept_for));
        found
    }

    fn fetch(&self, url: &Url, id: &str) -> Result<(Client, Duration), &'static str> {
        let sent = self.agent.get(url.as_str()).header("accept", "application/json").call();
        let response = sent.map_err(|error| {
            tracing::warn!(%error, "the document of a client did not come");
            NOT_FETCHED
        })?;
        let kept_for = kept_for(response.headers());
        Ok((read(response, id)?, kept_for))
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, (FoundClient, Instant)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An id as the URL of a document on a host that may be asked.
    fn url_of(&self, id: &str) -> Option<Url> {
        let url = Url::parse(id).ok()?;
        let host = url.host_str()?;
        let named = match url.port() {
            None => host.to_owned(),
            Some(port) => format!("{host}:{port}"),
        };
        let plain = url.scheme() == "https"
            && url.path().len() > 1
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            // One spelling: an id is compared letter by letter.
            && url.as_str() == id;
        (plain && self.hosts.contains(&named)).then_some(url)
    }
}

/// What is read of a document.
#[derive(Deserialize)]
struct Document {
    client_id: String,
    #[serde(default)]
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
}

fn read(mut response: Response<ureq::Body>, id: &str) -> Result<Client, &'static str> {
    if response.status() != 200 {
        return Err(NOT_FETCHED);
    }
    let text = response.body_mut().with_config().limit(MAX_BYTES).read_to_string();
    let text = text.map_err(|_| "Its document is too large, or no text.")?;
    let document: Document =
        serde_json::from_str(&text).map_err(|_| "Its document does not describe a client.")?;
    if document.client_id != id {
        return Err("Its document is that of another client.");
    }
    if document.token_endpoint_auth_method.is_some_and(|method| method != "none") {
        return Err("Its document wants a secret, which this server does not use.");
    }
    let redirect_uris = registrable(&document.redirect_uris);
    if redirect_uris.is_empty() {
        return Err("Its document names no redirect URI that may be used.");
    }
    Ok(Client::new(id, &document.client_name, redirect_uris))
}

/// How long a document is believed: as its server says, within bounds.
fn kept_for(headers: &HeaderMap) -> Duration {
    let said = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
    let Some(said) = said else { return KEPT };
    let directives = said.split(',').map(str::trim);
    let mut age = KEPT;
    for directive in directives {
        if directive.eq_ignore_ascii_case("no-store") || directive.eq_ignore_ascii_case("no-cache")
        {
            return Duration::ZERO;
        }
        if let Some(seconds) = directive.strip_prefix("max-age=").and_then(|n| n.parse().ok()) {
            age = Duration::from_secs(seconds);
        }
    }
    age.min(KEPT_AT_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_believed_as_long_as_its_server_says_within_bounds() {
        for (said, seconds) in [
            (None, 300),
            (Some("max-age=60"), 60),
            (Some("public, max-age=86400"), 3600),
            (Some("max-age=60, no-store"), 0),
            (Some("No-Cache"), 0),
            (Some("max-age=-1"), 300),
            (Some("max-age=99999999999999999999"), 300),
        ] {
            let header = said.map(|said| (header::CACHE_CONTROL, said.parse().expect("a value")));
            let headers: HeaderMap = header.into_iter().collect();
            assert_eq!(kept_for(&headers), Duration::from_secs(seconds), "{said:?}");
        }
    }

    #[test]
    fn only_urls_of_named_hosts_are_ids() {
        let documents = ClientDocuments {
            hosts: vec!["clients.example".to_owned(), "lab.example:8443".to_owned()],
            agent: Agent::new_with_defaults(),
            kept: Mutex::default(),
        };
        for (id, may) in [
            ("https://clients.example/app.json", true),
            ("https://lab.example:8443/app", true),
            ("https://lab.example/app", false),
            ("https://clients.example:444/app.json", false),
            ("https://clients.example/", false),
            ("https://clients.example", false),
            ("http://clients.example/app.json", false),
            ("https://a@clients.example/app.json", false),
            ("https://clients.example/app.json#x", false),
            ("https://clients.example/a/../app.json", false),
            ("https://CLIENTS.example/app.json", false),
            ("https://clients.example.evil.example/app.json", false),
            ("clients.example/app.json", false),
        ] {
            assert_eq!(documents.may_be(id), may, "{id}");
        }
    }
}
