//! `/mcp` and `/mcp/`: authenticates the caller before anything else, then leaves the protocol to rmcp.

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HOST},
        request::Parts,
        uri::Authority,
    },
    response::Response,
    routing::any,
};
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde_json::Value;
use url::Url;

use super::{
    McpSettings,
    call_origin::CallOrigin,
    oauth::{Challenge, NO_STORE, challenge_response, json_response},
    profiles::ToolProfile,
    resource_uri,
    rpc_error::{INVALID_REQUEST, PARSE_ERROR, rpc_error_message},
    tools::{McpHandler, ToolCatalogue},
};
use crate::{
    http::{
        Edge, MAX_BODY_BYTES, REQUEST_TIMEOUT, bearer_token, failure_response, read_body_within,
    },
    service::internal_failure,
};
use accounts::{Caller, KeyOutcome};
use wire::Failure;

/// The port of an origin whose scheme has no default of its own.
const HTTPS_PORT: u16 = 443;

/// The protocol of rmcp, and how its callers are authenticated.
struct McpEndpoint {
    protocol: StreamableHttpService<McpHandler, NeverSessionManager>,
    resource: String,
    accept_keys: bool,
}

pub(super) fn routes(edge: &Arc<Edge>, settings: &McpSettings) -> Router<Arc<Edge>> {
    let base_url = edge.service().address.base_url();
    let catalogue = Arc::new(ToolCatalogue::new(base_url));
    let tools = McpHandler::new(CallOrigin::Clients(edge.clone()), catalogue);
    let endpoint = Arc::new(McpEndpoint {
        protocol: StreamableHttpService::new(
            move || Ok(tools.clone()),
            Arc::new(NeverSessionManager::default()),
            transport_config(base_url, settings),
        ),
        resource: resource_uri(base_url),
        accept_keys: settings.accept_keys,
    });
    let serve = any(move |State(edge): State<Arc<Edge>>, request: Request| {
        let endpoint = endpoint.clone();
        async move { endpoint.handle_request(&edge, request).await }
    });
    Router::new().route("/mcp", serve.clone()).route("/mcp/", serve)
}

/// A stateless transport: a client needs only its token, also after a restart of the server.
fn transport_config(base_url: &str, settings: &McpSettings) -> StreamableHttpServerConfig {
    let url = Url::parse(base_url).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    // A name without a port matches any port: the port of a proxy may differ from ours.
    let hosts = settings.allowed_hosts.iter().cloned().chain([host.to_owned()]);
    let origin = url.as_ref().map(origin_with_port);
    let origins = settings.allowed_origins.iter();
    let origins = origins
        .map(|text| Url::parse(text).map_or_else(|_| text.clone(), |url| origin_with_port(&url)));
    StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .enforce_origin_validation()
        .with_allowed_origins(origins.chain(origin))
}

/// An origin with an explicit port: in rmcp, one without a port matches any port.
fn origin_with_port(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    format!("{}://{host}:{}", url.scheme(), url.port_or_known_default().unwrap_or(HTTPS_PORT))
}

/// Whether the Host header is a name, or a name and the number of a port. rmcp compares the name alone, and would take
/// `localhost:1.example.org` for `localhost`.
fn has_plain_host(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST) else { return true };
    let Some(authority) = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok()) else {
        return false;
    };
    match authority.as_str().strip_prefix(authority.host()) {
        Some("") => true,
        Some(port) => port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok()),
        None => false,
    }
}

impl McpEndpoint {
    async fn handle_request(&self, edge: &Arc<Edge>, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        match self.authenticate_caller(edge, &parts.headers) {
            Ok(Ok(caller)) => parts.extensions.insert(caller),
            Ok(Err(challenge)) => {
                return challenge_response(
                    challenge,
                    edge.service().address.base_url(),
                    parts.uri.path(),
                );
            }
            Err(failure) => return failure_response(&failure),
        };
        match ToolProfile::from_query(parts.uri.query()) {
            Ok(profile) => parts.extensions.insert(profile),
            Err(message) => {
                return rpc_error(StatusCode::BAD_REQUEST, Value::Null, INVALID_REQUEST, &message);
            }
        };
        if !has_plain_host(&parts.headers) {
            return failure_response(&Failure::Forbidden {
                message: "The Host header is not valid.",
            });
        }
        let body = match read_body_within(body, REQUEST_TIMEOUT, MAX_BODY_BYTES).await {
            Ok(body) => body,
            Err(failure) => return failure_response(&failure),
        };
        accept_any_media(&mut parts);
        let id = match check_message(&parts, &body) {
            Ok(id) => id,
            Err(response) => return *response,
        };
        let request = Request::from_parts(parts, Full::new(body));
        let (parts, body) = self.protocol.handle(request).await.into_parts();
        rewrite_error_as_json_rpc(Response::from_parts(parts, Body::new(body)), id).await
    }

    /// Authenticates the caller by the header only: a token in a URL would appear in logs.
    fn authenticate_caller(
        &self,
        edge: &Edge,
        headers: &HeaderMap,
    ) -> Result<Result<Caller, Challenge>, Failure> {
        let Some(credential) = bearer_token(headers) else { return Ok(Err(Challenge::Missing)) };
        let access = &edge.service().access;
        if self.accept_keys {
            match access.keys().authenticate_key(credential).map_err(internal_failure)? {
                KeyOutcome::Accepted(caller) => return Ok(Ok(caller)),
                KeyOutcome::Expired => return Ok(Err(Challenge::ExpiredKey)),
                KeyOutcome::Rejected => {}
            }
        }
        let caller = access
            .grants()
            .authenticate_token(credential, &self.resource)
            .map_err(internal_failure)?;
        Ok(caller.ok_or(Challenge::Invalid))
    }
}

/// Names the media types of the protocol for a client that accepts any, such as curl: rmcp looks for the names alone.
fn accept_any_media(parts: &mut Parts) {
    let mut accepted = parts.headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let is_any = |range: &str| range.split(';').next().is_some_and(|media| media.trim() == "*/*");
    if parts.method == Method::POST && accepted.any(|value| value.split(',').any(is_any)) {
        parts
            .headers
            .insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
}

/// The id of the message in a body, or a JSON-RPC error if there is no message.
fn check_message(parts: &Parts, body: &[u8]) -> Result<Value, Box<Response>> {
    if parts.method != Method::POST {
        return Ok(Value::Null);
    }
    let refused = |code, message| {
        Err(Box::new(rpc_error(StatusCode::BAD_REQUEST, Value::Null, code, message)))
    };
    match serde_json::from_slice::<Value>(body) {
        Err(_) => refused(PARSE_ERROR, "The body is not JSON."),
        Ok(Value::Object(message)) => Ok(message.get("id").cloned().unwrap_or_default()),
        Ok(Value::Array(_)) => {
            refused(INVALID_REQUEST, "Send one message at a time; batches are not supported.")
        }
        Ok(_) => refused(INVALID_REQUEST, "The body is not a JSON-RPC message."),
    }
}

/// Rewrites the plain-text errors of rmcp as JSON-RPC errors.
async fn rewrite_error_as_json_rpc(response: Response, id: Value) -> Response {
    let is_text = |value: &HeaderValue| value.as_bytes().starts_with(b"text/plain");
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|value| !is_text(value));
    let status = response.status();
    if is_json || !status.is_client_error() && !status.is_server_error() {
        let mut response = response;
        response.headers_mut().insert(CACHE_CONTROL, NO_STORE);
        return response;
    }
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.map(|body| body.to_bytes()).unwrap_or_default();
    // For a message that it cannot parse, rmcp answers 415 (unsupported media type).
    let is_unreadable =
        status == StatusCode::UNSUPPORTED_MEDIA_TYPE && bytes.starts_with(b"fail to deserialize");
    let status = if is_unreadable { StatusCode::BAD_REQUEST } else { status };
    let message = if is_unreadable {
        "The body is not an MCP message.".into()
    } else {
        String::from_utf8_lossy(&bytes)
    };
    let mut response = rpc_error(status, id, INVALID_REQUEST, &message);
    for (name, value) in &parts.headers {
        response.headers_mut().entry(name).or_insert(value.clone());
    }
    response
}

fn rpc_error(status: StatusCode, id: Value, code: i32, message: &str) -> Response {
    json_response(status, &rpc_error_message(id, code, message))
}
