//! Refusals of operations, in words for people.

use serde_json::Value;

/// An operation refused: the body that a client of the API would get.
#[derive(Debug)]
pub(super) struct OperationRefusal {
    /// `{"detail": ...}`.
    pub(super) body: Value,
}

impl std::fmt::Display for OperationRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&describe_detail(&self.body["detail"]))
    }
}

impl std::error::Error for OperationRefusal {}

/// A detail as a sentence fragment: a message, or the faults of parameters.
fn describe_detail(detail: &Value) -> String {
    match detail {
        Value::String(message) => to_fragment(message),
        Value::Array(faults) => {
            let faults: Vec<String> = faults.iter().map(describe_fault).collect();
            faults.join("; ")
        }
        _ => detail["message"].as_str().map_or_else(|| detail.to_string(), to_fragment),
    }
}

/// A fault of a parameter: `--release: Input should be ...`.
fn describe_fault(fault: &Value) -> String {
    let message = fault["msg"].as_str().unwrap_or_default();
    let names = fault["loc"].as_array().into_iter().flatten();
    let name = names.filter_map(Value::as_str).rfind(|name| !matches!(*name, "query" | "body"));
    match name {
        Some(name) => format!("{name}: {}", to_fragment(message)),
        None => to_fragment(message),
    }
}

/// A sentence as the end of `specbox: ...`: without its full stop, and with a small first letter unless that is a name.
fn to_fragment(message: &str) -> String {
    let message = message.strip_suffix('.').unwrap_or(message);
    let mut chars = message.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain([second]).chain(chars).collect()
        }
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn refusals_are_words() {
        for (body, words) in [
            (json!({"detail": "Not Found"}), "not Found"),
            (json!({"detail": {"code": "x", "message": "R1-1 is unknown."}}), "R1-1 is unknown"),
            (
                json!({"detail": [{"loc": ["query", "limit"], "msg": "Input is wrong", "type": "t"}]}),
                "limit: input is wrong",
            ),
        ] {
            assert_eq!(OperationRefusal { body }.to_string(), words);
        }
    }
}
