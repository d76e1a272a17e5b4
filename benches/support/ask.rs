//! One client with a kept connection that asks a real server, trusting its authority and no other.

use std::{fs, path::Path, sync::Arc};

use serde_json::Value;
use ureq::{
    Agent,
    tls::{PemItem, RootCerts, TlsConfig, parse_pem},
};

use crate::server::RunningServer;

/// A client with a key.
pub(crate) struct Asker {
    agent: Agent,
    base_url: String,
    key: String,
}

impl Asker {
    pub(crate) fn new(server: &RunningServer, key: &str) -> Self {
        let (base_url, key) = (server.base_url.clone(), format!("Bearer {key}"));
        Self { agent: agent(server), base_url, key }
    }

    /// The answer to a GET, or to a POST where there is a body.
    pub(crate) fn ask(&self, target: &str, body: Option<&Value>) -> Value {
        let (status, answer) = self.status(target, body);
        assert!(status < 400, "{target}: {status} {answer:#}");
        answer
    }

    /// The same, with the status, which may be a refusal.
    pub(crate) fn status(&self, target: &str, body: Option<&Value>) -> (u16, Value) {
        let url = format!("{}{target}", self.base_url);
        let answer = match body {
            None => self.agent.get(url).header("authorization", &self.key).call(),
            Some(body) => self
                .agent
                .post(url)
                .header("authorization", &self.key)
                .header("accept", "application/json, text/event-stream")
                .send_json(body),
        };
        let answer = answer.unwrap_or_else(|error| panic!("{target}: {error}"));
        (answer.status().as_u16(), answer.into_body().read_json().expect("JSON"))
    }
}

/// The median of how long answers took.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn agent(server: &RunningServer) -> Agent {
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
