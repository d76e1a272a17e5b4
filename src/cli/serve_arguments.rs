//! Arguments of `serve`, which `demo` has too.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use ipnet::IpNet;

use super::pack_arguments::TrustArgs;

/// How the server is reached; each can be set in specbox.toml too.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ServeArgs {
    /// Address to listen on [default: 127.0.0.1:8443]
    #[arg(long, env = "SPECBOX_LISTEN", value_name = "ADDRESS")]
    pub(super) listen: Option<SocketAddr>,
    /// URL that clients use to reach the server
    #[arg(long, env = "SPECBOX_BASE_URL", value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Source of the certificate [default: auto]
    #[arg(long, env = "SPECBOX_TLS", value_name = "MODE")]
    pub(super) tls: Option<TlsChoice>,
    /// Certificate chain (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE", value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Private key (PEM) for --tls cert
    #[arg(long, env = "SPECBOX_CERTIFICATE_KEY", value_name = "FILE")]
    pub(super) certificate_key: Option<PathBuf>,
    /// Trusted proxy, by address or network; its X-Forwarded-For gives the client address; may be repeated
    #[arg(long, env = "SPECBOX_TRUSTED_PROXY", value_name = "NET", value_delimiter = ',')]
    pub(super) trusted_proxy: Vec<IpNet>,
    /// Address for /metrics, /livez and /readyz, plain HTTP [default: none]
    #[arg(long, env = "SPECBOX_OPERATOR_LISTEN", value_name = "ADDRESS")]
    pub(super) operator_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(super) replica: ReplicaArgs,
}

/// What a replica follows.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct ReplicaArgs {
    /// Follow the backups or bundles in this folder or object storage: the index matches the newest one and cannot be changed
    /// in any other way
    #[arg(long, env = "SPECBOX_REPLICA_OF", value_name = "SRC")]
    pub(super) replica_of: Option<String>,
    /// Seconds between checks for a newer backup or bundle
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(super) replica_interval: u64,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// Where the certificate comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TlsChoice {
    /// Create a lab authority and a certificate in the data folder
    Auto,
    /// Use PEM files
    Cert,
    /// Serve plain HTTP on loopback, behind a proxy
    OffBehindProxy,
}
