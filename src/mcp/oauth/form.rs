//! Requests of clients: forms and JSON, small, and each field once.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, header},
};
use url::form_urlencoded;

use crate::http::body_of;
use wire::Failure;

/// The largest body that is taken, and how long it may take to come.
const MAX_BODY_BYTES: usize = 16 << 10;
const BODY_WITHIN: Duration = Duration::from_secs(20);
/// Fields that a request may have, and the length of a query string.
const MOST_FIELDS: usize = 50;
const MAX_QUERY_BYTES: usize = 16 << 10;

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadRequest {
    /// Its content is of another type, too large, or did not come.
    Body(&'static str),
    /// It names a field more than once (RFC 6749, section 3.1), or has very many.
    Repeated,
}

impl BadRequest {
    pub(super) fn said(self) -> &'static str {
        match self {
            Self::Body(said) => said,
            Self::Repeated => "A parameter stands there more than once, or there are very many.",
        }
    }
}

/// The fields of a form or of a query string.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Reads them from URL-encoded text. Fields without a value count as absent (RFC 6749, section 3.1).
    pub(super) fn parse(text: &[u8]) -> Result<Self, BadRequest> {
        let mut fields: Vec<(String, String)> = Vec::new();
        if text.len() > MAX_QUERY_BYTES {
            return Err(BadRequest::Body("The request may have at most 16 KiB."));
        }
        for (name, value) in form_urlencoded::parse(text) {
            if fields.len() == MOST_FIELDS || fields.iter().any(|(other, _)| *other == name) {
                return Err(BadRequest::Repeated);
            }
            fields.push((name.into_owned(), value.into_owned()));
        }
        fields.retain(|(_, value)| !value.is_empty());
        Ok(Self(fields))
    }

    /// Reads the form of a client.
    pub(super) async fn of_form(headers: &HeaderMap, body: Body) -> Result<Self, BadRequest> {
        if !has_type(headers, "application/x-www-form-urlencoded") {
            return Err(BadRequest::Body("Send a form: application/x-www-form-urlencoded."));
        }
        Self::parse(&small_body(body).await?)
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// Whether a request says that its body is of a type.
pub(super) fn has_type(headers: &HeaderMap, wanted: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next()).unwrap_or_default();
    essence.trim().eq_ignore_ascii_case(wanted)
}

/// The body of a client's request.
pub(super) async fn small_body(body: Body) -> Result<Bytes, BadRequest> {
    body_of(body, BODY_WITHIN, MAX_BODY_BYTES).await.map_err(|failure| match failure {
        Failure::PayloadTooLarge { .. } => BadRequest::Body("The body may hold at most 16 KiB."),
        _ => BadRequest::Body("The body did not come in time."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_stands_there_once_and_there_are_few() {
        let many =
            |count: usize| (0..count).map(|n| format!("a{n}=1&")).collect::<String>().into_bytes();
        assert!(Fields::parse(&many(MOST_FIELDS)).is_ok());
        for odd in [many(MOST_FIELDS + 1), b"a=1&a=2".to_vec(), vec![b'a'; MAX_QUERY_BYTES + 1]] {
            assert!(Fields::parse(&odd).is_err());
        }
        let fields = Fields::parse(b"a=&b=%20x+y&c").expect("readable");
        assert_eq!([fields.get("a"), fields.get("b"), fields.get("c")], [None, Some(" x y"), None]);
    }
}
