//! The company's server: where its endpoints are, its keys, and requests to it.

use std::{
    collections::HashMap,
    io,
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use jsonwebtoken::jwk::Jwk;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use ureq::{Agent, Body, http::Response, tls::TlsConfig};
use url::{Host, Url, form_urlencoded::byte_serialize};

use mirror::load_root_certificates;

/// Time limit of a request: a person waits meanwhile.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The largest answer that is read: a token with hundreds of groups has tens of kilobytes.
const MAX_BYTES: u64 = 1 << 20;
/// How long endpoints and keys are kept.
const CACHE_LIFETIME: Duration = Duration::from_secs(3600);
/// Keys that do not have the one of a token are fetched again, but not more often than this: anybody can send a token.
const MIN_REFETCH_INTERVAL: Duration = Duration::from_secs(30);
/// Where an issuer describes itself (OpenID Connect Discovery 1.0, section 4).
const DISCOVERY_PATH: &str = "/.well-known/openid-configuration";

/// What an issuer says about itself.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct ProviderMetadata {
    issuer: String,
    pub(super) authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Vec<String>,
}

/// What the token endpoint answers.
#[derive(Deserialize)]
pub(super) struct TokenReply {
    pub(super) id_token: String,
    pub(super) access_token: Option<String>,
}

/// Keys of an issuer, and when they were fetched.
#[derive(Debug, Clone)]
pub(super) struct KeySet {
    pub(super) keys: Vec<Jwk>,
    fetched: Instant,
}

/// A request to the company's server failed.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// It cannot be reached.
    #[error("the company's server cannot be reached")]
    Unreachable(#[source] Box<ureq::Error>),
    /// It refused the request.
    #[error("the company's server answered {what} with status {status}{code}")]
    Refused {
        /// What was asked.
        what: &'static str,
        /// The status.
        status: u16,
        /// Its error code in parentheses, if it gave one.
        code: String,
    },
    /// Its answer has another form.
    #[error("the company's server gave an answer of another form to {what}")]
    OtherForm {
        /// What was asked.
        what: &'static str,
    },
    /// It calls itself something else.
    #[error("the company's server calls itself '{found}', not as the setting issuer says")]
    OtherIssuer {
        /// Its name.
        found: String,
    },
    /// An endpoint without HTTPS.
    #[error("'{url}' of the company's server is not an https URL")]
    PlainEndpoint {
        /// The endpoint.
        url: String,
    },
}

/// How this server identifies itself there.
pub(super) struct ClientIdentity<'a> {
    pub(super) id: &'a str,
    pub(super) secret: Option<&'a str>,
}

/// Requests to the company's server.
#[derive(Debug)]
pub(super) struct Provider {
    issuer: String,
    agent: Agent,
    metadata: Mutex<Option<(ProviderMetadata, Instant)>>,
    keys: Mutex<Option<KeySet>>,
}

impl Provider {
    pub(super) fn new(issuer: &str, authorities: &Path) -> io::Result<Self> {
        let config = Agent::config_builder()
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_global(Some(REQUEST_TIMEOUT))
            .max_idle_connections(0)
            .user_agent("specbox")
            .tls_config(
                TlsConfig::builder().root_certs(load_root_certificates(authorities)?).build(),
            );
        Ok(Self {
            issuer: issuer.to_owned(),
            agent: Agent::new_with_config(config.build()),
            metadata: Mutex::default(),
            keys: Mutex::default(),
        })
    }

    /// Where the endpoints are.
    pub(super) fn metadata(&self) -> Result<ProviderMetadata, ProviderError> {
        let cached = self.metadata.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((metadata, fetched)) = cached
            && fetched.elapsed() < CACHE_LIFETIME
        {
            return Ok(metadata);
        }
        let url = format!("{}{DISCOVERY_PATH}", self.issuer.trim_end_matches('/'));
        let metadata: ProviderMetadata = self.get(&url, None, "the request for its description")?;
        // Another issuer's tokens would be accepted otherwise (section 4.3).
        if metadata.issuer != self.issuer {
            let found = metadata.issuer.chars().take(200).collect();
            return Err(ProviderError::OtherIssuer { found });
        }
        for url in [&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.jwks_uri]
            .into_iter()
            .chain(&metadata.userinfo_endpoint)
        {
            if !is_protected(url) {
                return Err(ProviderError::PlainEndpoint { url: url.clone() });
            }
        }
        let stored = Some((metadata.clone(), Instant::now()));
        *self.metadata.lock().unwrap_or_else(PoisonError::into_inner) = stored;
        Ok(metadata)
    }

    /// The keys; `renew` asks for newer ones, because a token names a key that is not among them.
    pub(super) fn keys(&self, renew: bool) -> Result<KeySet, ProviderError> {
        let cached = self.keys.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let max_age = if renew { MIN_REFETCH_INTERVAL } else { CACHE_LIFETIME };
        if let Some(keys) = cached
            && keys.fetched.elapsed() < max_age
        {
            return Ok(keys);
        }
        #[derive(Deserialize)]
        struct PublishedKeys {
            keys: Vec<Value>,
        }
        let url = self.metadata()?.jwks_uri;
        let published: PublishedKeys = self.get(&url, None, "the request for its keys")?;
        // A key of a kind that is not known does not spoil the others.
        let keys = published.keys.into_iter().filter_map(|key| serde_json::from_value(key).ok());
        let keys = KeySet { keys: keys.collect(), fetched: Instant::now() };
        *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = Some(keys.clone());
        Ok(keys)
    }

    /// Redeems an authorization code (RFC 6749, section 4.1.3, and RFC 7636, section 4.5).
    pub(super) fn redeem_code(
        &self,
        client: &ClientIdentity<'_>,
        code: &str,
        verifier: &str,
        redirect_uri: &str,
    ) -> Result<TokenReply, ProviderError> {
        let metadata = self.metadata()?;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", redirect_uri),
            ("code_verifier", verifier),
        ];
        let request =
            self.agent.post(&metadata.token_endpoint).header("accept", "application/json");
        let methods = &metadata.token_endpoint_auth_methods_supported;
        let supports = |name: &str| methods.iter().any(|method| method == name);
        // The default of section 3 of OpenID Connect Discovery is the header.
        let in_body = !supports("client_secret_basic") && supports("client_secret_post");
        let request = match client.secret {
            Some(secret) if !in_body => {
                request.header("authorization", basic_credential(client.id, secret))
            }
            Some(secret) => {
                form.extend([("client_id", client.id), ("client_secret", secret)]);
                request
            }
            None => {
                form.push(("client_id", client.id));
                request
            }
        };
        let what = "the authorization code";
        read_reply(request.send_form(form), what)
    }

    /// What the server says about the owner of an access token; `None` if it has no endpoint for it.
    pub(super) fn person_of_token<T: DeserializeOwned>(
        &self,
        access_token: &str,
    ) -> Result<Option<T>, ProviderError> {
        let Some(url) = self.metadata()?.userinfo_endpoint else { return Ok(None) };
        self.get(&url, Some(access_token), "the request for the person").map(Some)
    }

    fn get<T: DeserializeOwned>(
        &self,
        url: &str,
        token: Option<&str>,
        what: &'static str,
    ) -> Result<T, ProviderError> {
        let mut request = self.agent.get(url).header("accept", "application/json");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        read_reply(request.call(), what)
    }
}

/// Whether nobody on the way can change what is sent to a URL: HTTPS, or a server on this machine.
pub(super) fn is_protected(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return false };
    let is_loopback = match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    url.scheme() == "https" || (url.scheme() == "http" && is_loopback)
}

/// A client's id and secret for the header (RFC 6749, section 2.3.1).
fn basic_credential(id: &str, secret: &str) -> String {
    let encode = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    format!("Basic {}", STANDARD.encode(format!("{}:{}", encode(id), encode(secret))))
}

fn read_reply<T: DeserializeOwned>(
    sent: Result<Response<Body>, ureq::Error>,
    what: &'static str,
) -> Result<T, ProviderError> {
    let mut response = sent.map_err(|error| ProviderError::Unreachable(Box::new(error)))?;
    let status = response.status().as_u16();
    let text = response.body_mut().with_config().limit(MAX_BYTES).read_to_string();
    let text = text.map_err(|error| ProviderError::Unreachable(Box::new(error)))?;
    if status != 200 {
        let fields = serde_json::from_str::<HashMap<String, Value>>(&text).unwrap_or_default();
        let code = fields.get("error").and_then(Value::as_str).unwrap_or_default();
        // Codes have letters and underscores alone; anything else stays out of the log.
        let is_code = !code.is_empty()
            && code.len() < 60
            && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        let code = if is_code { format!(" ({code})") } else { String::new() };
        return Err(ProviderError::Refused { what, status, code });
    }
    serde_json::from_str(&text).map_err(|_| ProviderError::OtherForm { what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_this_machine_are_protected() {
        for (url, protected) in [
            ("https://login.lab.example/x", true),
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true),
            ("http://localhost:8080", true),
            ("http://login.lab.example", false),
            ("http://127.0.0.1.evil.example", false),
            ("http://localhost.evil.example", false),
            ("ftp://localhost", false),
            ("login.lab.example", false),
        ] {
            assert_eq!(is_protected(url), protected, "{url}");
        }
    }

    #[test]
    fn a_credential_is_encoded_before_it_is_joined() {
        // "lab%3A1:a+b%26" in base64.
        assert_eq!(basic_credential("lab:1", "a b&"), "Basic bGFiJTNBMTphK2IlMjY=");
    }
}
