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

use super::{
    edge::Edge,
    request_budget::{self, is_overload},
    request_metrics,
    respond::{add_diagnosis, answer_response, mark_low_detail},
};
use crate::service::{DeclaredOperation, OperationReply, has_low_detail, internal_failure};
use accounts::{Caller, KeyOutcome};
use wire::{CredentialFault, Failure, ParameterCarrier, RawRequest};

/// The largest request body that is accepted.
pub const MAX_BODY_BYTES: usize = 1 << 20;

/// Time limit for receiving a body, and for answering a request for a picture. At 9 kB/s, a client can send the
/// largest body in this time.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
/// Seconds after which a client may retry a request that took too long.
const RETRY_AFTER_TIMEOUT_S: u64 = 30;

/// Answers a request to an operation. A bare list that is empty says why in headers.
pub(super) async fn handle_operation(
    State(edge): State<Arc<Edge>>,
    operation: &'static DeclaredOperation,
    request: Request,
) -> Response {
    let started = Instant::now();
    let answer = answer_request(&edge, operation, request).await;
    let response = answer.unwrap_or_else(|failure| answer_response(failure.into()));
    request_metrics::record_request(
        operation.descriptor.name,
        response.status(),
        started.elapsed(),
    );
    response
}

/// Awaits an answer; `Failure::Overloaded` if it takes too long.
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
) -> Result<Response, Failure> {
    let (mut parts, body) = request.into_parts();
    let caller = if operation.descriptor.open {
        Caller::Anyone
    } else {
        identify_caller(edge, &parts.headers)?
    };
    let parameters =
        with_time_limit(REQUEST_TIMEOUT, read_parameters(operation, &mut parts, body)).await?;
    let asked = parameters.clone();
    let reply = edge.run_operation(operation, caller, parameters).await;
    Ok(describe_answer(&asked, reply))
}

/// The response of an answer, with what its headers say of it beside the allowance.
fn describe_answer(asked: &Value, mut reply: OperationReply) -> Response {
    let bytes = reply.outcome.as_deref().unwrap_or_default();
    let (is_low, is_list) = (has_low_detail(asked, bytes), bytes.starts_with(b"["));
    let diagnosis = std::mem::take(&mut reply.diagnosis);
    let mut response = answer_response(reply);
    if is_low {
        mark_low_detail(&mut response);
    }
    if is_list {
        add_diagnosis(&mut response, &diagnosis);
    }
    response
}

/// Authenticates the caller by the API key of the request.
fn identify_caller(edge: &Edge, headers: &HeaderMap) -> Result<Caller, Failure> {
    let key = bearer_token(headers).ok_or(Failure::Unauthorized(CredentialFault::Missing))?;
    match edge.service.access.keys().authenticate_key(key).map_err(internal_failure)? {
        KeyOutcome::Accepted(caller) => Ok(caller),
        KeyOutcome::Expired => Err(Failure::Unauthorized(CredentialFault::Expired)),
        KeyOutcome::Rejected => Err(Failure::Unauthorized(CredentialFault::Rejected)),
    }
}

/// The bearer token of a request, if it has one.
pub fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, credential) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| credential.trim())
}

/// Reads the body of a request, unless it takes too long or is too large.
pub async fn read_body_within(
    body: Body,
    limit: Duration,
    max_bytes: usize,
) -> Result<Bytes, Failure> {
    with_time_limit(limit, read_body(body, max_bytes)).await.map(Bytes::from)
}

/// Reads and validates the parameters of a request.
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

/// The parameters of the path; empty if they are not UTF-8, which validation then reports as
/// missing.
async fn path_parameters(parts: &mut Parts) -> Vec<(String, String)> {
    match RawPathParams::from_request_parts(parts, &()).await {
        Ok(params) => {
            params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }
        Err(_) => Vec::new(),
    }
}

/// Reads a body up to a limit; the rest of one that is too large is discarded (`drain_body.rs`).
async fn read_body(mut body: Body, max_bytes: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        // What arrived may look complete, so the request is neither run nor charged.
        let frame = frame.map_err(|error| {
            if is_overload(&error) {
                Failure::Overloaded { retry_after_s: request_budget::RETRY_AFTER_S }
            } else {
                Failure::MalformedRequest { message: "The body is incomplete." }
            }
        })?;
        let Ok(data) = frame.into_data() else { continue };
        if bytes.len() + data.len() > max_bytes {
            return Err(Failure::PayloadTooLarge { limit_bytes: max_bytes });
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}
