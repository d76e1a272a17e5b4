//! A client of a real server over one persistent connection, which trusts the server's authority and no
//! other.

use std::{fs, path::Path, sync::Arc};

use serde_json::Value;
use ureq::{
    Agent,
    tls::{PemItem, RootCerts, TlsConfig, parse_pem},
};

use crate::server::RunningServer;

/// A client with a key.
pub(crate) struct BenchClient {
    agent: Agent,
    base_url: String,
    /// The header: `Bearer` and the key.
    authorization: String,
}

impl BenchClient {
    pub(crate) fn new(server: &RunningServer, key: &str) -> Self {
        let (base_url, authorization) = (server.base_url.clone(), format!("Bearer {key}"));
        Self { agent: build_agent(server), base_url, authorization }
    }

    /// The answer to a GET, or to a POST where there is a body.
    pub(crate) fn ask(&self, target: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.send_request(target, body);
        assert!(status < 400, "{target}: {status} {answer:#}");
        answer
    }

    /// The same, with the status, which may be a refusal.
    pub(crate) fn send_request(&self, target: &str, body: Option<&Value>) -> (u16, Value) {
        let url = format!("{}{target}", self.base_url);
        let answer = match body {
            None => self.agent.get(url).header("authorization", &self.authorization).call(),
            Some(body) => self
                .agent
                .post(url)
                .header("authorization", &self.authorization)
                .header("accept", "application/json, text/event-stream")
                .send_json(body),
        };
        let answer = answer.unwrap_or_else(|error| panic!("{target}: {error}"));
        (answer.status().as_u16(), answer.into_body().read_json().expect("JSON"))
    }
}

fn build_agent(server: &RunningServer) -> Agent {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let authority: &Path = server.authority.as_deref().expect("TLS");
    let pem = fs::read(authority).expect("readable");
    let certificates = parse_pem(&pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let roots = RootCerts::Specific(Arc::new(certificates.collect()));
    let tls = TlsConfig::builder().root_certs(roots).build();
    Agent::config_builder().tls_config(tls).http_status_as_error(false).build().into()
}
