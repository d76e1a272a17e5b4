//! Tests of `json_scanner`.

use super::*;

#[test]
fn faults_have_the_messages_and_offsets_of_cpython() {
    for (text, offset, error) in [
        ("", 0, EXPECTING_VALUE),
        ("   ", 3, EXPECTING_VALUE),
        ("nul", 0, EXPECTING_VALUE),
        ("-", 0, EXPECTING_VALUE),
        ("+1", 0, EXPECTING_VALUE),
        (".5", 0, EXPECTING_VALUE),
        ("\\", 0, EXPECTING_VALUE),
        ("\0", 0, EXPECTING_VALUE),
        ("01", 1, EXTRA_DATA),
        ("1.", 1, EXTRA_DATA),
        ("1e", 1, EXTRA_DATA),
        ("1e+", 1, EXTRA_DATA),
        ("{\"a\":1}}", 7, EXTRA_DATA),
        ("[", 1, EXPECTING_VALUE),
        ("[1", 2, EXPECTING_COMMA),
        ("[1,]", 3, EXPECTING_VALUE),
        ("[1,  ", 5, EXPECTING_VALUE),
        ("[1 2]", 3, EXPECTING_COMMA),
        ("{", 1, EXPECTING_NAME),
        ("{1:2}", 1, EXPECTING_NAME),
        ("{'a'", 1, EXPECTING_NAME),
        ("{\"a\":1,,}", 7, EXPECTING_NAME),
        ("{\"a\":1,2}", 7, EXPECTING_NAME),
        ("{\"a\":1,  ", 9, EXPECTING_NAME),
        ("{\"a\"", 4, EXPECTING_COLON),
        ("{\"a\" :", 6, EXPECTING_VALUE),
        ("{\"a\":}", 5, EXPECTING_VALUE),
        ("{\"a\":1", 6, EXPECTING_COMMA),
        ("{\"a\":1 \"b\"", 7, EXPECTING_COMMA),
        ("\"\\", 0, UNTERMINATED),
        ("[\"abc", 1, UNTERMINATED),
        ("\"a\tb\"", 2, CONTROL_CHARACTER),
        ("\"\u{1f}", 1, CONTROL_CHARACTER),
        ("\"\\q\"", 1, ESCAPE),
        ("{\"a\":\"\\x\"}", 6, ESCAPE),
        ("\"\\u12", 2, UNICODE_ESCAPE),
        ("\"\\u1234", 2, UNICODE_ESCAPE),
        ("\"\\u12zz\"", 2, UNICODE_ESCAPE),
        ("\"\\u12\u{e4}4\"", 2, UNICODE_ESCAPE),
    ] {
        assert_eq!(find_first_fault(text), JsonFault { offset, error }, "{text:?}");
    }
}

#[test]
fn what_only_cpython_accepts_has_a_message_of_ours() {
    let deep = "[".repeat(200);
    for (text, offset, error) in [
        ("[NaN]", 1, EXPECTING_VALUE),
        ("[-Infinity]", 1, EXPECTING_VALUE),
        ("[1e400]", 1, NUMBER_RANGE),
        ("\"\\ud800\"", 2, UNPAIRED_SURROGATE),
        ("\"\\udc00\"", 2, UNPAIRED_SURROGATE),
        ("\"\\ud800\\u0041\"", 2, UNPAIRED_SURROGATE),
        (deep.as_str(), 127, TOO_DEEP),
    ] {
        assert_eq!(find_first_fault(text), JsonFault { offset, error }, "{text:?}");
    }
}

/// Replaces each byte of some texts by each of the bytes that mean something to JSON.
#[test]
fn the_scanner_refuses_exactly_what_serde_json_refuses() {
    let seeds = [
        "{\"a\": [1, -2.5e+3, true, null], \"b\\n\": {\"c\": \"\\ud83d\\ude00\"}}",
        "[\"\\u00e4\", 0.10, false, {}, [], \"x\\\\\", 1E9]",
    ];
    for seed in seeds {
        for index in 0..seed.len() {
            for byte in b"{}[],:\"\\ u0x-.+eEdtn\t9\n" {
                let mut bytes = seed.as_bytes().to_vec();
                bytes[index] = *byte;
                let text = String::from_utf8(bytes).expect("the seeds are ASCII");
                let reference = serde_json::from_str::<serde_json::Value>(&text).is_ok();
                let mut scanner =
                    JsonScanner { text: &text, bytes: text.as_bytes(), position: 0, depth: 0 };
                assert_eq!(scanner.scan_document().is_ok(), reference, "{text}");
            }
        }
    }
}

#[test]
fn the_depth_limit_is_that_of_serde_json() {
    for depth in [126, 127, 128, 129] {
        let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let reference = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        let mut scanner =
            JsonScanner { text: &text, bytes: text.as_bytes(), position: 0, depth: 0 };
        assert_eq!(scanner.scan_document().is_ok(), reference, "{depth}");
    }
}
