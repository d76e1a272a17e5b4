//! The keys of rows.

use std::ops::RangeInclusive;

use domain::{DocNumber, Version};

/// Key of a section, a figure, a term or a passage of a TDoc: document id and ordinal among those of
/// the document.
pub(crate) fn pack_key(document: u32, ordinal: u32) -> u64 {
    u64::from(document) << 32 | u64::from(ordinal)
}

/// Document id and ordinal of a key that [`pack_key`] made.
pub(crate) fn unpack_key(key: u64) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// The keys of everything in a document.
pub(crate) fn document_key_range(document: u32) -> RangeInclusive<u64> {
    pack_key(document, 0)..=pack_key(document, u32::MAX)
}

/// Key of a document version in `DOCUMENT_IDS`.
pub(crate) fn version_key(number: &DocNumber, version: Version) -> String {
    format!("{number} {version}")
}

/// The part of a content's hash that is its key; 128 bits rule out accidental collisions.
pub(crate) fn content_key(hash: &[u8; 32]) -> u128 {
    let mut low = [0; 16];
    low.copy_from_slice(&hash[..16]);
    u128::from_le_bytes(low)
}
