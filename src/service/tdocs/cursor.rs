//! Where a list of documents goes on.
//!
//! A cursor holds the number of the last document and a mark of the filters, so that a page of another
//! question is refused. It holds no place: an import between two pages neither skips nor repeats what was
//! there all the time.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

use super::parameter_values::invalid_parameter;
use domain::TdocId;
use wire::Failure;

/// First byte of a cursor; another form gets another one.
const CURSOR_VERSION: u8 = 1;
/// Bytes of the mark of the filters.
const FINGERPRINT_BYTES: usize = 8;

/// The mark of filters, given in any form that is the same for the same filters.
pub(super) fn fingerprint_filters(filters: &[u8]) -> [u8; FINGERPRINT_BYTES] {
    let hash = blake3::hash(filters);
    let mut mark = [0; FINGERPRINT_BYTES];
    mark.copy_from_slice(&hash.as_bytes()[..FINGERPRINT_BYTES]);
    mark
}

/// The cursor that goes on after a document.
pub(super) fn encode_cursor(mark: [u8; FINGERPRINT_BYTES], last: &TdocId) -> String {
    let bytes = [&[CURSOR_VERSION][..], &mark, last.as_str().as_bytes()].concat();
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The document after which a cursor goes on.
pub(super) fn decode_cursor(
    mark: [u8; FINGERPRINT_BYTES],
    cursor: &str,
) -> Result<TdocId, Failure> {
    let foreign = || invalid_parameter("cursor", "This is no cursor of a list of TDocs.");
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(cursor.trim()).map_err(|_| foreign())?;
    let Some((&CURSOR_VERSION, rest)) = bytes.split_first() else { return Err(foreign()) };
    let (found, id) = rest.split_at_checked(FINGERPRINT_BYTES).ok_or_else(foreign)?;
    if found != mark {
        let message = "The cursor belongs to other filters; give the same ones as for its page.";
        return Err(invalid_parameter("cursor", message));
    }
    std::str::from_utf8(id).ok().and_then(|id| id.parse().ok()).ok_or_else(foreign)
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
        assert!(other.body().to_string().contains("other filters"));
        for foreign in ["", "!", "AAAA", &cursor[..8], "AQ"] {
            assert_eq!(
                decode_cursor(own, foreign).expect_err("no cursor").status(),
                400,
                "{foreign}"
            );
        }
    }
}
