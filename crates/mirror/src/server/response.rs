//! The statuses and headers of the file server's responses.

use std::time::Duration;

use ureq::{
    Body,
    http::{HeaderMap, Response, StatusCode, header},
};

use crate::error::MirrorError;

/// Whether the server asks the client to repeat the request later.
pub(super) fn asks_to_wait(status: StatusCode) -> bool {
    matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}

/// Whether a response redirects the request to its `Location`.
pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::MOVED_PERMANENTLY
            | StatusCode::FOUND
            | StatusCode::SEE_OTHER
            | StatusCode::TEMPORARY_REDIRECT
            | StatusCode::PERMANENT_REDIRECT
    )
}

/// Whether a partial response continues at the given byte.
pub(super) fn is_continuation_at(response: &Response<Body>, offset: u64) -> bool {
    let range = response.headers().get(header::CONTENT_RANGE).and_then(|value| value.to_str().ok());
    let first = range.and_then(|range| range.trim().strip_prefix("bytes ")?.split('-').next());
    first.and_then(|first| first.trim().parse().ok()) == Some(offset)
}

/// The entity tag and the modification date of a response.
pub(super) fn cache_validators(headers: &HeaderMap) -> (Option<String>, Option<String>) {
    let text = |name| headers.get(name)?.to_str().ok().map(str::to_owned);
    (text(header::ETAG), text(header::LAST_MODIFIED))
}

/// The seconds of `Retry-After`; `None` for a date.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let retry_after = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    Some(Duration::from_secs(retry_after.trim().parse().ok()?))
}

/// Checks that the status of a response is 200.
pub(super) fn check_status(response: &Response<Body>, path: &str) -> Result<(), MirrorError> {
    match response.status() {
        StatusCode::OK => Ok(()),
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Err(MirrorError::NotFound { path: path.to_owned() })
        }
        status => Err(request_failure(path, &format!("it answered {status}"))),
    }
}

/// The error of a request that failed for the given reason.
pub(super) fn request_failure(path: &str, reason: &dyn std::fmt::Display) -> MirrorError {
    MirrorError::Failed { path: path.to_owned(), reason: reason.to_string() }
}
