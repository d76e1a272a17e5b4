//! OAuth clients that are identified by a metadata document: the client id is its URL.
//!
//! Such a document is fetched only from hosts that the operator named, over HTTPS, without redirects, from
//! public addresses: a stranger who sends a URL must not learn what this machine can reach. Disabled while
//! no host is named.

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

use accounts::{OAuthClient, parse_redirect_uris};
use mirror::{GuardedResolver, load_root_certificates};

/// Time limit for fetching a document, connecting included: a person waits for the consent page meanwhile.
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
/// The largest document that is read.
const MAX_BYTES: u64 = 64 << 10;
/// How long a document is cached if its server does not say, and at most: a client that withdraws a redirect URI must
/// not wait for days.
const DEFAULT_CACHE_LIFETIME: Duration = Duration::from_secs(300);
const MAX_CACHE_LIFETIME: Duration = Duration::from_secs(3600);
/// How long to wait before a document that could not be fetched is requested again: long enough that reloading the
/// page does not repeat a slow fetch, short enough that a corrected document is used soon.
const FAILURE_CACHE_LIFETIME: Duration = Duration::from_secs(10);
/// Documents in the cache, which is emptied when it is full: a named host may serve any number of URLs.
const MAX_CACHED_DOCUMENTS: usize = 100;

const NOT_FETCHED: &str = "Its metadata document could not be fetched.";

/// A client, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientLookup {
    /// It registered, the operator named it, or it has a valid document.
    Known(OAuthClient),
    /// It is unknown, and its id is not a URL on a host that documents may come from.
    NotAllowed,
    /// Its document could not be fetched or is invalid; a sentence for the person.
    Unusable(&'static str),
}

/// Where documents of clients may come from.
#[derive(Debug, Clone, Default)]
pub struct ClientDocumentSettings {
    /// Hosts, `name` or `name:port`. None: no document is fetched.
    pub hosts: Vec<String>,
    /// Networks of this site to which connections are allowed; other non-public addresses are blocked.
    pub networks: Vec<IpNet>,
    /// File with the certificate authorities that are trusted for these hosts.
    pub authorities: PathBuf,
}

/// Fetches documents of clients.
pub struct ClientDocuments {
    hosts: Vec<String>,
    agent: Agent,
    cache: Mutex<HashMap<String, (ClientLookup, Instant)>>,
}

impl ClientDocuments {
    /// `None` if no host is named; an error if the authorities cannot be read.
    pub fn new(settings: &ClientDocumentSettings) -> io::Result<Option<Self>> {
        if settings.hosts.is_empty() {
            return Ok(None);
        }
        let roots = load_root_certificates(&settings.authorities)?;
        let config = Agent::config_builder()
            .https_only(true)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .timeout_global(Some(FETCH_TIMEOUT))
            .max_idle_connections(0)
            .user_agent("specbox")
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        let resolver = GuardedResolver::new(settings.networks.clone(), None);
        Ok(Some(Self {
            hosts: settings.hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            cache: Mutex::default(),
        }))
    }

    /// Whether an id may be the URL of a client's document.
    pub fn is_document_url(&self, id: &str) -> bool {
        self.document_url(id).is_some()
    }

    /// The client with this id, from the cache or its document. Blocks while the document is fetched.
    pub fn fetch_client(&self, id: &str) -> ClientLookup {
        let Some(url) = self.document_url(id) else { return ClientLookup::NotAllowed };
        if let Some((lookup, until)) = self.lock_cache().get(id).cloned()
            && Instant::now() < until
        {
            return lookup;
        }
        let (lookup, lifetime) = match self.fetch_document(&url, id) {
            Ok((client, lifetime)) => (ClientLookup::Known(client), lifetime),
            Err(reason) => (ClientLookup::Unusable(reason), FAILURE_CACHE_LIFETIME),
        };
        let mut cache = self.lock_cache();
        if cache.len() >= MAX_CACHED_DOCUMENTS {
            cache.clear();
        }
        cache.insert(id.to_owned(), (lookup.clone(), Instant::now() + lifetime));
        lookup
    }

    fn fetch_document(&self, url: &Url, id: &str) -> Result<(OAuthClient, Duration), &'static str> {
        let sent = self.agent.get(url.as_str()).header("accept", "application/json").call();
        let response = sent.map_err(|error| {
            tracing::warn!(%error, "a client metadata document could not be fetched");
            NOT_FETCHED
        })?;
        let lifetime = cache_lifetime(response.headers());
        Ok((parse_document(response, id)?, lifetime))
    }

    fn lock_cache(&self) -> MutexGuard<'_, HashMap<String, (ClientLookup, Instant)>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An id as the URL of a document on one of the named hosts.
    fn document_url(&self, id: &str) -> Option<Url> {
        let url = Url::parse(id).ok()?;
        let host = url.host_str()?;
        let host_and_port = match url.port() {
            None => host.to_owned(),
            Some(port) => format!("{host}:{port}"),
        };
        let is_plain = url.scheme() == "https"
            && url.path().len() > 1
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            // One spelling: an id is compared letter by letter.
            && url.as_str() == id;
        (is_plain && self.hosts.contains(&host_and_port)).then_some(url)
    }
}

/// The fields of a document that are used.
#[derive(Deserialize)]
struct ClientMetadataDocument {
    client_id: String,
    #[serde(default)]
    client_name: String,
    redirect_uris: Vec<String>,
    token_endpoint_auth_method: Option<String>,
}

fn parse_document(
    mut response: Response<ureq::Body>,
    id: &str,
) -> Result<OAuthClient, &'static str> {
    if response.status() != 200 {
        return Err(NOT_FETCHED);
    }
    let text = response.body_mut().with_config().limit(MAX_BYTES).read_to_string();
    let text = text.map_err(|_| "Its metadata document is too large or is not text.")?;
    let document: ClientMetadataDocument = serde_json::from_str(&text)
        .map_err(|_| "Its metadata document does not describe a client.")?;
    if document.client_id != id {
        return Err("Its metadata document describes another client.");
    }
    if document.token_endpoint_auth_method.is_some_and(|method| method != "none") {
        return Err("Its metadata document requires a secret, which this server does not support.");
    }
    let redirect_uris = parse_redirect_uris(&document.redirect_uris);
    if redirect_uris.is_empty() {
        return Err("Its metadata document has no usable redirect URI.");
    }
    Ok(OAuthClient::new(id, &document.client_name, redirect_uris))
}

/// How long a document is cached: as its server says, within bounds.
fn cache_lifetime(headers: &HeaderMap) -> Duration {
    let cache_control = headers.get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
    let Some(cache_control) = cache_control else { return DEFAULT_CACHE_LIFETIME };
    let directives = cache_control.split(',').map(str::trim);
    let mut lifetime = DEFAULT_CACHE_LIFETIME;
    for directive in directives {
        if directive.eq_ignore_ascii_case("no-store") || directive.eq_ignore_ascii_case("no-cache")
        {
            return Duration::ZERO;
        }
        if let Some(seconds) = directive.strip_prefix("max-age=").and_then(|n| n.parse().ok()) {
            lifetime = Duration::from_secs(seconds);
        }
    }
    lifetime.min(MAX_CACHE_LIFETIME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_cached_as_long_as_its_server_says_within_bounds() {
        for (cache_control, seconds) in [
            (None, 300),
            (Some("max-age=60"), 60),
            (Some("public, max-age=86400"), 3600),
            (Some("max-age=60, no-store"), 0),
            (Some("No-Cache"), 0),
            (Some("max-age=-1"), 300),
            (Some("max-age=99999999999999999999"), 300),
        ] {
            let header = cache_control.map(|cache_control| {
                (header::CACHE_CONTROL, cache_control.parse().expect("a value"))
            });
            let headers: HeaderMap = header.into_iter().collect();
            assert_eq!(cache_lifetime(&headers), Duration::from_secs(seconds), "{cache_control:?}");
        }
    }

    #[test]
    fn only_urls_of_named_hosts_are_ids() {
        let documents = ClientDocuments {
            hosts: vec!["clients.example".to_owned(), "lab.example:8443".to_owned()],
            agent: Agent::new_with_defaults(),
            cache: Mutex::default(),
        };
        for (id, allowed) in [
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
            assert_eq!(documents.is_document_url(id), allowed, "{id}");
        }
    }
}
