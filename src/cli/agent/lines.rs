//! Lines of an agent: one JSON-RPC message each.

use std::io::{self, BufRead, Read};

use serde_json::{Value, json};

/// The longest line that is read: as long as a request over HTTP may be.
pub(super) const MAX_LINE_BYTES: u64 = 1 << 20;

/// Error codes of JSON-RPC 2.0, section 5.1.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INTERNAL_ERROR: i32 = -32603;

/// What an agent says in a line.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AgentLine {
    /// A request, which gets an answer.
    Request(Value),
    /// The agent no longer waits for the answer to the request with this id.
    Cancelled(Value),
    /// Anything else that gets no answer: another notification, or an answer that nothing here asked for.
    Silent,
    /// No message; the error that says so.
    Invalid(Value),
}

impl AgentLine {
    /// Reads the next line; `None` at the end of the input. A last line without an end counts.
    pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Self>> {
        loop {
            let mut line = Vec::new();
            input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
            if line.is_empty() {
                return Ok(None);
            }
            if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with(b"\n") {
                skip_line(input)?;
                let message = format!("The message is longer than {MAX_LINE_BYTES} bytes.");
                return Ok(Some(Self::Invalid(error(Value::Null, INVALID_REQUEST, &message))));
            }
            if !line.trim_ascii().is_empty() {
                return Ok(Some(Self::from_bytes(&line)));
            }
        }
    }

    fn from_bytes(line: &[u8]) -> Self {
        let refused = |id, code, message| Self::Invalid(error(id, code, message));
        let message = match serde_json::from_slice(line) {
            Ok(Value::Object(message)) => message,
            Ok(Value::Array(_)) => {
                let message = "Send one message in each line; batches are not supported.";
                return refused(Value::Null, INVALID_REQUEST, message);
            }
            Ok(_) => {
                return refused(
                    Value::Null,
                    INVALID_REQUEST,
                    "The line is not a JSON-RPC message.",
                );
            }
            Err(_) => return refused(Value::Null, PARSE_ERROR, "The line is not JSON."),
        };
        let id = message.get("id").cloned();
        match (message.get("method").and_then(Value::as_str), id) {
            (Some(_), Some(_)) => Self::Request(Value::Object(message)),
            (Some("notifications/cancelled"), None) => {
                let id = message.get("params").and_then(|params| params.get("requestId"));
                id.map_or(Self::Silent, |id| Self::Cancelled(id.clone()))
            }
            (Some(_), None) => Self::Silent,
            (None, _) if message.contains_key("result") || message.contains_key("error") => {
                Self::Silent
            }
            (None, id) => refused(
                id.unwrap_or_default(),
                INVALID_REQUEST,
                "The line is not a JSON-RPC message.",
            ),
        }
    }
}

/// The answer to a request that could not be passed on.
pub(super) fn failed_request(request: &Value, message: &str) -> Value {
    error(request.get("id").cloned().unwrap_or_default(), INTERNAL_ERROR, message)
}

fn error(id: Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Skips the rest of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        let (skipped, is_end) = match available.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (available.len(), available.is_empty()),
        };
        input.consume(skipped);
        if is_end {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_lines(text: &[u8]) -> Vec<AgentLine> {
        let mut input = text;
        std::iter::from_fn(|| AgentLine::read(&mut input).expect("memory is readable")).collect()
    }

    #[test]
    fn requests_are_told_from_what_gets_no_answer() {
        let request = json!({"jsonrpc": "2.0", "id": 0, "method": "ping"});
        let text = format!(
            "{request}\r\n\n  \n{}\n{}\n{}\n{}\n{}",
            json!({"method": "notifications/initialized"}),
            json!({"method": "notifications/cancelled", "params": {"requestId": "a"}}),
            json!({"method": "notifications/cancelled"}),
            json!({"id": 4, "result": {}}),
            json!({"id": "last", "method": "tools/list"}),
        );
        let read = read_lines(text.as_bytes());
        let last = json!({"id": "last", "method": "tools/list"});
        let expected = [
            AgentLine::Request(request),
            AgentLine::Silent,
            AgentLine::Cancelled(json!("a")),
            AgentLine::Silent,
            AgentLine::Silent,
            AgentLine::Request(last),
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn what_is_no_message_gets_an_error_and_the_next_line_is_read() {
        let ping = r#"{"id": 1, "method": "ping"}"#;
        let long = "x".repeat(3 << 20);
        for (line, id, code) in [
            ("nothing", Value::Null, PARSE_ERROR),
            ("\u{feff}{}", Value::Null, PARSE_ERROR),
            ("[]", Value::Null, INVALID_REQUEST),
            ("5", Value::Null, INVALID_REQUEST),
            (r#"{"id": 7}"#, json!(7), INVALID_REQUEST),
            (r#"{"id": 7, "method": 5}"#, json!(7), INVALID_REQUEST),
            (&long, Value::Null, INVALID_REQUEST),
        ] {
            let read = read_lines(format!("{line}\n{ping}\n").as_bytes());
            let shown: String = line.chars().take(30).collect();
            let [AgentLine::Invalid(error), AgentLine::Request(_)] = read.as_slice() else {
                panic!("{shown}: {read:?}");
            };
            assert_eq!((&error["id"], &error["error"]["code"]), (&id, &json!(code)), "{shown}");
        }
        let invalid = read_lines(b"\xff\xfe\n");
        assert!(matches!(invalid.as_slice(), [AgentLine::Invalid(_)]), "{invalid:?}");
    }
}
