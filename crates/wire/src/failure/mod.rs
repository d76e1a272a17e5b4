//! Every error of the contract: its status, its headers, its body.
//!
//! This is the only table of them. Clients see `status`, `headers` and `body`; the log gets `Display`, which contains
//! ids and counts and never a key, a body or a query.

mod body;
mod samples;

use std::error::Error;

use domain::error_chain;

use super::{
    fault::ValidationFault,
    records::{OrganizationCandidate, QuotaDetail, TdocMention, TdocRecord},
};

/// Why a request was rejected.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// No acceptable credential came with the request.
    #[error("unauthorized: {}", .0.log_text())]
    Unauthorized(CredentialFault),
    /// The parameters are not valid.
    #[error("invalid parameters: {} errors", .0.len())]
    Validation(Vec<ValidationFault>),
    /// A parameter is well formed, but its value is not known.
    #[error("invalid value of parameter {parameter}")]
    InvalidParameter {
        /// The parameter.
        parameter: &'static str,
        /// A sentence for the client.
        message: String,
    },
    /// The reply would be too large; the request must be narrower.
    #[error("reply too large: {found} items, limit {limit}, add {parameter}")]
    ReplyTooLarge {
        /// The parameter that narrows the request.
        parameter: &'static str,
        /// How many items there are.
        found: usize,
        /// How many a reply may contain.
        limit: usize,
    },
    /// The monthly allowance is used up.
    #[error("quota exhausted: {} of {}", .0.used, .0.limit)]
    QuotaExhausted(Box<QuotaDetail>),
    /// There is no such route.
    #[error("route not found")]
    NotFound,
    /// No document has this id.
    #[error("document {document_id} not found")]
    DocumentNotFound {
        /// The id asked for.
        document_id: i64,
    },
    /// No register lists the TDoc, and it was not fetched.
    #[error("TDoc not indexed")]
    TdocNotIndexed {
        /// Its number.
        tdoc_id: String,
        /// The rows of registers that name it as a revision, if any.
        known_from: Vec<TdocMention>,
    },
    /// There is no such TDoc.
    #[error("TDoc not found")]
    TdocNotFound {
        /// Its number, or what was given for one.
        tdoc_id: String,
    },
    /// A fetch of the TDoc is in progress. Not an error: the caller should retry later.
    #[error("{tdoc_id} is being fetched, retry after {retry_after_s} s")]
    TdocFetchInProgress {
        /// Its number.
        tdoc_id: String,
        /// Seconds until it is likely to be done.
        retry_after_s: u64,
    },
    /// A version of a specification is not indexed; where a source lists it, the sentence says so.
    #[error("{message}")]
    DocumentNotIndexed {
        /// A sentence for the client.
        message: String,
    },
    /// A fetch of a version of a specification is in progress. Not an error: the caller should retry later.
    #[error("{document} is being fetched, retry after {retry_after_s} s")]
    DocumentFetchInProgress {
        /// Its number, with its version if one was named.
        document: String,
        /// How far the fetch is, as a fragment.
        stage: String,
        /// Seconds until it is likely to be done.
        retry_after_s: u64,
    },
    /// Neither the vector search nor the full-text search is available.
    #[error("search unavailable: {message}")]
    SearchUnavailable {
        /// A sentence for the client.
        message: String,
    },
    /// The TDoc was withdrawn.
    #[error("TDoc {} withdrawn", .0.tdoc_id)]
    TdocWithdrawn(Box<TdocRecord>),
    /// Several organizations have this name.
    #[error("the organization name is ambiguous: {} candidates", candidates.len())]
    OrganizationAmbiguous {
        /// The name.
        name: String,
        /// The organizations that may be meant, best first.
        candidates: Vec<OrganizationCandidate>,
    },
    /// No organization is known by a name.
    #[error("organization not found")]
    OrganizationNotFound {
        /// The name.
        name: String,
    },
    /// There is no such figure, or it has no picture.
    #[error("image not found")]
    ImageNotFound,
    /// The figure has no vector: there is no image model, or its picture cannot be decoded.
    #[error("the image has no vector")]
    ImageNotCompared,
    /// One address makes more requests than it may.
    #[error("too many requests from one address, retry after {retry_after_s} s")]
    TooManyRequests {
        /// Seconds until another attempt is accepted.
        retry_after_s: u64,
    },
    /// One address or account tried to sign in too often.
    #[error("too many sign-in attempts, retry after {retry_after_s} s")]
    TooManySignIns {
        /// Seconds until another attempt is accepted.
        retry_after_s: u64,
    },
    /// Permission denied.
    #[error("forbidden")]
    Forbidden {
        /// A sentence for people.
        message: &'static str,
    },
    /// The key is restricted to other operations or series of specifications.
    #[error("out of the scope of the key")]
    OutOfScope {
        /// A sentence for the client.
        message: String,
    },
    /// A form of a page is invalid.
    #[error("invalid form")]
    BadForm,
    /// The request is not valid HTTP: its body is incomplete, or it does not have exactly one host.
    #[error("malformed request: {message}")]
    MalformedRequest {
        /// A sentence for people.
        message: &'static str,
    },
    /// The route exists, but not for this method.
    #[error("method not allowed")]
    MethodNotAllowed {
        /// The methods it has, as the `Allow` header lists them.
        allow: String,
    },
    /// The body is larger than the service reads.
    #[error("body larger than {limit_bytes} bytes")]
    PayloadTooLarge {
        /// The largest body that is read.
        limit_bytes: usize,
    },
    /// The body is compressed, or of a media type that the path does not accept.
    #[error("unsupported media type")]
    UnsupportedMedia {
        /// A sentence that says what is accepted.
        message: &'static str,
    },
    /// The service has more work than it can do in time.
    #[error("overloaded, retry after {retry_after_s} s")]
    Overloaded {
        /// Seconds after which the caller may retry.
        retry_after_s: u64,
    },
    /// A model that the operation needs is not installed.
    #[error("model missing: {message}")]
    ModelMissing {
        /// A sentence that names the missing file and its folder.
        message: String,
    },
    /// A part of the service that the operation needs cannot answer now.
    #[error("unavailable: {message}")]
    Unavailable {
        /// A sentence for the client.
        message: String,
    },
    /// A defect of the service; the client gets a number to report.
    #[error("internal error {incident}: {}", error_chain(cause.as_ref()))]
    Internal {
        /// The number under which the log contains the cause.
        incident: String,
        /// What went wrong; for the log only.
        #[source]
        cause: Box<dyn Error + Send + Sync>,
    },
}

/// What is wrong with the credential of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CredentialFault {
    /// There is none, or it is not a bearer token.
    Missing,
    /// It is unknown, or was deactivated; a stranger does not learn which.
    Rejected,
    /// It was accepted until it expired.
    Expired,
}

impl CredentialFault {
    fn log_text(self) -> &'static str {
        match self {
            Self::Missing => "no credential",
            Self::Rejected => "unknown or deactivated credential",
            Self::Expired => "expired credential",
        }
    }
}

impl Failure {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            Self::TdocFetchInProgress { .. } | Self::DocumentFetchInProgress { .. } => 202,
            Self::InvalidParameter { .. }
            | Self::ReplyTooLarge { .. }
            | Self::BadForm
            | Self::MalformedRequest { .. } => 400,
            Self::Unauthorized(_) => 401,
            Self::QuotaExhausted(_) => 402,
            Self::Forbidden { .. } | Self::OutOfScope { .. } => 403,
            Self::NotFound
            | Self::DocumentNotFound { .. }
            | Self::DocumentNotIndexed { .. }
            | Self::ImageNotFound
            | Self::ImageNotCompared
            | Self::TdocNotIndexed { .. }
            | Self::TdocNotFound { .. }
            | Self::OrganizationNotFound { .. } => 404,
            Self::MethodNotAllowed { .. } => 405,
            Self::OrganizationAmbiguous { .. } => 409,
            Self::TdocWithdrawn(_) => 410,
            Self::PayloadTooLarge { .. } => 413,
            Self::UnsupportedMedia { .. } => 415,
            Self::Validation(_) => 422,
            Self::TooManyRequests { .. } | Self::TooManySignIns { .. } => 429,
            Self::Internal { .. } => 500,
            Self::SearchUnavailable { .. } => 502,
            Self::Overloaded { .. } | Self::ModelMissing { .. } | Self::Unavailable { .. } => 503,
        }
    }

    /// The headers beyond those of every reply, by lower-case name.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Unauthorized(CredentialFault::Missing) => {
                vec![("www-authenticate", "Bearer".to_owned())]
            }
            Self::Unauthorized(CredentialFault::Rejected | CredentialFault::Expired) => {
                vec![("www-authenticate", r#"Bearer error="invalid_token""#.to_owned())]
            }
            Self::MethodNotAllowed { allow } => vec![("allow", allow.clone())],
            Self::Overloaded { retry_after_s }
            | Self::TdocFetchInProgress { retry_after_s, .. }
            | Self::DocumentFetchInProgress { retry_after_s, .. }
            | Self::TooManyRequests { retry_after_s }
            | Self::TooManySignIns { retry_after_s } => {
                vec![("retry-after", retry_after_s.to_string())]
            }
            Self::Validation(_)
            | Self::InvalidParameter { .. }
            | Self::ReplyTooLarge { .. }
            | Self::QuotaExhausted(_)
            | Self::Forbidden { .. }
            | Self::OutOfScope { .. }
            | Self::BadForm
            | Self::MalformedRequest { .. }
            | Self::NotFound
            | Self::DocumentNotFound { .. }
            | Self::DocumentNotIndexed { .. }
            | Self::ImageNotFound
            | Self::ImageNotCompared
            | Self::TdocNotIndexed { .. }
            | Self::TdocNotFound { .. }
            | Self::TdocWithdrawn(_)
            | Self::SearchUnavailable { .. }
            | Self::OrganizationAmbiguous { .. }
            | Self::OrganizationNotFound { .. }
            | Self::PayloadTooLarge { .. }
            | Self::UnsupportedMedia { .. }
            | Self::ModelMissing { .. }
            | Self::Unavailable { .. }
            | Self::Internal { .. } => Vec::new(),
        }
    }
}

/// What a status means, for the OpenAPI document; `None` for a status the contract does not have.
pub fn describe_status(status: u16) -> Option<&'static str> {
    Some(match status {
        200 => "The reply.",
        202 => "The document is being fetched; retry after `retry_after` seconds.",
        400 => "A value is not recognised, or the reply would be too large.",
        401 => "The key is missing, malformed, unknown or deactivated, or has expired.",
        402 => "The monthly allowance is used up.",
        403 => "The key is restricted to other operations or series.",
        404 => "Nothing was found at this path.",
        405 => "The path does not support this method.",
        409 => "The name matches several organizations, which are listed.",
        410 => "The document was withdrawn; its record is included.",
        413 => "The body is too large.",
        415 => "The body is compressed; send it uncompressed.",
        422 => "The parameters are invalid; every error is listed.",
        429 => {
            "Too many requests from this address; retry after the number of seconds in \
                `Retry-After`."
        }
        431 => "The path, the query string and the headers exceed 16 KiB together.",
        500 => "Internal error.",
        502 => "The search indexes are unavailable; retry shortly.",
        503 => {
            "The service is busy, a required component is missing, or the work exceeded a limit."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_cause_of_a_defect_is_not_in_the_body() {
        let cause = std::io::Error::other("secret path");
        let failure = Failure::Internal { incident: "i-1".into(), cause: Box::new(cause) };
        assert_eq!(failure.status(), 500);
        assert!(failure.to_string().contains("secret path"));
        let body = failure.body().to_string();
        assert!(body.contains("i-1") && !body.contains("secret"), "{body}");
    }

    #[test]
    fn a_refused_credential_is_challenged() {
        let missing = Failure::Unauthorized(CredentialFault::Missing);
        assert_eq!(missing.body().to_string(), r#"{"detail":"Not authenticated"}"#);
        assert_eq!(missing.headers(), [("www-authenticate", "Bearer".to_owned())]);
        let rejected = Failure::Unauthorized(CredentialFault::Rejected);
        assert!(rejected.headers()[0].1.contains("invalid_token"));
    }

    #[test]
    fn an_invalid_parameter_is_named() {
        let failure =
            Failure::InvalidParameter { parameter: "group", message: "No group XX.".into() };
        assert_eq!(failure.status(), 400);
        assert_eq!(
            failure.body().to_string(),
            concat!(
                r#"{"detail":{"code":"invalid_parameter","#,
                r#""message":"No group XX.","parameter":"group"}}"#
            )
        );
    }

    #[test]
    fn the_log_never_gets_what_a_client_sent() {
        let fault = ValidationFault::new(
            super::super::FaultKind::StringType,
            Vec::new(),
            Value::from("my query"),
        );
        assert!(!Failure::Validation(vec![fault]).to_string().contains("my query"));
    }
}
