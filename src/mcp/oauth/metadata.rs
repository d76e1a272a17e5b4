//! The metadata documents of the resource and of the authorization server.

use serde_json::{Value, json};

use super::{AUTHORIZE, REGISTER, REVOKE, TOKEN};
use accounts::{OFFLINE, READ};

/// The metadata of the MCP server under one spelling of its path (RFC 9728).
pub(super) fn resource_metadata(base_url: &str, path: &str) -> Value {
    json!({
        "resource": format!("{base_url}{path}"),
        "authorization_servers": [base_url],
        "scopes_supported": [READ],
        "bearer_methods_supported": ["header"],
        "resource_name": "specbox",
        "resource_documentation": format!("{base_url}/docs/connect"),
    })
}

/// The metadata of the authorization server (RFC 8414).
pub(super) fn server_metadata(base_url: &str, fetches_client_documents: bool) -> Value {
    json!({
        "issuer": base_url,
        "authorization_endpoint": format!("{base_url}{AUTHORIZE}"),
        "token_endpoint": format!("{base_url}{TOKEN}"),
        "registration_endpoint": format!("{base_url}{REGISTER}"),
        "revocation_endpoint": format!("{base_url}{REVOKE}"),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "scopes_supported": [READ, OFFLINE],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": fetches_client_documents,
        "service_documentation": format!("{base_url}/docs/connect"),
    })
}
