//! A sample of each error, for the OpenAPI document.

use serde_json::json;

use super::{CredentialFault, Failure};
use crate::{
    fault::{FaultKind, LocationStep, ValidationFault},
    records::{OrganizationCandidate, QuotaDetail, TdocRecord},
};

impl Failure {
    /// One of each error that a client of the operations can get, for the documentation.
    pub fn sample_failures() -> Vec<Self> {
        let fault = ValidationFault::new(
            FaultKind::Missing,
            vec![LocationStep::Name("body".to_owned()), LocationStep::Name("query".to_owned())],
            json!({}),
        );
        vec![
            Self::InvalidParameter {
                parameter: "version",
                message: "'latest' is not a version.".to_owned(),
            },
            Self::ReplyTooLarge { parameter: "doc_number", found: 4711, limit: 200 },
            Self::Unauthorized(CredentialFault::Missing),
            Self::Unauthorized(CredentialFault::Rejected),
            Self::Unauthorized(CredentialFault::Expired),
            Self::QuotaExhausted(Box::new(QuotaDetail::sample())),
            Self::OutOfScope { message: "This key may not call get_tdoc.".to_owned() },
            Self::NotFound,
            Self::DocumentNotFound { document_id: 4711 },
            Self::DocumentNotIndexed {
                message: "38.331 18.1.0 is not indexed, but the mirror lists it.".to_owned(),
            },
            Self::DocumentFetchInProgress {
                document: "38.331 18.1.0".to_owned(),
                stage: "its files are downloaded, since 3 s".to_owned(),
                retry_after_s: 5,
            },
            Self::ImageNotFound,
            Self::ImageNotCompared,
            Self::TdocNotIndexed { tdoc_id: "R1-2405780".to_owned(), known_from: Vec::new() },
            Self::TdocNotFound { tdoc_id: "R1-2499999".to_owned() },
            Self::TdocWithdrawn(Box::new(TdocRecord::sample())),
            Self::TdocFetchInProgress { tdoc_id: "R1-2405780".to_owned(), retry_after_s: 5 },
            Self::SearchUnavailable { message: "The search indexes are unavailable.".to_owned() },
            Self::OrganizationAmbiguous {
                name: "China".to_owned(),
                candidates: OrganizationCandidate::samples(),
            },
            Self::OrganizationNotFound { name: "Nobody".to_owned() },
            Self::MethodNotAllowed { allow: "GET,HEAD".to_owned() },
            Self::MalformedRequest { message: "The body is incomplete." },
            Self::PayloadTooLarge { limit_bytes: 1 << 20 },
            Self::UnsupportedMedia { message: "The body must not be compressed." },
            Self::Validation(vec![fault]),
            Self::TooManyRequests { retry_after_s: 1 },
            Self::Internal {
                incident: "5f0c2f6d9b1e4a37".to_owned(),
                cause: "never told to a client".into(),
            },
            Self::Overloaded { retry_after_s: 2 },
            Self::ModelMissing {
                message: "The model NAME is not installed: FILE is missing.".to_owned(),
            },
            Self::Unavailable {
                message: "Part of the service is temporarily unavailable.".to_owned(),
            },
        ]
    }
}
