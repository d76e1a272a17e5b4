//! The content of one source as it is packed and unpacked: without ids, dates and batches of an index.
//!
//! It contains everything that is derived from a source, so that importing it needs no parser and no model; and
//! nothing else, so that the same source gives the same bytes everywhere. The forms are those of the tables, in
//! postcard, after one byte for their version: they only ever grow at the end (`docs/pack-format.md`).

mod document;
mod document_forms;
mod document_read;
mod meeting;
mod notes;
mod state;
mod tdoc;
#[cfg(test)]
mod tests;

pub use document::{PackedDocument, PackedOrigin, PackedPicture};
pub use document_read::DocumentPictures;
pub use meeting::{MeetingToPack, PackedMeeting};
pub use notes::{PackedDecisionVectors, PackedNotes};
pub use state::{DocumentState, IndexState, TdocState};
pub use tdoc::PackedTdoc;

use serde::{Serialize, de::DeserializeOwned};

use crate::StoreError;

/// Version of the packed forms of which there is one only.
const PACKED_VERSION: u8 = 1;

/// The bytes of a packed form.
fn encode_packed<T: Serialize>(version: u8, value: &T) -> Vec<u8> {
    let bytes = vec![version];
    postcard::to_extend(value, bytes)
        .expect("rows have no maps of unknown length and no untagged enums")
}

/// Reads a packed form of a version; `what` names it in the error.
fn decode_packed<T: DeserializeOwned>(
    version: u8,
    bytes: &[u8],
    what: &'static str,
) -> Result<T, StoreError> {
    let refused = || StoreError::Packed { what };
    let body = bytes.strip_prefix(&[version]).ok_or_else(refused)?;
    match postcard::take_from_bytes(body) {
        Ok((value, [])) => Ok(value),
        _ => Err(refused()),
    }
}
