//! Reads the bodies of clients' requests: forms and JSON, within limits of size and time.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
};

use super::form_fields::{BadRequest, FormFields};
use crate::http::read_body_within;
use wire::Failure;

/// The largest body that is accepted, and how long receiving it may take; tight, because anyone may send one.
const MAX_BODY_BYTES: usize = 16 << 10;
const BODY_TIMEOUT: Duration = Duration::from_secs(20);

/// Reads the form of a client.
pub(super) async fn read_form(headers: &HeaderMap, body: Body) -> Result<FormFields, BadRequest> {
    if !has_media_type(headers, "application/x-www-form-urlencoded") {
        return Err(BadRequest::Body("Send a form: application/x-www-form-urlencoded."));
    }
    FormFields::parse_urlencoded(&read_small_body(body).await?)
}

/// Whether the `Content-Type` of a request is a media type, whatever its parameters.
pub(super) fn has_media_type(headers: &HeaderMap, media_type: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(media_type)
}

/// The body of a client's request.
pub(super) async fn read_small_body(body: Body) -> Result<Bytes, BadRequest> {
    read_body_within(body, BODY_TIMEOUT, MAX_BODY_BYTES).await.map_err(|failure| match failure {
        Failure::PayloadTooLarge { .. } => BadRequest::Body("The body must not exceed 16 KiB."),
        _ => BadRequest::Body("The body did not arrive in time."),
    })
}
