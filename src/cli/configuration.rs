//! Settings: the file, over it the environment, over it the flags.

use std::{
    fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    ops::RangeInclusive,
    path::PathBuf,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use ipnet::IpNet;
use serde::Deserialize;

use super::{
    arguments::{Global, ServeArgs, TlsChoice},
    mirror_section::MirrorSection,
};
use crate::{
    http::{ConnectionLimits, EdgeSettings, ImageLimits, ServerSettings, TlsMode},
    mcp::{ClientDocuments, Clients, DocumentSettings, McpSettings},
    service::{IngestSettings, ModelSettings, SearchSettings},
};
use accounts::{AccessSettings, Client, Clock, OAuthSettings, Plan, Plans};
use mirror::Mirror;
use neural::{DeviceChoice, Engine, LoadOptions, PrecisionChoice, Registry};
use store::{DataFolder, GraphBuilder};

/// Written on the first run, for people to edit.
const TEMPLATE: &str = include_str!("specbox.toml");
const DEFAULT_RERANKER: &str = "ms-marco-MiniLM-L-12-v2";

/// The configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Configuration {
    server: ServerSection,
    models: ModelsSection,
    ingest: IngestSection,
    mirror: MirrorSection,
    search: SearchSection,
    vectors: VectorsSection,
    images: ImagesSection,
    accounts: AccountsSection,
    mcp: McpSection,
    oauth: OAuthSection,
    plans: Vec<Plan>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ServerSection {
    listen: Option<SocketAddr>,
    base_url: Option<String>,
    tls: Option<TlsChoice>,
    certificate: Option<PathBuf>,
    certificate_key: Option<PathBuf>,
    names: Vec<String>,
    trusted_proxies: Option<Vec<IpNet>>,
    operator_listen: Option<SocketAddr>,
    cors_origins: Vec<String>,
    max_connections: Option<usize>,
    max_connections_of_address: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ImagesSection {
    per_second: Option<u32>,
    burst: Option<u32>,
    at_once: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ModelsSection {
    folder: Option<PathBuf>,
    registry: Option<PathBuf>,
    text_embedding: Option<String>,
    image_embedding: Option<String>,
    reranker: Option<String>,
    device: DeviceChoice,
    engine: Engine,
    precision: PrecisionChoice,
    reranker_precision: Option<PrecisionChoice>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct IngestSection {
    converter: Option<PathBuf>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SearchSection {
    rerank_deadline_ms: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct VectorsSection {
    graph_builder: Option<GraphBuilder>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AccountsSection {
    self_registration: bool,
    upgrade_url: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct McpSection {
    accept_keys: bool,
    allowed_hosts: Vec<String>,
    allowed_origins: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OAuthSection {
    access_token_seconds: Option<u32>,
    clients: Vec<Client>,
    metadata_hosts: Vec<String>,
    metadata_networks: Vec<IpNet>,
    metadata_authorities: Option<PathBuf>,
}

/// Seconds that an access token may live.
const ACCESS_TOKEN_S: RangeInclusive<u32> = 1..=24 * 3600;
/// Authorities of the system, where Debian and its like have them.
pub(super) const SYSTEM_AUTHORITIES: &str = "/etc/ssl/certs/ca-certificates.crt";

/// The data folder of this run.
pub(super) fn data_folder(global: &Global) -> Result<DataFolder> {
    if let Some(dir) = &global.data_dir {
        // Absolute, for its paths are printed to be pasted elsewhere.
        let dir = std::path::absolute(dir)
            .with_context(|| format!("cannot resolve the data folder {}", dir.display()))?;
        return Ok(DataFolder::new(dir));
    }
    let given = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = given("XDG_DATA_HOME")
        .or_else(|| given("HOME").map(|home| home.join(".local").join("share")))
        .context("neither --data-dir nor HOME says where the data folder is")?;
    Ok(DataFolder::new(base.join("specbox")))
}

impl Configuration {
    /// Reads the file, writing the commented template where there is none.
    pub(super) fn load(folder: &DataFolder) -> Result<Self> {
        let path = folder.configuration();
        if !path.exists() {
            fs::create_dir_all(folder.root())
                .with_context(|| format!("cannot create {}", folder.root().display()))?;
            fs::write(&path, TEMPLATE)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{} is not usable", path.display()))
    }

    pub(super) fn models(&self, global: &Global) -> Result<ModelSettings> {
        let section = &self.models;
        let folder = global
            .models_dir
            .clone()
            .or_else(|| section.folder.clone())
            .or_else(neural::default_models_dir)
            .context("neither --models-dir nor HOME says where the models are")?;
        let ModelsSection { device, engine, .. } = *section;
        let options = |precision| LoadOptions { device, engine, precision };
        let registry = match &section.registry {
            None => Registry::shipped().clone(),
            Some(path) => {
                let text = fs::read_to_string(path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                Registry::with_more(&text)
                    .with_context(|| format!("{} is not usable", path.display()))?
            }
        };
        Ok(ModelSettings {
            registry,
            folder,
            text_embedding: section.text_embedding.clone(),
            image_embedding: section.image_embedding.clone(),
            reranker: section.reranker.clone().unwrap_or_else(|| DEFAULT_RERANKER.to_owned()),
            embedding: options(section.precision),
            reranking: options(section.reranker_precision.unwrap_or(section.precision)),
        })
    }

    pub(super) fn ingest(&self) -> Result<IngestSettings> {
        let program = std::env::current_exe().context("cannot tell the path of this program")?;
        let converter = self.ingest.converter.clone().or_else(extract::find_converter);
        Ok(IngestSettings { program, converter })
    }

    /// Where files of meetings come from.
    pub(super) fn mirror(&self, folder: &DataFolder) -> Result<Mirror> {
        self.mirror.open(folder)
    }

    pub(super) fn search(&self) -> SearchSettings {
        let default = SearchSettings::default();
        let deadline = self.search.rerank_deadline_ms.map(Duration::from_millis);
        SearchSettings { rerank_deadline: deadline.unwrap_or(default.rerank_deadline) }
    }

    pub(super) fn access(&self) -> Result<AccessSettings> {
        let access_token_s = self.oauth.access_token_seconds.unwrap_or(accounts::ACCESS_TOKEN_S);
        if !ACCESS_TOKEN_S.contains(&access_token_s) {
            let (least, most) = ACCESS_TOKEN_S.into_inner();
            bail!("oauth.access_token_seconds is {least} to {most}");
        }
        if let Some(client) = self.oauth.clients.iter().find(|c| c.redirect_uris.is_empty()) {
            bail!("the client '{}' in oauth.clients has no redirect URI", client.id);
        }
        Ok(AccessSettings {
            plans: Plans::with(self.plans.clone()),
            self_registration: self.accounts.self_registration,
            upgrade_url: self.accounts.upgrade_url.clone(),
            oauth: OAuthSettings { access_token_s, clients: self.oauth.clients.clone() },
            clock: Clock::default(),
        })
    }

    /// How programs are let in over MCP.
    pub(super) fn mcp(&self) -> Result<(McpSettings, Clients)> {
        let McpSection { accept_keys, allowed_hosts, allowed_origins } = &self.mcp;
        check_origins("mcp.allowed_origins", allowed_origins)?;
        let settings = McpSettings {
            accept_keys: *accept_keys,
            allowed_hosts: allowed_hosts.clone(),
            allowed_origins: allowed_origins.clone(),
        };
        if let Some(odd) = self.oauth.metadata_hosts.iter().find(|host| !is_host(host)) {
            bail!(
                "'{odd}' in oauth.metadata_hosts is not a host such as clients.example or lab.example:8443"
            );
        }
        let authorities = self.oauth.metadata_authorities.clone();
        let documents = DocumentSettings {
            hosts: self.oauth.metadata_hosts.clone(),
            networks: self.oauth.metadata_networks.clone(),
            authorities: authorities.unwrap_or_else(|| SYSTEM_AUTHORITIES.into()),
        };
        let path = documents.authorities.display();
        let fetched = ClientDocuments::new(&documents).with_context(|| {
            format!("cannot read the authorities in {path}; oauth.metadata_authorities names them")
        })?;
        Ok((settings, Clients::new(fetched)))
    }

    /// The URL of the environment or the file, for commands that run without a server.
    pub(super) fn base_url(&self) -> Option<String> {
        std::env::var("SPECBOX_BASE_URL").ok().or_else(|| self.server.base_url.clone())
    }

    pub(super) fn graph_builder(&self) -> GraphBuilder {
        self.vectors.graph_builder.unwrap_or_default()
    }

    pub(super) fn server(&self, args: &ServeArgs, folder: &DataFolder) -> Result<ServerSettings> {
        let section = &self.server;
        let base_url = args.base_url.clone().or_else(|| section.base_url.clone());
        if let Some(url) = base_url.as_deref().filter(|url| host_of(Some(url)).is_none()) {
            bail!("'{url}' is not a URL such as https://specbox.example:8443");
        }
        let default = SocketAddr::from(([127, 0, 0, 1], 8443));
        let tls = match args.tls.or(section.tls).unwrap_or(TlsChoice::Auto) {
            TlsChoice::Auto => TlsMode::Auto {
                folder: folder.tls(),
                names: section.names.iter().cloned().chain(host_of(base_url.as_deref())).collect(),
            },
            TlsChoice::OffBehindProxy => TlsMode::OffBehindProxy,
            TlsChoice::Cert => {
                let certificate = args.certificate.clone().or_else(|| section.certificate.clone());
                let key = args.certificate_key.clone().or_else(|| section.certificate_key.clone());
                match (certificate, key) {
                    (Some(certificate), Some(key)) => TlsMode::Files { certificate, key },
                    _ => bail!("--tls cert needs --certificate and --certificate-key"),
                }
            }
        };
        let listen = args.listen.or(section.listen).unwrap_or(default);
        let edge = self.edge(&tls, args)?;
        let default = ConnectionLimits::default();
        let connections = ConnectionLimits {
            total: section.max_connections.unwrap_or(default.total),
            of_address: section.max_connections_of_address.unwrap_or(default.of_address),
        };
        let operator = args.operator_listen.or(section.operator_listen);
        Ok(ServerSettings { listen, tls, base_url, edge, connections, operator })
    }
}

impl Configuration {
    fn edge(&self, tls: &TlsMode, args: &ServeArgs) -> Result<EdgeSettings> {
        // Plain HTTP is served on loopback, to a proxy on this machine.
        let proxies = match tls {
            TlsMode::OffBehindProxy => {
                vec![
                    IpAddr::from(Ipv4Addr::LOCALHOST).into(),
                    IpAddr::from(Ipv6Addr::LOCALHOST).into(),
                ]
            }
            TlsMode::Auto { .. } | TlsMode::Files { .. } => Vec::new(),
        };
        let default = ImageLimits::default();
        let images = ImageLimits {
            per_second: self.images.per_second.unwrap_or(default.per_second),
            burst: self.images.burst.unwrap_or(default.burst),
            at_once: self.images.at_once.unwrap_or(default.at_once),
        };
        let given = (!args.trusted_proxy.is_empty()).then(|| args.trusted_proxy.clone());
        let trusted_proxies =
            given.or_else(|| self.server.trusted_proxies.clone()).unwrap_or(proxies);
        let cors_origins = self.server.cors_origins.clone();
        check_origins("server.cors_origins", &cors_origins)?;
        let strict_transport = match tls {
            TlsMode::Auto { .. } => false,
            TlsMode::Files { .. } | TlsMode::OffBehindProxy => true,
        };
        Ok(EdgeSettings { trusted_proxies, images, cors_origins, strict_transport })
    }
}

fn check_origins(setting: &str, origins: &[String]) -> Result<()> {
    match origins.iter().find(|origin| !is_origin(origin)) {
        Some(odd) => bail!("'{odd}' in {setting} is not an origin such as https://tools.example"),
        None => Ok(()),
    }
}

/// Whether a text is a scheme and a host, as browsers send an origin.
fn is_origin(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '*', ' ', '?', '#']))
}

/// Whether a text is a host as the URL of a document has it: without a scheme, and without the port 443.
fn is_host(text: &str) -> bool {
    let url = url::Url::parse(&format!("https://{text}/")).ok();
    let same = |url: &url::Url| url.as_str() == format!("https://{}/", text.to_ascii_lowercase());
    url.is_some_and(|url| url.path() == "/" && same(&url))
}

/// The host name in a URL.
fn host_of(url: Option<&str>) -> Option<String> {
    let rest = url?.split_once("://")?.1;
    let authority = rest.split('/').next()?;
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_is_a_configuration_and_changes_nothing() {
        let template: Configuration = toml::from_str(TEMPLATE).expect("valid");
        assert!(template.server.listen.is_none() && template.models.folder.is_none());
        let spelt_out = TEMPLATE.replace("\n#:", "\n");
        let all: Configuration = toml::from_str(&spelt_out).expect("every line is valid");
        assert!(all.server.listen.is_some() && all.models.reranker.is_some());
        assert!(all.mirror.source.is_some());
        assert!(all.ingest.converter.is_some() && all.search.rerank_deadline_ms.is_some());
        assert_eq!(all.vectors.graph_builder, Some(GraphBuilder::Own));
        assert!(all.images.per_second.is_some() && all.server.trusted_proxies.is_some());
        assert!(!all.oauth.clients.is_empty() && !all.oauth.metadata_hosts.is_empty());
        let shown = ImageLimits {
            per_second: all.images.per_second.unwrap_or_default(),
            burst: all.images.burst.unwrap_or_default(),
            at_once: all.images.at_once.unwrap_or_default(),
        };
        assert_eq!(shown, ImageLimits::default());
    }

    #[test]
    fn a_misspelt_setting_is_an_error() {
        assert!(toml::from_str::<Configuration>("[server]\nlisten_on = \"x\"").is_err());
    }

    #[test]
    fn hosts_of_documents_are_names_with_a_port_where_it_is_another() {
        for (text, fits) in [
            ("clients.example", true),
            ("Lab.example:8443", true),
            ("[2001:db8::1]:8443", true),
            ("https://clients.example", false),
            ("clients.example:443", false),
            ("clients.example/path", false),
            ("", false),
        ] {
            assert_eq!(is_host(text), fits, "{text}");
        }
    }

    #[test]
    fn the_certificate_is_for_the_host_of_the_base_url() {
        for (url, host) in [
            ("https://lab.example:8443/x", Some("lab.example")),
            ("https://[::2]:1", Some("::2")),
            ("lab.example", None),
        ] {
            assert_eq!(host_of(Some(url)).as_deref(), host);
        }
    }
}
