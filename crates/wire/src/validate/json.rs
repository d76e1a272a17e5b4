//! Parses a body as JSON; if that fails, says where and why as CPython does.

use serde_json::Value;

use super::json_scanner::{self, JsonFault};

/// Parses a JSON text; a leading byte order mark is skipped.
pub(super) fn parse_json(raw: &[u8]) -> Result<Value, JsonFault> {
    let text = std::str::from_utf8(raw).map_err(|error| {
        let valid = String::from_utf8_lossy(&raw[..error.valid_up_to()]);
        JsonFault { offset: valid.chars().count(), error: "Invalid UTF-8" }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|_| json_scanner::find_first_fault(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_not_counted() {
        assert_eq!(parse_json("\u{feff}[1]".as_bytes()), Ok(serde_json::json!([1])));
        let fault = parse_json("\u{feff}[1".as_bytes()).expect_err("unfinished");
        assert_eq!(fault.offset, 2);
    }

    #[test]
    fn offsets_count_characters_not_bytes() {
        let fault = parse_json("{\"\u{e4}\u{20ac}\": x}".as_bytes()).expect_err("x is no value");
        assert_eq!(fault, JsonFault { offset: 7, error: "Expecting value" });
        let fault = parse_json(b"{\"\xc3\xa4\": \"\xff\"}").expect_err("not UTF-8");
        assert_eq!(fault, JsonFault { offset: 7, error: "Invalid UTF-8" });
    }
}
