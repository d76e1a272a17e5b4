//! Replies and failures as HTTP responses.

use axum::{
    body::Body,
    http::{
        HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName},
    },
    response::Response,
};

use crate::service::{OperationReply, join_messages};
use accounts::Allowance;
use wire::{Failure, LOW_DETAIL_MEDIA, records::DiagnosisReason};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
const LOW_DETAIL_JSON: HeaderValue = HeaderValue::from_static(LOW_DETAIL_MEDIA);
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// A caller's allowance as headers: requests in a month, those left, and the second since
/// 1970 at which the next month begins. An account without a limit has none.
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Seconds after which a client for which too much waits may try again.
const RETRY_AFTER_S: u64 = 2;

/// Why a list is empty: as sentences, and as JSON. The body of such a reply is the contract's: an empty array.
const NOTE: HeaderName = HeaderName::from_static("x-specbox-note");
const DIAGNOSIS: HeaderName = HeaderName::from_static("specbox-diagnosis");
/// Characters of a header: common servers and clients refuse headers of 8 KB in total.
const MAX_HEADER_CHARS: usize = 2_000;

/// Adds to a response why its list is empty. In the sentences, characters that a header cannot have become question
/// marks; in the JSON they are escaped.
pub(super) fn add_diagnosis(response: &mut Response, diagnosis: &[DiagnosisReason]) {
    let Some(note) = join_messages(diagnosis) else { return };
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    let note: String = note.chars().take(MAX_HEADER_CHARS).map(printable).collect();
    if let Ok(value) = HeaderValue::from_str(&note) {
        response.headers_mut().insert(NOTE, value);
    }
    // Whole reasons, as many as a header can hold: a part of JSON could not be read.
    for count in (1..=diagnosis.len()).rev() {
        let Ok(json) = serde_json::to_string(&diagnosis[..count]) else { return };
        let json = escape_non_ascii(&json);
        if json.len() <= MAX_HEADER_CHARS {
            if let Ok(value) = HeaderValue::from_str(&json) {
                response.headers_mut().insert(DIAGNOSIS, value);
            }
            return;
        }
    }
}

/// JSON with all characters beyond ASCII as escapes.
fn escape_non_ascii(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() && !c.is_ascii_control() {
            escaped.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

/// Says in a response that its reply has the form of `detail=low`.
pub(super) fn mark_low_detail(response: &mut Response) {
    response.headers_mut().insert(CONTENT_TYPE, LOW_DETAIL_JSON);
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

#[cfg(test)]
mod tests {
    use super::*;
    use wire::values::DiagnosisCode;

    #[test]
    fn a_header_has_whole_reasons_in_ascii() {
        let reason = |text: &str| DiagnosisReason::new(DiagnosisCode::NameNotFound, text);
        let long = "\u{3b1}".repeat(200);
        let reasons = [reason("No '\u{3b1}\u{1f600}'."), reason(&long), reason(&long)];
        let mut response = json_reply(b"[]".to_vec());
        add_diagnosis(&mut response, &reasons);
        let header = |name: &HeaderName| {
            let value = response.headers().get(name).expect("there").to_str().expect("ASCII");
            value.to_owned()
        };
        assert!(header(&NOTE).starts_with("No '??'. ???"));
        let read: Vec<DiagnosisReason> = serde_json::from_str(&header(&DIAGNOSIS)).expect("JSON");
        assert_eq!(read, reasons[..2], "the third has no room");
        let mut without = json_reply(b"[]".to_vec());
        add_diagnosis(&mut without, &[]);
        assert!(!without.headers().contains_key(&NOTE));
    }
}
