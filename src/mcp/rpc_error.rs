//! Errors of JSON-RPC 2.0.

use serde_json::{Value, json};

/// Error codes of JSON-RPC 2.0, section 5.1.
pub(super) const PARSE_ERROR: i32 = -32700;
pub(super) const INVALID_REQUEST: i32 = -32600;
pub(super) const INTERNAL_ERROR: i32 = -32603;

/// The message that refuses a request.
pub(super) fn rpc_error_message(id: Value, code: i32, message: &str) -> Value {
    let error = json!({ "code": code, "message": message });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}
