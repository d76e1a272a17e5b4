//! Cursors: where the next page of a list of documents begins.
//!
//! A cursor contains the number of the last document and a fingerprint of the filters, so that a cursor of other
//! filters is refused. It contains no offset: an import between two pages neither skips nor repeats documents that
//! were there all the time.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

use super::parameter_values::invalid_parameter;
use domain::TdocId;
use wire::Failure;

/// First byte of a cursor: the version of its format.
const CURSOR_VERSION: u8 = 1;
/// Length of the fingerprint of the filters: it only notices a mistake, so it need not resist an attack.
const FINGERPRINT_BYTES: usize = 8;

/// The fingerprint of filters, given in any form that is the same for the same filters.
pub(super) fn fingerprint_filters(filters: &[u8]) -> [u8; FINGERPRINT_BYTES] {
    let hash = blake3::hash(filters);
    let mut fingerprint = [0; FINGERPRINT_BYTES];
    fingerprint.copy_from_slice(&hash.as_bytes()[..FINGERPRINT_BYTES]);
    fingerprint
}

/// The cursor of the page that begins after a document.
pub(super) fn encode_cursor(fingerprint: [u8; FINGERPRINT_BYTES], last: &TdocId) -> String {
    let bytes = [&[CURSOR_VERSION][..], &fingerprint, last.as_str().as_bytes()].concat();
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The document after which the page of a cursor begins.
pub(super) fn decode_cursor(
    fingerprint: [u8; FINGERPRINT_BYTES],
    cursor: &str,
) -> Result<TdocId, Failure> {
    let malformed = || invalid_parameter("cursor", "This is not a valid cursor for a TDoc list.");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.trim()).map_err(|_| malformed())?;
    let Some((&CURSOR_VERSION, rest)) = bytes.split_first() else { return Err(malformed()) };
    let (found, id) = rest.split_at_checked(FINGERPRINT_BYTES).ok_or_else(malformed)?;
    if found != fingerprint {
        let message =
            "The cursor is for different filters; use the same filters as for the previous page.";
        return Err(invalid_parameter("cursor", message));
    }
    std::str::from_utf8(id).ok().and_then(|id| id.parse().ok()).ok_or_else(malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_others_are_refused() {
        let id: TdocId = "R1-2405780".parse().expect("a number");
        let own = fingerprint_filters(b"filters");
        let cursor = encode_cursor(own, &id);
        assert_eq!(decode_cursor(own, &cursor).ok(), Some(id));
        let other =
            decode_cursor(fingerprint_filters(b"others"), &cursor).expect_err("other filters");
        assert!(other.body().to_string().contains("different filters"));
        for malformed in ["", "!", "AAAA", &cursor[..8], "AQ"] {
            assert_eq!(
                decode_cursor(own, malformed).expect_err("no cursor").status(),
                400,
                "{malformed}"
            );
        }
    }
}
