//! The sections `[server]` and `[images]`: how clients reach the server, and its limits on
//! connections and pictures.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
};

use anyhow::{Result, bail};
use ipnet::IpNet;
use serde::Deserialize;

use super::hosts::{check_origins, host_of};
use crate::{
    cli::serve_arguments::{ServeArgs, TlsChoice},
    http::{ConnectionLimits, EdgeSettings, HttpServerSettings, ImageLimits, TlsMode},
};
use store::DataFolder;

/// The address to listen on if none is configured: others can reach the server only once that is wanted.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8443);

/// The section `[server]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ServerSection {
    pub(super) listen: Option<SocketAddr>,
    pub(super) base_url: Option<String>,
    tls: Option<TlsChoice>,
    certificate: Option<PathBuf>,
    certificate_key: Option<PathBuf>,
    names: Vec<String>,
    pub(super) trusted_proxies: Option<Vec<IpNet>>,
    operator_listen: Option<SocketAddr>,
    cors_origins: Vec<String>,
    max_connections: Option<usize>,
    max_connections_of_address: Option<usize>,
}

/// The section `[images]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ImagesSection {
    pub(super) per_second: Option<u32>,
    pub(super) burst: Option<u32>,
    pub(super) at_once: Option<u32>,
}

impl ServerSection {
    /// The settings of the server: those of the flags, else those of the section.
    pub(super) fn to_settings(
        &self,
        images: &ImagesSection,
        args: &ServeArgs,
        folder: &DataFolder,
    ) -> Result<HttpServerSettings> {
        let base_url = args.base_url.clone().or_else(|| self.base_url.clone());
        if let Some(url) = base_url.as_deref().filter(|url| host_of(Some(url)).is_none()) {
            bail!("'{url}' is not a URL such as https://specbox.example:8443");
        }
        let tls = match args.tls.or(self.tls).unwrap_or(TlsChoice::Auto) {
            TlsChoice::Auto => TlsMode::Auto {
                folder: folder.tls_folder(),
                names: self.names.iter().cloned().chain(host_of(base_url.as_deref())).collect(),
            },
            TlsChoice::OffBehindProxy => TlsMode::OffBehindProxy,
            TlsChoice::Cert => {
                let certificate = args.certificate.clone().or_else(|| self.certificate.clone());
                let key = args.certificate_key.clone().or_else(|| self.certificate_key.clone());
                match (certificate, key) {
                    (Some(certificate), Some(key)) => TlsMode::Files { certificate, key },
                    _ => bail!("--tls cert needs --certificate and --certificate-key"),
                }
            }
        };
        let listen = args.listen.or(self.listen).unwrap_or(DEFAULT_LISTEN);
        let edge = self.edge_settings(images, &tls, args)?;
        let default = ConnectionLimits::default();
        let connections = ConnectionLimits {
            total: self.max_connections.unwrap_or(default.total),
            per_address: self.max_connections_of_address.unwrap_or(default.per_address),
        };
        let operator = args.operator_listen.or(self.operator_listen);
        Ok(HttpServerSettings { listen, tls, base_url, edge, connections, operator })
    }

    fn edge_settings(
        &self,
        images: &ImagesSection,
        tls: &TlsMode,
        args: &ServeArgs,
    ) -> Result<EdgeSettings> {
        // Plain HTTP is served on loopback, to a proxy on this machine, which is trusted by default.
        let proxies = match tls {
            TlsMode::OffBehindProxy => {
                vec![
                    IpAddr::from(Ipv4Addr::LOCALHOST).into(),
                    IpAddr::from(Ipv6Addr::LOCALHOST).into(),
                ]
            }
            TlsMode::Auto { .. } | TlsMode::Files { .. } => Vec::new(),
        };
        let images = images.to_limits();
        let given = (!args.trusted_proxy.is_empty()).then(|| args.trusted_proxy.clone());
        let trusted_proxies = given.or_else(|| self.trusted_proxies.clone()).unwrap_or(proxies);
        let cors_origins = self.cors_origins.clone();
        check_origins("server.cors_origins", &cors_origins)?;
        let strict_transport = match tls {
            TlsMode::Auto { .. } => false,
            TlsMode::Files { .. } | TlsMode::OffBehindProxy => true,
        };
        let company_sign_in = None;
        Ok(EdgeSettings {
            trusted_proxies,
            images,
            cors_origins,
            strict_transport,
            company_sign_in,
        })
    }
}

impl ImagesSection {
    /// Limits on the picture requests of one address.
    pub(super) fn to_limits(&self) -> ImageLimits {
        let default = ImageLimits::default();
        ImageLimits {
            per_second: self.per_second.unwrap_or(default.per_second),
            burst: self.burst.unwrap_or(default.burst),
            at_once: self.at_once.unwrap_or(default.at_once),
        }
    }
}
