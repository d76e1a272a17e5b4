//! Clients that are known by a document of theirs: the id is its URL.
//!
//! Such a document is fetched from hosts that the operator named, over HTTPS, without redirects, from
//! public addresses only: a stranger who names a URL must not learn what this machine can reach. Off
//! while no host is named.

use std::{
    collections::HashMap,
    fmt, io,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use ipnet::IpNet;
use serde::Deserialize;
use ureq::{
    Agent,
    config::Config,
    http::{HeaderMap, Response, Uri, header},
    tls::{PemItem, RootCerts, TlsConfig, parse_pem},
    unversioned::{
        resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
        transport::{DefaultConnector, NextTimeout},
    },
};
use url::Url;

use super::clients::FoundClient;
use crate::access::{Client, registrable};

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
        let pem = std::fs::read(&settings.authorities)?;
        let roots = parse_pem(&pem).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            Ok(_) | Err(_) => None,
        });
        let roots: Vec<_> = roots.collect();
        if roots.is_empty() {
            return Err(io::Error::other("there is no certificate in it"));
        }
        let roots = RootCerts::Specific(Arc::new(roots));
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
        let resolver =
            Guarded { networks: settings.networks.clone(), resolver: DefaultResolver::default() };
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

/// Looks names up, and leaves out the addresses that may not be asked: the connection goes to one that
/// was judged here, whatever the name says a moment later.
struct Guarded {
    networks: Vec<IpNet>,
    resolver: DefaultResolver,
}

impl fmt::Debug for Guarded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guarded").field("networks", &self.networks).finish_non_exhaustive()
    }
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.resolver.resolve(uri, config, timeout)?;
        let mut allowed = self.empty();
        for address in found.iter().filter(|address| self.allows(address)) {
            allowed.push(*address);
        }
        if allowed.is_empty() { Err(ureq::Error::HostNotFound) } else { Ok(allowed) }
    }
}

impl Guarded {
    fn allows(&self, address: &SocketAddr) -> bool {
        let address = address.ip().to_canonical();
        self.networks.iter().any(|net| net.contains(&address)) || is_public(address)
    }
}

/// Networks that are nobody's on the internet (IANA's special-purpose registries), and those in which
/// an address of version 4 is hidden.
static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let networks = [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    ];
    networks.iter().map(|net| net.parse().expect("a network")).collect()
});

fn is_public(address: IpAddr) -> bool {
    let global = match address {
        IpAddr::V4(_) => true,
        // Of version 6 only this part is given out.
        IpAddr::V6(address) => is_unicast(address),
    };
    global && !NOT_PUBLIC.iter().any(|net| net.contains(&address))
}

/// 2000::/3.
fn is_unicast(address: Ipv6Addr) -> bool {
    address.segments()[0] >> 13 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_asked() {
        for (address, public) in [
            ("93.184.215.14", true),
            ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", true),
            ("127.0.0.1", false),
            ("127.8.9.1", false),
            ("0.0.0.0", false),
            ("10.1.2.3", false),
            ("172.31.255.255", false),
            ("192.168.1.1", false),
            ("169.254.169.254", false),
            ("100.64.0.1", false),
            ("224.0.0.1", false),
            ("255.255.255.255", false),
            ("::1", false),
            ("::", false),
            ("fe80::1", false),
            ("fc00::1", false),
            ("ff02::1", false),
            ("64:ff9b::7f00:1", false),
            ("2002:7f00:1::", false),
            ("2001:db8::1", false),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_public(address.to_canonical()), public, "{address}");
        }
        let mapped: IpAddr = "::ffff:127.0.0.1".parse().expect("an address");
        assert!(!is_public(mapped.to_canonical()));
    }

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
