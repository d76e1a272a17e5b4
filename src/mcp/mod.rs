//! The Model Context Protocol: the operations as tools for models, behind OAuth 2.1.
//!
//! Owns `/mcp` and `/mcp/`, the protocol endpoints of the authorization server, and the guides for
//! agents. A tool is a declared operation: the same parameters, charges, payloads and refusals as over
//! REST; what is added is that answers fit what clients give a model to read. Knows nothing of pages;
//! the consent page is `ui/consent.rs`.

mod answer;
mod argument_kind;
mod call_origin;
mod client_document;
mod clients;
mod completion;
mod declared_tool;
mod economy;
mod guides;
pub mod oauth;
mod owner_endpoint;
mod profiles;
mod prompts;
mod protocol_refusal;
mod resources;
mod rpc_error;
mod section_window;
mod serve;
mod shorten;
mod tool_finder;
mod tool_schema;
mod tools;

use std::sync::Arc;

use axum::Router;

use crate::http::{Edge, cors_layer, method_not_allowed};

pub use client_document::{ClientDocumentSettings, ClientDocuments, ClientLookup};
pub use clients::OAuthClients;
pub use guides::{absolutize_links, connect_guide, with_base_url};
pub use owner_endpoint::OwnerEndpoint;
pub use profiles::ToolProfile;

/// How MCP clients are admitted.
#[derive(Debug, Clone, Default)]
pub struct McpSettings {
    /// Whether an API key is accepted instead of an OAuth token.
    pub accept_keys: bool,
    /// Hosts that requests may be for, in addition to that of the base URL: `name` or `name:port`.
    pub allowed_hosts: Vec<String>,
    /// Origins whose pages may call the endpoint, in addition to this server's own.
    pub allowed_origins: Vec<String>,
}

/// The routes: MCP, the authorization server, and the guides.
pub fn routes(
    edge: &Arc<Edge>,
    settings: &McpSettings,
    clients: &OAuthClients,
) -> Router<Arc<Edge>> {
    let routes = serve::routes(edge, settings).merge(oauth::routes(edge, clients));
    // Before the CORS layer, which answers preflight requests.
    let routes = routes.method_not_allowed_fallback(|| async { method_not_allowed() });
    let routes = match cors_layer(&settings.allowed_origins) {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    routes.merge(guides::routes(edge.service().address.base_url()))
}

/// The resource that tokens are for: `/mcp` under the base URL, without a trailing slash.
pub fn resource_uri(base_url: &str) -> String {
    format!("{}/mcp", base_url.trim_end_matches('/'))
}
