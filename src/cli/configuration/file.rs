//! Settings: flags take precedence over the environment, and the environment over the file.

use std::{fs, path::PathBuf, time::Duration};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use super::{
    account_section::{AccountsSection, section_or_url},
    mirror::MirrorSection,
    oauth::{McpSection, OAuthSection},
    server::{ImagesSection, ServerSection},
    sign_in::SignInSection,
};
use crate::{
    cli::{arguments::GlobalArgs, serve_arguments::ServeArgs},
    http::HttpServerSettings,
    jobs::IngestSettings,
    mcp::{McpSettings, OAuthClients},
};
use accounts::{AccessSettings, AccountPlan, AccountPlans, AccountsLocation, Clock};
use mirror::Mirror;
use neural::{DeviceChoice, Engine, LoadOptions, ModelRegistry, PrecisionChoice};
use retrieval::{ModelSettings, SearchSettings};
use store::{DataFolder, GraphBuilder};

/// Written on the first run, for people to edit.
const TEMPLATE: &str = include_str!("../specbox.toml");
const DEFAULT_RERANKER: &str = "ms-marco-MiniLM-L-12-v2";

/// The configuration file.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(in crate::cli) struct Configuration {
    server: ServerSection,
    models: ModelsSection,
    ingest: IngestSection,
    mirror: MirrorSection,
    sync: SyncSection,
    search: SearchSection,
    vectors: VectorsSection,
    images: ImagesSection,
    #[serde(deserialize_with = "section_or_url")]
    accounts: AccountsSection,
    packs: PacksSection,
    mcp: McpSection,
    oauth: OAuthSection,
    sign_in: SignInSection,
    plans: Vec<AccountPlan>,
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
struct SyncSection {
    on_demand: bool,
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
struct PacksSection {
    trusted_keys: Vec<String>,
}

/// The data folder of this run.
pub(in crate::cli) fn data_folder(global: &GlobalArgs) -> Result<DataFolder> {
    if let Some(dir) = &global.data_dir {
        // Absolute, since paths in it are printed for use elsewhere.
        let dir = std::path::absolute(dir)
            .with_context(|| format!("cannot resolve the data folder {}", dir.display()))?;
        return Ok(DataFolder::new(dir));
    }
    let env_path = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let base = env_path("XDG_DATA_HOME")
        .or_else(|| env_path("HOME").map(|home| home.join(".local").join("share")))
        .context("no data folder: set --data-dir or HOME")?;
    Ok(DataFolder::new(base.join("specbox")))
}

impl Configuration {
    /// Reads the file; writes the commented template if there is none.
    pub(in crate::cli) fn load_or_create(folder: &DataFolder) -> Result<Self> {
        let path = folder.configuration_path();
        if !path.exists() {
            fs::create_dir_all(folder.root())
                .with_context(|| format!("cannot create {}", folder.root().display()))?;
            fs::write(&path, TEMPLATE)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Self::load(folder)
    }

    /// Reads the file; returns the defaults if there is none.
    pub(in crate::cli) fn load(folder: &DataFolder) -> Result<Self> {
        let path = folder.configuration_path();
        if !path.exists() {
            return Ok(Self::default());
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            // The error itself shows the line, which may contain a password.
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            let (line, message) = (before.lines().count().max(1), error.message());
            anyhow!("{} is not valid: line {line}: {message}", path.display())
        })
    }

    /// The keys whose manifests of packs are trusted.
    pub(in crate::cli) fn trusted_keys(&self) -> &[String] {
        &self.packs.trusted_keys
    }

    pub(in crate::cli) fn model_settings(&self, global: &GlobalArgs) -> Result<ModelSettings> {
        let section = &self.models;
        let folder = global
            .models_dir
            .clone()
            .or_else(|| section.folder.clone())
            .or_else(neural::default_models_dir)
            .context("no models folder: set --models-dir or HOME")?;
        let ModelsSection { device, engine, .. } = *section;
        let options = |precision| LoadOptions { device, engine, precision };
        let mut registry = ModelRegistry::shipped().clone();
        if let Some(path) = &section.registry {
            let text = fs::read_to_string(path)
                .with_context(|| format!("cannot read {}", path.display()))?;
            registry.extend(&text).with_context(|| format!("{} is not valid", path.display()))?;
        }
        registry
            .extend_with_added(&folder)
            .with_context(|| format!("the models added to {} cannot be used", folder.display()))?;
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

    pub(in crate::cli) fn ingest_settings(&self) -> Result<IngestSettings> {
        let program =
            std::env::current_exe().context("cannot determine the path of this program")?;
        let converter = match &self.ingest.converter {
            Some(path) if !path.is_file() => bail!(
                "the configured converter does not exist: {}; correct `converter` under [ingest], or \
                 remove the line to search for it",
                path.display()
            ),
            Some(path) => Some(path.clone()),
            None => extract::find_converter(),
        };
        Ok(IngestSettings { program, converter })
    }

    /// Where files of meetings and specifications come from.
    pub(in crate::cli) fn open_mirror(&self, folder: &DataFolder) -> Result<Mirror> {
        self.mirror.open_mirror(folder)
    }

    /// Whether a version that is asked for is fetched if the index lacks it.
    pub(in crate::cli) fn fetches_on_demand(&self) -> bool {
        self.sync.on_demand
    }

    pub(in crate::cli) fn search_settings(&self) -> SearchSettings {
        let default = SearchSettings::default();
        let deadline = self.search.rerank_deadline_ms.map(Duration::from_millis);
        SearchSettings { rerank_deadline: deadline.unwrap_or(default.rerank_deadline) }
    }

    pub(in crate::cli) fn access_settings(&self) -> Result<AccessSettings> {
        Ok(AccessSettings {
            plans: AccountPlans::with_configured(self.plans.clone()),
            self_registration: self.accounts.self_registration,
            upgrade_url: self.accounts.upgrade_url.clone(),
            oauth: self.oauth.to_settings()?,
            clock: Clock::default(),
        })
    }

    /// Where the accounts are: on a server that the command line, the environment or the file names, or in the data
    /// folder.
    pub(in crate::cli) fn accounts_location(
        &self,
        global: &GlobalArgs,
        folder: &DataFolder,
    ) -> Result<AccountsLocation> {
        self.accounts.location(global.accounts.as_deref(), folder)
    }

    /// The settings of MCP, and the lookup of its OAuth clients.
    pub(in crate::cli) fn mcp_settings(&self) -> Result<(McpSettings, OAuthClients)> {
        Ok((self.mcp.to_settings()?, self.oauth.open_clients()?))
    }

    pub(in crate::cli) fn server_settings(
        &self,
        args: &ServeArgs,
        folder: &DataFolder,
    ) -> Result<HttpServerSettings> {
        let mut settings = self.server.to_settings(&self.images, args, folder)?;
        settings.edge.company_sign_in = self.sign_in.open()?;
        if settings.edge.company_sign_in.is_some() && self.accounts.self_registration {
            bail!(
                "sign_in.oidc and accounts.self_registration exclude each other: strangers could register with the \
                 addresses of colleagues, who would then share their accounts"
            );
        }
        if let Some(plan) = self.sign_in.plan() {
            let plans = AccountPlans::with_configured(self.plans.clone());
            if !plans.all_plans().iter().any(|known| known.name == plan) {
                bail!("sign_in.oidc.plan '{plan}' is not a plan; see `specbox plan list`");
            }
        }
        Ok(settings)
    }

    /// The URL of the environment or the file, for commands that run without a server.
    pub(in crate::cli) fn base_url(&self) -> Option<String> {
        std::env::var("SPECBOX_BASE_URL").ok().or_else(|| self.server.base_url.clone())
    }

    pub(in crate::cli) fn graph_builder(&self) -> GraphBuilder {
        self.vectors.graph_builder.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::ImageLimits;

    #[test]
    fn the_template_is_a_configuration_and_changes_nothing() {
        let template: Configuration = toml::from_str(TEMPLATE).expect("valid");
        assert!(template.server.listen.is_none() && template.models.folder.is_none());
        let spelt_out = TEMPLATE.replace("\n#:", "\n");
        let all: Configuration = toml::from_str(&spelt_out).expect("every line is valid");
        assert!(all.server.listen.is_some() && all.models.reranker.is_some());
        assert!(all.mirror.source.is_some() && !all.sync.on_demand);
        assert!(all.ingest.converter.is_some() && all.search.rerank_deadline_ms.is_some());
        assert_eq!(all.vectors.graph_builder, Some(GraphBuilder::Own));
        assert!(all.images.per_second.is_some() && all.server.trusted_proxies.is_some());
        assert!(!all.oauth.clients.is_empty() && !all.oauth.metadata_hosts.is_empty());
        assert_eq!(all.images.to_limits(), ImageLimits::default());
        assert_eq!(all.sign_in.plan(), Some("unlimited"));
    }

    #[test]
    fn a_misspelt_setting_is_an_error() {
        let error = toml::from_str::<Configuration>("[server]\nlisten_on = \"x\"").err();
        assert!(error.is_some_and(|error| error.to_string().contains("`listen_on`")));
        assert!(toml::from_str::<Configuration>("[accounts]\nserver = \"x\"").is_err());
    }

    #[test]
    fn a_server_of_accounts_is_named_in_the_section_or_in_its_place() {
        let folder = DataFolder::new(PathBuf::from("data"));
        let location = |text: &str| {
            let configuration: Configuration = toml::from_str(text).expect("valid");
            configuration.accounts.location(None, &folder)
        };
        let url = "postgres://specbox@db.lab.example/specbox";
        for text in [
            format!("accounts = \"{url}\""),
            format!("[accounts]\nself_registration = true\ndatabase = \"{url}\""),
        ] {
            let location = location(&text).expect("valid");
            assert!(matches!(location, AccountsLocation::Server(found) if found == url), "{text}");
        }
        assert!(matches!(location("").expect("valid"), AccountsLocation::File(_)));
        assert!(location("accounts = \"mysql://db/x\"").is_err());
    }
}
