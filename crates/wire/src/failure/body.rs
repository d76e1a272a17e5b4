//! The JSON body of each error.

use serde_json::{Map, Value, json};

use super::{CredentialFault, Failure};
use crate::records::{QuotaDetail, TdocMention};

impl Failure {
    /// The JSON body: `detail` and nothing else. If FastAPI has a form for an error, `detail` has that form;
    /// otherwise it is an object of `code`, `message` and a field that belongs to the code.
    pub fn body(&self) -> Value {
        let detail = match (self, self.code()) {
            (Self::Validation(faults), _) => json!(faults),
            (Self::QuotaExhausted(quota), _) => json!(quota),
            (_, None) => json!(self.client_message()),
            (_, Some(code)) => {
                let mut detail = Map::new();
                detail.insert("code".to_owned(), code.into());
                detail.insert("message".to_owned(), self.client_message().into());
                detail.extend(self.field_of_code().map(|(name, value)| (name.to_owned(), value)));
                Value::Object(detail)
            }
        };
        json!({ "detail": detail })
    }

    /// The code by which programs distinguish errors; `None` for errors that FastAPI has a form for.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unauthorized(_)
            | Self::Validation(_)
            | Self::NotFound
            | Self::MethodNotAllowed { .. } => return None,
            Self::QuotaExhausted(_) => QuotaDetail::CODE,
            Self::InvalidParameter { .. } => "invalid_parameter",
            Self::ReplyTooLarge { .. } => "reply_too_large",
            Self::DocumentNotFound { .. } => "document_not_found",
            Self::DocumentNotIndexed { .. } => "document_not_indexed",
            Self::DocumentFetchInProgress { .. } => "document_fetch_in_progress",
            Self::TdocNotIndexed { .. } => "tdoc_not_indexed",
            Self::TdocNotFound { .. } => "tdoc_not_found",
            Self::TdocFetchInProgress { .. } => "tdoc_fetch_in_progress",
            Self::SearchUnavailable { .. } => "search_unavailable",
            Self::TdocWithdrawn(_) => "tdoc_withdrawn",
            Self::OrganizationAmbiguous { .. } => "organization_ambiguous",
            Self::OrganizationNotFound { .. } => "organization_not_found",
            Self::ImageNotFound => "image_not_found",
            Self::ImageNotCompared => "image_not_compared",
            Self::TooManyRequests { .. } => "too_many_requests",
            Self::TooManySignIns { .. } => "too_many_sign_ins",
            Self::Forbidden { .. } => "forbidden",
            Self::OutOfScope { .. } => "out_of_scope",
            Self::BadForm => "bad_form",
            Self::MalformedRequest { .. } => "malformed_request",
            Self::PayloadTooLarge { .. } => "payload_too_large",
            Self::UnsupportedMedia { .. } => "unsupported_media_type",
            Self::Overloaded { .. } => "overloaded",
            Self::ModelMissing { .. } => "model_missing",
            Self::Unavailable { .. } => "unavailable",
            Self::Internal { .. } => "internal_error",
        })
    }

    /// A sentence for people: what is wrong and, if possible, what to do.
    pub fn client_message(&self) -> String {
        match self {
            Self::InvalidParameter { message, .. }
            | Self::SearchUnavailable { message }
            | Self::DocumentNotIndexed { message }
            | Self::ModelMissing { message }
            | Self::OutOfScope { message }
            | Self::Unavailable { message } => message.clone(),
            Self::Forbidden { message }
            | Self::UnsupportedMedia { message }
            | Self::MalformedRequest { message } => (*message).to_owned(),
            Self::QuotaExhausted(quota) => quota.message.clone(),
            Self::ReplyTooLarge { parameter, found, limit } => {
                format!("{found} items match, but at most {limit} can be returned; add {parameter}.")
            }
            Self::DocumentNotFound { document_id } => {
                format!("There is no document with ID {document_id}.")
            }
            Self::TdocNotIndexed { tdoc_id, known_from } => match known_from.first() {
                None => format!(
                    "{tdoc_id} is not in any imported register; call fetch_tdoc to fetch it."
                ),
                Some(TdocMention { tdoc_id: by, words }) => format!(
                    "No imported register has a row for {tdoc_id}; it is known from the row of {by}: \"{words}\". Call \
                        fetch_tdoc to fetch it."
                ),
            },
            Self::TdocNotFound { tdoc_id } => format!(
                "TDoc '{tdoc_id}' was not found: no register lists it, and the mirror has no such file."
            ),
            Self::TdocFetchInProgress { tdoc_id, .. } => {
                format!("{tdoc_id} is being fetched; retry after `retry_after` seconds.")
            }
            Self::DocumentFetchInProgress { document, stage, .. } => {
                format!("{document} is being fetched: {stage}. Retry after `retry_after` seconds.")
            }
            Self::TdocWithdrawn(tdoc) => format!("{} was withdrawn.", tdoc.tdoc_id),
            Self::OrganizationAmbiguous { name, .. } => {
                format!("'{name}' matches several organizations; use the org_id of one of them.")
            }
            Self::OrganizationNotFound { name } => {
                format!("No organization matches '{name}'.")
            }
            Self::TooManySignIns { retry_after_s } => {
                format!("Too many sign-in attempts. Try again in {retry_after_s} s.")
            }
            Self::PayloadTooLarge { limit_bytes } => {
                format!("The body must not exceed {limit_bytes} bytes.")
            }
            Self::Unauthorized(CredentialFault::Missing) => "Not authenticated".to_owned(),
            Self::Unauthorized(CredentialFault::Rejected) => "Invalid API key".to_owned(),
            Self::Unauthorized(CredentialFault::Expired) => "API key has expired".to_owned(),
            Self::NotFound => "Not Found".to_owned(),
            Self::MethodNotAllowed { .. } => "Method Not Allowed".to_owned(),
            Self::Validation(_) => "The request is invalid.".to_owned(),
            Self::ImageNotFound => "Picture not found.".to_owned(),
            Self::ImageNotCompared => {
                "This picture has no vector. The operator can compute the vectors of all pictures with \"specbox \
                    reindex --model NAME\" and an image model from \"specbox models list\"."
                    .to_owned()
            }
            Self::TooManyRequests { .. } => {
                "Too many requests from this address; retry after the number of seconds in \
                    `Retry-After`."
                    .to_owned()
            }
            Self::BadForm => "The form is invalid.".to_owned(),
            Self::Overloaded { .. } => {
                "The service is busy; retry after the number of seconds in `Retry-After`.".to_owned()
            }
            Self::Internal { .. } => "Internal error; give the incident number to the operator.".to_owned(),
        }
    }

    /// What `detail` contains besides the code and the message.
    fn field_of_code(&self) -> Option<(&'static str, Value)> {
        match self {
            Self::InvalidParameter { parameter, .. } | Self::ReplyTooLarge { parameter, .. } => {
                Some(("parameter", json!(parameter)))
            }
            Self::TdocWithdrawn(tdoc) => Some(("tdoc", json!(tdoc))),
            Self::TdocNotIndexed { known_from, .. } if !known_from.is_empty() => {
                Some(("known_from", json!(known_from)))
            }
            Self::OrganizationAmbiguous { candidates, .. } => {
                Some(("candidates", json!(candidates)))
            }
            Self::TdocFetchInProgress { retry_after_s, .. }
            | Self::DocumentFetchInProgress { retry_after_s, .. }
            | Self::TooManyRequests { retry_after_s }
            | Self::TooManySignIns { retry_after_s }
            | Self::Overloaded { retry_after_s } => Some(("retry_after", json!(retry_after_s))),
            Self::Internal { incident, .. } => Some(("incident", json!(incident))),
            _ => None,
        }
    }
}
