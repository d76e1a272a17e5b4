//! A small HTTP client for tests: every status is an answer.

use std::{path::Path, time::Duration};

use serde_json::Value;
use ureq::{
    Agent,
    http::Response,
    tls::{Certificate, RootCerts, TlsConfig, parse_pem},
};

/// Nothing that works takes this long to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(120);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    /// HTTP status.
    pub(crate) status: u16,
    /// Body as JSON; null where it is none.
    pub(crate) body: Value,
    /// Body as it came.
    pub(crate) bytes: Vec<u8>,
    /// Headers by lower-case name.
    headers: Vec<(String, String)>,
}

impl Answer {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// A client of one server with one key.
pub(crate) struct Client {
    agent: Agent,
    base_url: String,
    /// Sent as `Authorization`; none leaves the header out.
    pub(crate) authorization: Option<String>,
}

impl Client {
    /// A client with a key; `authority` is a PEM file to trust.
    pub(crate) fn new(base_url: &str, key: Option<&str>, authority: Option<&Path>) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_WITHIN))
            // A connection the server has just closed must not be used again.
            .max_idle_connections(0)
            .tls_config(trusting(authority));
        let authorization = key.map(|key| format!("Bearer {key}"));
        Self { agent: config.build().into(), base_url: base_url.to_owned(), authorization }
    }

    /// A client without a key that follows nothing by itself, as pages are tried.
    pub(crate) fn without_redirects(base_url: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(ANSWER_WITHIN))
            .max_idle_connections(0)
            .max_redirects(0)
            .max_redirects_will_error(false);
        let agent = config.build().into();
        Self { agent, base_url: base_url.to_owned(), authorization: None }
    }

    /// GET; none where there is no answer, as from a server that is not trusted.
    pub(crate) fn try_get(&self, target: &str) -> Option<u16> {
        let sent = self.agent.get(format!("{}{target}", self.base_url)).call();
        sent.ok().map(|answer| answer.status().as_u16())
    }

    /// The same client with another `Authorization`.
    pub(crate) fn with_authorization(&self, authorization: Option<&str>) -> Self {
        let authorization = authorization.map(str::to_owned);
        Self { agent: self.agent.clone(), base_url: self.base_url.clone(), authorization }
    }

    /// GET.
    pub(crate) fn get(&self, target: &str) -> Answer {
        self.send("GET", target, None, &[])
    }

    /// POST of JSON.
    pub(crate) fn post(&self, target: &str, body: &Value) -> Answer {
        self.send("POST", target, Some("application/json"), body.to_string().as_bytes())
    }

    /// Any request.
    pub(crate) fn send(
        &self,
        method: &str,
        target: &str,
        content_type: Option<&str>,
        body: &[u8],
    ) -> Answer {
        let content_type = content_type.map(|content_type| ("content-type", content_type));
        self.send_with(method, target, content_type.as_slice(), body)
    }

    /// Any request with any headers.
    pub(crate) fn send_with(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let url = format!("{}{target}", self.base_url);
        let mut request = ureq::http::Request::builder().method(method).uri(url);
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.to_vec()).expect("a request");
        let agent = &self.agent;
        let configured = agent.configure_request(request).allow_non_standard_methods(true).build();
        answer(agent.run(configured).expect("the server answers"))
    }
}

/// Trusts one authority, or none.
fn trusting(authority: Option<&Path>) -> TlsConfig {
    // One provider is in the program; a second call finds it installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let pem = authority.map(|path| std::fs::read(path).expect("the authority is there"));
    let certificates: Vec<Certificate<'static>> = parse_pem(&pem.unwrap_or_default())
        .filter_map(|item| match item.expect("PEM") {
            ureq::tls::PemItem::Certificate(certificate) => Some(certificate),
            _ => None,
        })
        .collect();
    let roots = RootCerts::new_with_certs(&certificates);
    TlsConfig::builder().root_certs(roots).build()
}

fn answer(mut response: Response<ureq::Body>) -> Answer {
    let headers = response
        .headers()
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap_or_default().to_owned()))
        .collect();
    let status = response.status().as_u16();
    let bytes = response.body_mut().with_config().limit(1 << 30).read_to_vec().expect("a body");
    Answer { status, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null), bytes, headers }
}
