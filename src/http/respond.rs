//! Replies and refusals as HTTP responses.

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CONTENT_TYPE, HeaderName},
    },
    response::Response,
};

use crate::wire::Failure;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A reply that is JSON already.
pub(super) fn reply(bytes: Vec<u8>) -> Response {
    with_json(StatusCode::OK, bytes)
}

/// A refusal, and what of it belongs in the log.
pub(super) fn refuse(failure: &Failure) -> Response {
    match failure {
        Failure::Internal { .. } => tracing::error!(%failure, "request failed"),
        _ => tracing::debug!(%failure, "request refused"),
    }
    let status =
        StatusCode::from_u16(failure.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = with_json(status, failure.body().to_string().into_bytes());
    for (name, value) in failure.headers() {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

fn with_json(status: StatusCode, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}
