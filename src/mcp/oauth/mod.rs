//! The authorization server's protocol endpoints: metadata, registration, tokens, revocation.
//!
//! Follows OAuth 2.1 as MCP profiles it: RFC 8414 and RFC 9728 (metadata), RFC 7591 (registration),
//! RFC 7636 (PKCE), RFC 8707 (resource), RFC 9207 (issuer), RFC 7009 (revocation). The consent page
//! is `ui/consent.rs`; grants and clients are stored by `crates/accounts`.

mod authorize;
mod form;
mod form_fields;
mod metadata;
mod register;
mod token;

use std::sync::Arc;

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};

use super::OAuthClients;
use crate::http::Edge;
use accounts::READ;

pub use authorize::{
    AuthorizeErrorRedirect, AuthorizeRequest, MalformedRequest, ValidAuthorizeRequest,
};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
pub(super) const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Path of the consent page.
pub const AUTHORIZE: &str = "/oauth/authorize";
const TOKEN: &str = "/oauth/token";
const REGISTER: &str = "/oauth/register";
const REVOKE: &str = "/oauth/revoke";
/// Where the metadata of the protected resource is; the path of the resource follows.
const RESOURCE_METADATA: &str = "/.well-known/oauth-protected-resource";
const SERVER_METADATA: &str = "/.well-known/oauth-authorization-server";

pub(super) fn routes(edge: &Arc<Edge>, clients: &OAuthClients) -> Router<Arc<Edge>> {
    let base_url = edge.service().address.base_url();
    let server = metadata::server_metadata(base_url, clients.fetches_documents());
    let clients = clients.clone();
    let token = move |state: State<Arc<Edge>>, request: Request| {
        let clients = clients.clone();
        token::handle_token_request(state, clients, request)
    };
    // Each spelling of the address is returned as it was requested: clients compare it with what their
    // user typed.
    let resource = |path: &str| {
        let metadata = metadata::resource_metadata(base_url, path);
        get(move || async move { metadata_reply(metadata) })
    };
    Router::new()
        .route(RESOURCE_METADATA, resource("/mcp"))
        .route(&format!("{RESOURCE_METADATA}/mcp"), resource("/mcp"))
        .route(&format!("{RESOURCE_METADATA}/mcp/"), resource("/mcp/"))
        .route(SERVER_METADATA, get(move || async move { metadata_reply(server) }))
        .route(REGISTER, post(register::register_client))
        .route(TOKEN, post(token))
        .route(REVOKE, post(token::revoke_token))
}

fn metadata_reply(metadata: Value) -> Response {
    ([(header::CONTENT_TYPE, JSON)], metadata.to_string()).into_response()
}

/// What is wrong with the credential of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Challenge {
    /// There is none.
    Missing,
    /// It is unknown, expired, revoked, or for another resource.
    Invalid,
    /// It is an API key that has expired.
    ExpiredKey,
}

/// Tells a client where to get a token (RFC 6750; RFC 9728, section 5.1). `path` is the spelling of the
/// endpoint in its request.
pub(super) fn challenge_response(challenge: Challenge, base_url: &str, path: &str) -> Response {
    let (error, detail) = match challenge {
        Challenge::Missing => ("", "Not authenticated"),
        Challenge::Invalid => (r#"error="invalid_token", "#, "Invalid access token"),
        Challenge::ExpiredKey => (r#"error="invalid_token", "#, "API key has expired"),
    };
    let path = if path == "/mcp/" { path } else { "/mcp" };
    let metadata = format!("{base_url}{RESOURCE_METADATA}{path}");
    let value = format!(r#"Bearer {error}resource_metadata="{metadata}", scope="{READ}""#);
    let mut response = json_response(StatusCode::UNAUTHORIZED, &json!({ "detail": detail }));
    if let Ok(value) = HeaderValue::from_str(&value) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
    }
    response
}

/// An error response (RFC 6749, section 5.2).
fn oauth_error(error: &str, description: &str) -> Response {
    oauth_error_with_status(StatusCode::BAD_REQUEST, error, description)
}

fn oauth_error_with_status(status: StatusCode, error: &str, description: &str) -> Response {
    json_response(status, &json!({ "error": error, "error_description": description }))
}

/// A JSON answer that no cache may store.
pub(super) fn json_response(status: StatusCode, body: &Value) -> Response {
    let headers = [(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, NO_STORE)];
    (status, headers, body.to_string()).into_response()
}
