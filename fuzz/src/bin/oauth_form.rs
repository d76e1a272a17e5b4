//! Any bytes as the form of an OAuth client: each field once, and not empty.

#![no_main]

#[path = "../../../src/mcp/oauth/form_fields.rs"]
#[expect(dead_code, reason = "the program uses the rest")]
mod form_fields;

use form_fields::FormFields;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    let Ok(fields) = FormFields::parse_urlencoded(text) else { return };
    for name in ["client_id", "code", "grant_type", "redirect_uri", "refresh_token", ""] {
        assert_ne!(fields.get(name), Some(""));
    }
});
