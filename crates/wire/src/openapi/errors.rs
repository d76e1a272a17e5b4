//! The schemas of refusals.

use serde_json::{Value, json};

use super::components::Components;
use crate::{records::QuotaDetail, schema::reply_schema};

/// Gives the schema of the body of a refusal.
pub(super) fn refusal_schema(components: &mut Components, status: u16) -> Value {
    match status {
        402 => quota_exhausted(components),
        422 => validation_error(components),
        _ => error(components),
    }
}

/// The two schemas of FastAPI, unchanged.
fn validation_error(components: &mut Components) -> Value {
    components.insert(
        "HTTPValidationError",
        json!({
            "type": "object",
            "title": "HTTPValidationError",
            "properties": {
                "detail": {
                    "type": "array",
                    "title": "Detail",
                    "items": Components::reference("ValidationError"),
                },
            },
        }),
    );
    components.insert(
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
    Components::reference("HTTPValidationError")
}

fn quota_exhausted(components: &mut Components) -> Value {
    let detail = components.lift(&reply_schema::<QuotaDetail>());
    components.insert(
        "QuotaExhausted",
        json!({"type": "object", "properties": {"detail": detail}, "required": ["detail"]}),
    );
    Components::reference("QuotaExhausted")
}

fn error(components: &mut Components) -> Value {
    components.insert(
        "Error",
        json!({
            "type": "object",
            "properties": {
                "detail": {
                    "description": "A sentence, or a code with a sentence.",
                    "anyOf": [{"type": "string"}, Components::reference("ErrorDetail")],
                },
            },
            "required": ["detail"],
        }),
    );
    components.insert(
        "ErrorDetail",
        json!({
            "type": "object",
            "properties": {
                "code": {"type": "string", "description": "What a program decides by."},
                "message": {"type": "string", "description": "A sentence for people."},
                "parameter": {"type": "string", "description": "The parameter to change."},
                "retry_after": {"type": "integer", "description": "Seconds to wait."},
                "incident": {"type": "string", "description": "What to report."},
                "tdoc": {"type": "object", "description": "The record of a withdrawn TDoc."},
                "candidates": {
                    "type": "array",
                    "items": {"type": "object"},
                    "description": "The organizations that may be meant.",
                },
            },
            "required": ["code", "message"],
        }),
    );
    Components::reference("Error")
}
