//! The sections `[mcp]` and `[oauth]`: which MCP clients have access, and how.

use std::{ops::RangeInclusive, path::PathBuf};

use anyhow::{Context, Result, bail};
use ipnet::IpNet;
use serde::Deserialize;

use super::hosts::{SYSTEM_AUTHORITIES, check_origins, is_host};
use crate::mcp::{ClientDocumentSettings, ClientDocuments, McpSettings, OAuthClients};
use accounts::{OAuthClient, OAuthSettings};

/// Lifetimes of an access token that may be configured.
const ALLOWED_ACCESS_TOKEN_S: RangeInclusive<u32> = 1..=accounts::MAX_ACCESS_TOKEN_S;

/// The section `[mcp]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct McpSection {
    accept_keys: bool,
    allowed_hosts: Vec<String>,
    allowed_origins: Vec<String>,
}

/// The section `[oauth]`.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct OAuthSection {
    access_token_seconds: Option<u32>,
    pub(super) clients: Vec<OAuthClient>,
    pub(super) metadata_hosts: Vec<String>,
    metadata_networks: Vec<IpNet>,
    metadata_authorities: Option<PathBuf>,
}

impl McpSection {
    pub(super) fn to_settings(&self) -> Result<McpSettings> {
        let Self { accept_keys, allowed_hosts, allowed_origins } = self;
        check_origins("mcp.allowed_origins", allowed_origins)?;
        Ok(McpSettings {
            accept_keys: *accept_keys,
            allowed_hosts: allowed_hosts.clone(),
            allowed_origins: allowed_origins.clone(),
        })
    }
}

impl OAuthSection {
    pub(super) fn to_settings(&self) -> Result<OAuthSettings> {
        let access_token_s = self.access_token_seconds.unwrap_or(accounts::ACCESS_TOKEN_S);
        if !ALLOWED_ACCESS_TOKEN_S.contains(&access_token_s) {
            let (min, max) = ALLOWED_ACCESS_TOKEN_S.into_inner();
            bail!("oauth.access_token_seconds must be {min} to {max}");
        }
        if let Some(client) = self.clients.iter().find(|c| c.redirect_uris.is_empty()) {
            bail!("the client '{}' in oauth.clients has no redirect URI", client.id);
        }
        Ok(OAuthSettings { access_token_s, clients: self.clients.clone() })
    }

    /// The lookup of clients, which fetches metadata documents if hosts are named for them.
    pub(super) fn open_clients(&self) -> Result<OAuthClients> {
        if let Some(odd) = self.metadata_hosts.iter().find(|host| !is_host(host)) {
            bail!(
                "'{odd}' in oauth.metadata_hosts is not a host such as clients.example or lab.example:8443"
            );
        }
        let authorities = self.metadata_authorities.clone();
        let settings = ClientDocumentSettings {
            hosts: self.metadata_hosts.clone(),
            networks: self.metadata_networks.clone(),
            authorities: authorities.unwrap_or_else(|| SYSTEM_AUTHORITIES.into()),
        };
        let path = settings.authorities.display();
        let documents = ClientDocuments::new(&settings).with_context(|| {
            format!("cannot read the authorities in {path}; set oauth.metadata_authorities")
        })?;
        Ok(OAuthClients::new(documents))
    }
}
