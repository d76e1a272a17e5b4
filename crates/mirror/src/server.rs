//! The file server: listings and files over HTTP, rate-limited and bounded.
//!
//! Redirects are followed only to hosts that the operator named; interrupted downloads resume; listings are
//! cached and fetched again only if they changed.

mod response;

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use ipnet::IpNet;
use ureq::{
    Agent, Body,
    http::{Response, StatusCode, header},
    tls::{RootCerts, TlsConfig},
    unversioned::transport::DefaultConnector,
};
use url::{Host, Url};

use super::{
    error::MirrorError,
    guard::{GuardedResolver, load_root_certificates},
    listing::{self, ListingEntry},
    mirror_file::MirrorFile,
};
use response::{
    asks_to_wait, cache_validators, check_status, is_continuation_at, is_redirect, request_failure,
    retry_after,
};

/// Maximum number of redirects that are followed: a server that redirects to itself must not hold the fetch.
const MAX_REDIRECTS: usize = 5;
/// Attempts to download a file that arrives incomplete. Each resumes the previous one, so a large file over a bad line
/// may need several; a server that never sends the whole file ends the fetch.
const MAX_ATTEMPTS: usize = 3;
/// Maximum size of the page of a listing: it is read into memory, from a server that is not trusted.
const MAX_LISTING_BYTES: u64 = 32 << 20;
/// How long a cached listing is used without a new request. The documents of a meeting are fetched one after the other,
/// and each looks into the same folders; a longer time would hide files that are added during a meeting.
const LISTING_LIFETIME: Duration = Duration::from_secs(300);
/// Maximum number of cached listings; if there are more, all are dropped. A walk over the server would keep every
/// folder in memory.
const MAX_LISTINGS: usize = 500;
/// The longest `Retry-After` that is honoured: the thread sleeps meanwhile, and the caller of a fetch may wait for it.
const MAX_RETRY_WAIT: Duration = Duration::from_secs(30);

/// Settings of a file server.
#[derive(Debug, Clone)]
pub struct FileServerSettings {
    /// Hosts besides the source's own that it may redirect to.
    pub hosts: Vec<String>,
    /// Private networks to which connections are allowed; all other addresses that are not public are rejected.
    pub networks: Vec<IpNet>,
    /// Maximum rate of requests.
    pub requests_per_second: f64,
    /// The largest file that is fetched, in bytes.
    pub max_bytes: u64,
    /// Timeout of a download.
    pub timeout: Duration,
    /// File with the root certificates.
    pub authorities: PathBuf,
}

/// A file server.
#[derive(Debug)]
pub struct FileServer {
    root: Url,
    settings: FileServerSettings,
    agent: Agent,
    /// When the next request may be sent.
    next_request_at: Mutex<Instant>,
    listings: Mutex<HashMap<String, CachedListing>>,
}

/// A cached listing with its validators.
#[derive(Debug, Clone)]
struct CachedListing {
    entries: Vec<ListingEntry>,
    read_at: Instant,
    etag: Option<String>,
    last_modified: Option<String>,
}

impl FileServer {
    /// A server whose files are below a URL.
    pub fn new(source: &str, settings: FileServerSettings) -> io::Result<Self> {
        let wrong = |reason: &str| io::Error::other(format!("'{source}' {reason}"));
        let mut root = Url::parse(source).map_err(|_| wrong("is not a URL"))?;
        if !matches!(root.scheme(), "https" | "http") || root.host_str().is_none() {
            return Err(wrong("is not a URL that begins with https://"));
        }
        if !root.path().ends_with('/') {
            root.set_path(&format!("{}/", root.path()));
        }
        // An address or `localhost` in the configuration is deliberate, so it is not checked.
        let trusted = match root.host() {
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => root.host_str().map(str::to_owned),
            Some(Host::Domain("localhost")) => Some("localhost".to_owned()),
            _ => None,
        };
        let roots = if root.scheme() == "https" {
            load_root_certificates(&settings.authorities).map_err(|error| {
                let file = settings.authorities.display();
                io::Error::other(format!("cannot read the authorities in {file}: {error}"))
            })?
        } else {
            RootCerts::Specific(std::sync::Arc::new(Vec::new()))
        };
        let config = Agent::config_builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .proxy(None)
            .timeout_global(Some(settings.timeout))
            .timeout_connect(Some(settings.timeout.min(Duration::from_secs(15))))
            .user_agent(concat!("specbox/", env!("CARGO_PKG_VERSION")))
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .build();
        let resolver = GuardedResolver::new(settings.networks.clone(), trusted);
        let agent = Agent::with_parts(config, DefaultConnector::default(), resolver);
        let (next, listings) = (Mutex::new(Instant::now()), Mutex::default());
        Ok(Self { root, settings, agent, next_request_at: next, listings })
    }

    pub(super) fn name(&self) -> String {
        self.root.to_string()
    }

    /// The address of a file or folder.
    fn build_url(&self, path: &str, is_folder: bool) -> Result<Url, MirrorError> {
        let mut url = self.root.clone();
        let failed = || MirrorError::NotFound { path: path.to_owned() };
        {
            let mut parts = url.path_segments_mut().map_err(|()| failed())?;
            parts.pop_if_empty();
            for part in path.split('/').filter(|part| !part.is_empty()) {
                if part == "." || part == ".." {
                    return Err(failed());
                }
                // Writes `#` as %23.
                parts.push(part);
            }
            if is_folder {
                parts.push("");
            }
        }
        Ok(url)
    }

    /// The entries of a folder.
    pub(super) fn list_folder(&self, path: &str) -> Result<Vec<ListingEntry>, MirrorError> {
        let known = self.lock_listings().get(path).cloned();
        if let Some(known) =
            known.as_ref().filter(|known| known.read_at.elapsed() < LISTING_LIFETIME)
        {
            return Ok(known.entries.clone());
        }
        let mut headers = Vec::new();
        if let Some(known) = &known {
            headers.extend(known.etag.as_ref().map(|tag| (header::IF_NONE_MATCH, tag.clone())));
            headers.extend(
                known.last_modified.as_ref().map(|date| (header::IF_MODIFIED_SINCE, date.clone())),
            );
        }
        let (mut response, url) = self.send_request(self.build_url(path, true)?, path, &headers)?;
        if response.status() == StatusCode::NOT_MODIFIED
            && let Some(known) = known
        {
            let entries = known.entries.clone();
            self.cache_listing(path, CachedListing { read_at: Instant::now(), ..known });
            return Ok(entries);
        }
        check_status(&response, path)?;
        let (tag, date) = cache_validators(response.headers());
        let body = response.body_mut().with_config().limit(MAX_LISTING_BYTES).lossy_utf8(true);
        let page = body.read_to_string().map_err(|error| request_failure(path, &error))?;
        let entries = listing::parse_listing(&page, &url);
        self.cache_listing(
            path,
            CachedListing {
                entries: entries.clone(),
                read_at: Instant::now(),
                etag: tag,
                last_modified: date,
            },
        );
        Ok(entries)
    }

    fn lock_listings(&self) -> MutexGuard<'_, HashMap<String, CachedListing>> {
        self.listings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cache_listing(&self, path: &str, listing: CachedListing) {
        let mut listings = self.lock_listings();
        if listings.len() >= MAX_LISTINGS {
            listings.clear();
        }
        listings.insert(path.to_owned(), listing);
    }

    /// Fetches a file into a folder.
    pub(super) fn fetch_file(&self, path: &str, folder: &Path) -> Result<MirrorFile, MirrorError> {
        let url = self.build_url(path, false)?;
        let origin = url.to_string();
        let name = path.rsplit('/').next().unwrap_or(path);
        let plain = name.replace(|c: char| c.is_control() || matches!(c, '/' | '\\'), "_");
        if plain.is_empty() || plain.starts_with('.') {
            return Err(MirrorError::NotFound { path: path.to_owned() });
        }
        fs::create_dir_all(folder)?;
        let (target, part) = (folder.join(&plain), folder.join(format!("{plain}.part")));
        let mut last_error = None;
        for _ in 0..MAX_ATTEMPTS {
            match self.download_rest(&url, path, &part) {
                Ok(()) => {
                    fs::rename(&part, &target)?;
                    let _ = fs::remove_file(etag_file(&part));
                    return Ok(MirrorFile { path: target, is_copy: true, origin });
                }
                // The next attempt resumes an incomplete download.
                Err(error @ MirrorError::Failed { .. }) => last_error = Some(error),
                Err(error) => {
                    let _ = fs::remove_file(&part);
                    let _ = fs::remove_file(etag_file(&part));
                    return Err(error);
                }
            }
        }
        Err(last_error.unwrap_or_else(|| MirrorError::NotFound { path: path.to_owned() }))
    }

    /// Downloads what is missing of a file into `part`.
    fn download_rest(&self, url: &Url, path: &str, part: &Path) -> Result<(), MirrorError> {
        let limit = self.settings.max_bytes;
        let too_large = || MirrorError::TooLarge { path: path.to_owned(), limit };
        let tag = fs::read_to_string(etag_file(part)).ok();
        let present = tag.as_ref().and_then(|_| fs::metadata(part).ok());
        let present_bytes = present.map_or(0, |part| part.len());
        let mut headers = Vec::new();
        if let Some(tag) = tag
            && present_bytes > 0
        {
            headers.push((header::RANGE, format!("bytes={present_bytes}-")));
            headers.push((header::IF_RANGE, tag));
        }
        let (response, _) = self.send_request(url.clone(), path, &headers)?;
        let resumes = response.status() == StatusCode::PARTIAL_CONTENT && present_bytes > 0;
        let is_other_part = resumes && !is_continuation_at(&response, present_bytes);
        if is_other_part || response.status() == StatusCode::RANGE_NOT_SATISFIABLE {
            fs::remove_file(part)?;
            return Err(request_failure(path, &"the partial download does not match the file"));
        }
        if !resumes {
            check_status(&response, path)?;
        }
        let start = if resumes { present_bytes } else { 0 };
        let announced = response
            .headers()
            .get(header::CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length.saturating_add(start) > limit) {
            return Err(too_large());
        }
        let (tag, date) = cache_validators(response.headers());
        let mut file = if resumes {
            OpenOptions::new().append(true).open(part)?
        } else {
            // The old bytes must not be taken for a part of the file with the new tag.
            let _ = fs::remove_file(etag_file(part));
            let file = File::create(part)?;
            if let Some(validator) = tag.filter(|tag| !tag.starts_with("W/")).or(date) {
                fs::write(etag_file(part), validator)?;
            }
            file
        };
        // One byte more than allowed shows that the file is too large: the announced length may be missing or wrong.
        let max_body = limit.saturating_sub(start).saturating_add(1);
        let mut body = response.into_body().into_reader().take(max_body);
        let copied =
            io::copy(&mut body, &mut file).map_err(|error| request_failure(path, &error))?;
        file.flush()?;
        if start + copied > limit {
            return Err(too_large());
        }
        if announced.is_some_and(|length| length != copied) {
            return Err(request_failure(path, &"the response is incomplete"));
        }
        file.sync_all()?;
        Ok(())
    }

    /// Sends a request and follows redirects. Returns also the final URL.
    fn send_request(
        &self,
        mut url: Url,
        path: &str,
        headers: &[(header::HeaderName, String)],
    ) -> Result<(Response<Body>, Url), MirrorError> {
        let mut waited = false;
        for _ in 0..=MAX_REDIRECTS {
            self.check_url(&url)?;
            self.wait_for_turn();
            let mut request = self.agent.get(url.as_str());
            for (name, value) in headers {
                request = request.header(name, value);
            }
            let response = request.call().map_err(|error| request_failure(path, &error))?;
            let status = response.status();
            let retry_wait = asks_to_wait(status).then(|| retry_after(response.headers()));
            if let Some(retry_wait) = retry_wait.flatten()
                && !waited
            {
                waited = true;
                thread::sleep(retry_wait.min(MAX_RETRY_WAIT));
                continue;
            }
            if !is_redirect(status) {
                return Ok((response, url));
            }
            let location = response.headers().get(header::LOCATION);
            let location = location.and_then(|value| value.to_str().ok());
            let next = location.and_then(|location| url.join(location).ok());
            url = next.ok_or_else(|| request_failure(path, &"the redirect has no target"))?;
        }
        Err(request_failure(path, &"too many redirects"))
    }

    /// Checks that a URL may be requested: a redirect must not reach hosts that the operator did not name.
    fn check_url(&self, url: &Url) -> Result<(), MirrorError> {
        let host = url.host_str().unwrap_or_default();
        let is_root = url.host_str() == self.root.host_str()
            && url.port_or_known_default() == self.root.port_or_known_default();
        let named = match url.port() {
            None => host.to_owned(),
            Some(port) => format!("{host}:{port}"),
        };
        let is_named = self.settings.hosts.iter().any(|known| known.eq_ignore_ascii_case(&named));
        // An encrypted server must not redirect to one that is not.
        let is_safe = url.scheme() == "https" || url.scheme() == self.root.scheme();
        let is_plain = url.username().is_empty() && url.password().is_none();
        if is_plain && is_safe && (is_root || is_named) {
            return Ok(());
        }
        Err(MirrorError::ForbiddenHost { host: format!("{}://{named}", url.scheme()) })
    }

    /// Waits until the next request may be sent.
    fn wait_for_turn(&self) {
        let now = Instant::now();
        thread::sleep(self.reserve_turn(now).saturating_duration_since(now));
    }

    /// Reserves the next moment at which a request may be sent, spaced by the configured rate.
    fn reserve_turn(&self, now: Instant) -> Instant {
        let spacing = Duration::from_secs_f64(1.0 / self.settings.requests_per_second.max(0.01));
        let mut next = self.next_request_at.lock().unwrap_or_else(PoisonError::into_inner);
        let reserved = (*next).max(now);
        *next = reserved + spacing;
        reserved
    }
}

/// The file with the validator of an incomplete download: its entity tag or modification date.
fn etag_file(part: &Path) -> PathBuf {
    part.with_extension("tag")
}

#[cfg(test)]
mod tests;
