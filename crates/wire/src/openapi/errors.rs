//! The schemas of errors.

use serde_json::{Value, json};

use super::components::Components;
use crate::{records::QuotaDetail, schema::documented_reply};

/// The schema of the body of an error with this status.
pub(super) fn refusal_schema(components: &mut Components, status: u16) -> Value {
    match status {
        402 => quota_exhausted_schema(components),
        422 => validation_error_schema(components),
        _ => error_schema(components),
    }
}

/// The two schemas of FastAPI, unchanged.
fn validation_error_schema(components: &mut Components) -> Value {
    components.insert_schema(
        "HTTPValidationError",
        json!({
            "type": "object",
            "title": "HTTPValidationError",
            "properties": {
                "detail": {
                    "type": "array",
                    "title": "Detail",
                    "items": Components::schema_reference("ValidationError"),
                },
            },
        }),
    );
    components.insert_schema(
        "ValidationError",
        json!({
            "type": "object",
            "title": "ValidationError",
            "properties": {
                "loc": {
                    "type": "array",
                    "title": "Location",
                    "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
                },
                "msg": {"type": "string", "title": "Message"},
                "type": {"type": "string", "title": "Error Type"},
                "input": {"title": "Input"},
                "ctx": {"type": "object", "title": "Context"},
            },
            "required": ["loc", "msg", "type"],
        }),
    );
    Components::schema_reference("HTTPValidationError")
}

fn quota_exhausted_schema(components: &mut Components) -> Value {
    let detail = components.extract_records(&documented_reply::<QuotaDetail>());
    components.insert_schema(
        "QuotaExhausted",
        json!({"type": "object", "properties": {"detail": detail}, "required": ["detail"]}),
    );
    Components::schema_reference("QuotaExhausted")
}

fn error_schema(components: &mut Components) -> Value {
    components.insert_schema(
        "Error",
        json!({
            "type": "object",
            "properties": {
                "detail": Components::schema_reference("ErrorReason"),
            },
            "required": ["detail"],
        }),
    );
    // Not within `Error`: generators name an alternative there after its place, `ErrorDetail`, and take it for the schema of this
    // name; a sentence then has no type. And one of both: with `anyOf`, some merge the two into one record.
    components.insert_schema(
        "ErrorReason",
        json!({
            "description": "A sentence, or a code with a sentence.",
            "oneOf": [{"type": "string"}, Components::schema_reference("ErrorDetail")],
        }),
    );
    components.insert_schema(
        "ErrorDetail",
        json!({
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "The error code, for programs."},
                "message": {"type": "string", "description": "A sentence for people."},
                "parameter": {"type": "string", "description": "The parameter to change."},
                "retry_after": {"type": "integer", "format": "int64", "description": "Seconds to wait."},
                "incident": {"type": "string", "description": "The number to report to the operator."},
                "tdoc": {"type": "object", "description": "The record of a withdrawn TDoc."},
                "candidates": {
                    "type": "array",
                    "items": {"type": "object"},
                    "description": "The organizations that the name may refer to.",
                },
            },
            "required": ["code", "message"],
        }),
    );
    Components::schema_reference("Error")
}
