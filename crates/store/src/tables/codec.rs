//! Values in redb: a version byte, then postcard.

use std::{
    cell::RefCell,
    sync::{Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};

use crate::StoreError;

/// Increased when the shape of any stored value changes.
const VALUE_VERSION: u8 = 1;

/// Bytes that are decoded in about the time of one step of a cost meter.
const BYTES_PER_STEP: usize = 32;

/// Encodes a value.
pub(crate) fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_extend(value, vec![VALUE_VERSION])
        .expect("plain data with no failing serializer encodes into memory")
}

/// Decodes a value; `what` names it in the error.
pub(crate) fn decode<T: DeserializeOwned>(
    bytes: &[u8],
    what: &'static str,
) -> Result<T, StoreError> {
    let error = || StoreError::Decode { what };
    cost_meter::spend(1 + bytes.len() / BYTES_PER_STEP);
    match bytes.split_first() {
        Some((&VALUE_VERSION, body)) => postcard::from_bytes(body).map_err(|_| error()),
        _ => Err(error()),
    }
}

/// Longest text or value before compression. The length is read from the row, and a damaged one could reserve 4 GiB.
const MAX_TEXT_BYTES: u32 = 512 << 20;

/// Level of compression: the default of zstd.
const ZSTD_LEVEL: i32 = 3;

/// Compresses a section's text as documents had it before there was a model: its length in bytes (u32,
/// little-endian), then one zstd frame.
#[cfg(test)]
pub(crate) fn compress_text(text: &str) -> Result<Vec<u8>, StoreError> {
    compress_bytes(text.as_bytes(), "bytes in a section")
}

thread_local! {
    /// A compressor of its own for each thread: making one takes longer than compressing a short text.
    static COMPRESSOR: RefCell<zstd::bulk::Compressor<'static>> = RefCell::new(
        zstd::bulk::Compressor::new(ZSTD_LEVEL).expect("the level is one that zstd has"),
    );
}

/// Idle decompressors. Pooled, because any of a server's many threads may decompress, but few do at a time, and each takes 100 KiB;
/// compressors stay with their threads, because few threads ever write.
static DECOMPRESSORS: Mutex<Vec<zstd::bulk::Decompressor<'static>>> = Mutex::new(Vec::new());

/// Decompressors that are kept: together at most 1.6 MB, even after many threads decompressed at the same time.
const MAX_DECOMPRESSORS: usize = 16;

/// Encodes a value and compresses it.
pub(crate) fn encode_compressed<T: Serialize>(value: &T) -> Result<Vec<u8>, StoreError> {
    compress_bytes(&encode(value), "bytes in a value")
}

/// Decodes a value of [`encode_compressed`]; `what` names it in the error.
pub(crate) fn decode_compressed<T: DeserializeOwned>(
    bytes: &[u8],
    what: &'static str,
) -> Result<T, StoreError> {
    decode(&decompress_bytes(bytes).ok_or(StoreError::Decode { what })?, what)
}

/// Decompresses a section's text.
pub(crate) fn decompress_text(bytes: &[u8]) -> Result<String, StoreError> {
    let text = decompress_bytes(bytes).and_then(|raw| String::from_utf8(raw).ok());
    text.ok_or(StoreError::Decode { what: "section text" })
}

/// Length in bytes of a compressed value, as it says.
pub(crate) fn decompressed_length(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk::<4>().map(|length| u32::from_le_bytes(*length))
}

fn compress_bytes(bytes: &[u8], what: &'static str) -> Result<Vec<u8>, StoreError> {
    let length = u32::try_from(bytes.len()).ok().filter(|length| *length <= MAX_TEXT_BYTES);
    let length = length.ok_or(StoreError::Full { what })?;
    let frame = COMPRESSOR.with_borrow_mut(|compressor| compressor.compress(bytes));
    let frame = frame.expect("compression into memory that grows does not fail");
    Ok([&length.to_le_bytes()[..], &frame].concat())
}

/// `None` if the bytes do not come from [`compress_bytes`].
fn decompress_bytes(bytes: &[u8]) -> Option<Vec<u8>> {
    let (length, frame) = (decompressed_length(bytes)?, bytes.get(4..)?);
    if length > MAX_TEXT_BYTES {
        return None;
    }
    let idle = || DECOMPRESSORS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = idle().pop();
    let mut decompressor = known.or_else(|| zstd::bulk::Decompressor::new().ok())?;
    let raw = decompressor.decompress(frame, length as usize);
    let mut idle = idle();
    if idle.len() < MAX_DECOMPRESSORS {
        idle.push(decompressor);
    }
    drop(idle);
    let raw = raw.ok()?;
    (raw.len() == length as usize).then_some(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip_and_foreign_bytes_are_refused() {
        let bytes = encode(&("38.331", 7u32));
        assert_eq!(
            decode::<(String, u32)>(&bytes, "pair").expect("own bytes"),
            ("38.331".into(), 7)
        );
        assert!(decode::<(String, u32)>(&bytes[..3], "pair").is_err());
        assert!(decode::<(String, u32)>(&[9, 1, 2], "pair").is_err());
        assert!(decode::<(String, u32)>(&[], "pair").is_err());
    }

    #[test]
    fn texts_round_trip_and_damaged_ones_are_refused() {
        let packed = compress_text("the UE shall ".repeat(50).as_str()).expect("small");
        assert_eq!(decompress_text(&packed).expect("own bytes").len(), 13 * 50);
        assert!(decompress_text(&packed[..packed.len() / 2]).is_err());
        assert!(decompress_text(b"plain").is_err());
    }
}
