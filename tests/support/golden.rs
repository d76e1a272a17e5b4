//! Requests and answers recorded from FastAPI 0.163.2 with pydantic 2.14.3, and the list of
//! answers that are ours instead.
//!
//! The model behind the recording is the plain one of the interface; the routes under `/v/` are
//! variants of it. An accepted request was answered with `echo`, its parameters after coercion.
//! Answers are compared as JSON with its key order; an integer beyond 64 bits is read as the
//! nearest double on both sides, which is also how the service echoes one.

use serde_json::{Value, json};

/// One recorded request with its answer.
pub(crate) struct Pair {
    /// The name of the case.
    pub(crate) id: String,
    /// The method.
    pub(crate) method: String,
    /// The path with its query string, as sent.
    pub(crate) target: String,
    /// The `Content-Type` header.
    pub(crate) content_type: Option<String>,
    /// The body.
    pub(crate) body: Vec<u8>,
    /// The status to answer with.
    pub(crate) status: u16,
    /// The body to answer with.
    pub(crate) response: Value,
}

impl Pair {
    /// The path without its query string.
    pub(crate) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }
}

/// Every recorded pair, with our own answer where we deviate.
pub(crate) fn pairs() -> Vec<Pair> {
    let recording = include_str!("../fixtures/golden-422.jsonl");
    let lines = recording.lines().skip(1).map(|line| {
        let line: Value = serde_json::from_str(line).expect("each line is JSON");
        pair(&line)
    });
    lines.collect()
}

fn pair(line: &Value) -> Pair {
    let text = |key: &str| line[key].as_str().map(str::to_owned);
    // The recording holds each byte of a body as one character.
    let body = text("request_body_raw").unwrap_or_default();
    let body = body.chars().map(|c| u8::try_from(c).expect("a body is recorded bytewise"));
    let id = text("id").expect("a pair has an id");
    let recorded = (line["status"].as_u64().expect("a status"), line["response"].clone());
    let (status, response) = deviation(&id).unwrap_or(recorded);
    Pair {
        id,
        method: text("method").expect("a method"),
        target: text("path").expect("a path"),
        content_type: text("request_content_type"),
        body: body.collect(),
        status: u16::try_from(status).expect("a status has three digits"),
        response,
    }
}

/// Our answer where it is deliberately not that of FastAPI.
fn deviation(id: &str) -> Option<(u64, Value)> {
    Some(match id {
        // FastAPI fails with a 500 where Python's JSON reader is laxer than JSON.
        "text-mc-nan" => json_invalid(27, "Expecting value"),
        "text-thr-nan" | "text-thr-inf" => json_invalid(31, "Expecting value"),
        "text-mc-1e400" => json_invalid(27, "Number out of range"),
        "text-lone-surrogate" => json_invalid(11, "Unpaired surrogate in \\uXXXX escape"),
        // FastAPI answers 400 without saying what is wrong or where.
        "text-mc-4301-digits" => json_invalid(27, "Number out of range"),
        "text-invalid-utf8" => json_invalid(10, "Invalid UTF-8"),
        // The recorded model has no least length; an empty query finds nothing.
        "text-query-empty" => {
            let message = "String should have at least 1 character";
            let mut fault = fault("string_too_short", json!(["body", "query"]), message, "");
            fault["ctx"] = json!({"min_length": 1});
            (422, json!({"detail": [fault]}))
        }
        // Python has integers of any size, a document id has 64 bits.
        "doc-huge" => {
            let message = "Unable to parse input string as an integer, exceeded maximum size";
            let input = "9".repeat(40);
            let fault = fault("int_parsing_size", json!(["path", "document_id"]), message, &input);
            (422, json!({"detail": [fault]}))
        }
        // FastAPI redirects to the path without the slash; a POST would not survive that.
        "text-trailing-slash" | "doc-trailing-slash" => (404, json!({"detail": "Not Found"})),
        _ => return None,
    })
}

fn fault(code: &str, loc: Value, message: &str, input: &str) -> Value {
    json!({"type": code, "loc": loc, "msg": message, "input": input})
}

fn json_invalid(offset: usize, error: &str) -> (u64, Value) {
    let fault = json!({
        "type": "json_invalid",
        "loc": ["body", offset],
        "msg": "JSON decode error",
        "input": {},
        "ctx": {"error": error},
    });
    (422, json!({"detail": [fault]}))
}
