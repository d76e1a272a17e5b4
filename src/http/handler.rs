//! One request to one operation.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    body::{Body, Bytes},
    extract::{FromRequestParts, Query, RawPathParams, Request, State},
    http::{
        HeaderMap,
        header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE},
        request::Parts,
    },
    response::Response,
};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::time::timeout;

use super::{edge::Edge, request_metrics, respond::answer_response};
use crate::service::{DeclaredOperation, OperationReply, internal_failure};
use accounts::Caller;
use wire::{CredentialFault, Failure, ParameterCarrier, RawRequest};

/// The largest body that is taken.
pub const MAX_BODY_BYTES: usize = 1 << 20;

/// A client has this long to send a body; a picture, this long to be found.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
/// Seconds after which a request that took too long is worth another attempt.
const RETRY_AFTER_TIMEOUT_S: u64 = 30;

/// Answers a request to an operation.
pub(super) async fn handle_operation(
    State(edge): State<Arc<Edge>>,
    operation: &'static DeclaredOperation,
    request: Request,
) -> Response {
    let started = Instant::now();
    let answer = answer_request(&edge, operation, request).await;
    let response = answer_response(answer.unwrap_or_else(OperationReply::from));
    request_metrics::record_request(
        operation.descriptor.name,
        response.status(),
        started.elapsed(),
    );
    response
}

/// What answers a request, unless it takes too long.
pub async fn with_time_limit<T>(
    limit: Duration,
    answer: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let late = Failure::Overloaded { retry_after_s: RETRY_AFTER_TIMEOUT_S };
    timeout(limit, answer).await.unwrap_or(Err(late))
}

async fn answer_request(
    edge: &Arc<Edge>,
    operation: &'static DeclaredOperation,
    request: Request,
) -> Result<OperationReply, Failure> {
    let (mut parts, body) = request.into_parts();
    let caller = match operation.descriptor.open {
        true => Caller::Anyone,
        false => identify_caller(edge, &parts.headers)?,
    };
    let parameters =
        with_time_limit(REQUEST_TIMEOUT, read_parameters(operation, &mut parts, body)).await?;
    Ok(edge.run_operation(operation, caller, parameters).await)
}

/// Whose request this is.
fn identify_caller(edge: &Edge, headers: &HeaderMap) -> Result<Caller, Failure> {
    let key = bearer_token(headers).ok_or(Failure::Unauthorized(CredentialFault::Missing))?;
    let caller = edge.service.access.keys().authenticate_key(key).map_err(internal_failure)?;
    caller.ok_or(Failure::Unauthorized(CredentialFault::Rejected))
}

/// The credential of a request, where it has one of the only kind that is taken.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, credential) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

/// The body of a request, where it comes in time and is not too large.
pub async fn read_body_within(
    body: Body,
    limit: Duration,
    most_bytes: usize,
) -> Result<Bytes, Failure> {
    with_time_limit(limit, read_body(body, most_bytes)).await.map(Bytes::from)
}

/// The checked parameters of a request.
pub(super) async fn read_parameters(
    operation: &DeclaredOperation,
    parts: &mut Parts,
    body: Body,
) -> Result<Value, Failure> {
    let path = path_parameters(parts).await;
    let query = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map(|query| query.0);
    let has_body = operation.descriptor.route.carrier == ParameterCarrier::Body;
    if has_body && is_encoded(&parts.headers) {
        let message = "The body must not be compressed.";
        return Err(Failure::UnsupportedMedia { message });
    }
    let body = if has_body { read_body(body, MAX_BODY_BYTES).await? } else { Vec::new() };
    let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let request =
        RawRequest { path: &path, query: &query.unwrap_or_default(), content_type, body: &body };
    operation.validator.validate_request(&request).map_err(Failure::Validation)
}

/// Whether the body is compressed, which would hide its size.
fn is_encoded(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity")
}

/// The parameters of the path; none where they do not decode as UTF-8, which validation then
/// tells as missing.
async fn path_parameters(parts: &mut Parts) -> Vec<(String, String)> {
    match RawPathParams::from_request_parts(parts, &()).await {
        Ok(params) => {
            params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }
        Err(_) => Vec::new(),
    }
}

/// Reads a body that may be too large; the rest of one that is, is thrown away (`drained.rs`).
async fn read_body(mut body: Body, most_bytes: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        // A client that breaks off is not there to be answered; what it sent is judged as it is.
        let Ok(frame) = frame else { break };
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > most_bytes {
            return Err(Failure::PayloadTooLarge { limit_bytes: most_bytes });
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
