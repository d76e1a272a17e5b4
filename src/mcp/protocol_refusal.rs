//! Failures of operations as errors of the protocol, for requests that are not calls of tools.

use rmcp::{ErrorData, model::ErrorCode};
use serde_json::Value;

use crate::http::log_failure;
use wire::Failure;

/// Statuses of REST from which the fault is the server's, and for parameters that are not valid.
const FIRST_SERVER_FAULT: u16 = 500;
const INVALID_PARAMETERS: [u16; 3] = [400, 404, 422];

/// The error: a sentence, with the body of the REST error as its data.
pub(super) fn refuse_request(failure: &Failure) -> ErrorData {
    log_failure(failure);
    let code = match failure.status() {
        FIRST_SERVER_FAULT.. => ErrorCode::INTERNAL_ERROR,
        status if INVALID_PARAMETERS.contains(&status) => ErrorCode::INVALID_PARAMS,
        _ => ErrorCode::INVALID_REQUEST,
    };
    let data = match failure.body() {
        Value::Object(mut body) => body.shift_remove("detail"),
        _ => None,
    };
    ErrorData::new(code, failure.client_message(), data)
}
