//! Replies and failures as HTTP responses.

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName},
    },
    response::Response,
};

use crate::service::OperationReply;
use accounts::Allowance;
use wire::Failure;

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A caller's allowance as headers: requests in a month, those left, and the second since
/// 1970 at which the next month begins. An account without a limit has none.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Seconds after which a client for which too much waits may try again.
const RETRY_AFTER_S: u64 = 2;

/// Why a list is empty. The body of such a reply is the contract's: an empty array.
const NOTE: HeaderName = HeaderName::from_static("x-specbox-note");

/// Adds a note for people to a response; characters that a header cannot have become question marks.
pub(super) fn add_note(response: &mut Response, note: &str) {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    let note: String = note.chars().map(printable).collect();
    if let Ok(value) = HeaderValue::from_str(&note) {
        response.headers_mut().insert(NOTE, value);
    }
}

/// The answer of an operation.
pub(super) fn answer_response(answer: OperationReply) -> Response {
    let mut response = match answer.outcome {
        Ok(bytes) => json_reply(bytes),
        Err(failure) => failure_response(&failure),
    };
    if let Some(allowance) = answer.allowance {
        add_allowance_headers(&mut response, &allowance);
    }
    response
}

/// A reply that is already JSON. Its content may change with every ingest and belongs to its caller: no
/// cache may store it.
pub(super) fn json_reply(bytes: Vec<u8>) -> Response {
    build_json_response(StatusCode::OK, bytes)
}

/// The response for a failure, which is logged too.
pub fn failure_response(failure: &Failure) -> Response {
    log_failure(failure);
    let mut response =
        build_json_response(failure_status(failure), failure.body().to_string().into_bytes());
    add_failure_headers(&mut response, failure);
    response
}

/// The response of a server that accepts no further request from a client for now; not logged, as there may be many.
pub(super) fn overloaded_response() -> Response {
    let failure = Failure::Overloaded { retry_after_s: RETRY_AFTER_S };
    let body = failure.body().to_string().into_bytes();
    let mut response = build_json_response(failure_status(&failure), body);
    add_failure_headers(&mut response, &failure);
    response
}

/// Logs a failure: an internal one as an error with its cause, any other at the debug level.
pub fn log_failure(failure: &Failure) {
    match failure {
        Failure::Internal { .. } => tracing::error!(%failure, "request failed"),
        _ => tracing::debug!(%failure, "request rejected"),
    }
}

/// The HTTP status of a failure.
pub fn failure_status(failure: &Failure) -> StatusCode {
    StatusCode::from_u16(failure.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Adds the headers of a failure to a response.
pub fn add_failure_headers(response: &mut Response, failure: &Failure) {
    for (name, value) in failure.headers() {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
}

fn add_allowance_headers(response: &mut Response, allowance: &Allowance) {
    let (Some(limit), Some(remaining)) = (allowance.limit, allowance.remaining_requests()) else {
        return;
    };
    let headers = response.headers_mut();
    headers.insert(LIMIT, limit.into());
    headers.insert(REMAINING, remaining.into());
    headers.insert(RESET, allowance.reset_at.as_second().into());
}

fn build_json_response(status: StatusCode, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response.headers_mut().insert(CACHE_CONTROL, NO_STORE);
    response
}
