//! Values in redb: a version byte, then postcard.

use std::{
    borrow::Cow,
    cell::RefCell,
    fmt,
    marker::PhantomData,
    sync::{Mutex, PoisonError},
};

use redb::{TypeName, Value};
use serde::{Serialize, de::DeserializeOwned};

use crate::StoreError;

/// Increased when the shape of any stored value changes.
const VALUE_VERSION: u8 = 1;

/// Bytes that are decoded in about the time of one step of a cost meter.
const BYTES_PER_STEP: usize = 32;

/// Encodes a value.
pub(crate) fn encode<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
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

/// Rows of a table as [`encode`] writes them.
#[derive(Debug)]
pub(crate) struct Packed<T>(PhantomData<fn() -> T>);

/// Rows of a table as [`encode_compressed`] writes them.
#[derive(Debug)]
pub(crate) struct Compressed<T>(PhantomData<fn() -> T>);

/// A row as a table with the rows `P` stores it.
#[derive(Debug)]
pub(crate) struct StoredRow<'a, P> {
    bytes: Cow<'a, [u8]>,
    packing: PhantomData<fn() -> P>,
}

impl<'a, P> StoredRow<'a, P> {
    /// Bytes that are a row already.
    pub(crate) fn from_bytes(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        Self { bytes: bytes.into(), packing: PhantomData }
    }

    /// The same row, without the table it was read from.
    pub(crate) fn into_owned(self) -> StoredRow<'static, P> {
        StoredRow::from_bytes(self.bytes.into_owned())
    }

    #[cfg(test)]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes.into_owned()
    }
}

impl<P> PartialEq<StoredRow<'_, P>> for StoredRow<'_, P> {
    fn eq(&self, other: &StoredRow<'_, P>) -> bool {
        self.bytes == other.bytes
    }
}

impl<T: Serialize> Packed<T> {
    pub(crate) fn of(row: &T) -> StoredRow<'static, Self> {
        StoredRow::from_bytes(encode(row))
    }
}

impl<T: Serialize> Packed<Vec<T>> {
    pub(crate) fn of_slice(row: &[T]) -> StoredRow<'static, Self> {
        StoredRow::from_bytes(encode(row))
    }
}

impl<T: DeserializeOwned> StoredRow<'_, Packed<T>> {
    /// The row; `what` names it in the error.
    pub(crate) fn decode(&self, what: &'static str) -> Result<T, StoreError> {
        decode(&self.bytes, what)
    }
}

impl<T: Serialize> Compressed<T> {
    pub(crate) fn of(row: &T) -> Result<StoredRow<'static, Self>, StoreError> {
        Self::of_borrowed(row)
    }
}

impl<T: Serialize> Compressed<Vec<T>> {
    pub(crate) fn of_slice(row: &[T]) -> Result<StoredRow<'static, Self>, StoreError> {
        Self::of_borrowed(row)
    }
}

impl<T> Compressed<T> {
    /// A row from a form of it that borrows its parts, and that postcard writes as it writes the row.
    pub(crate) fn of_borrowed(
        row: &(impl Serialize + ?Sized),
    ) -> Result<StoredRow<'static, Self>, StoreError> {
        Ok(StoredRow::from_bytes(encode_compressed(row)?))
    }
}

impl<T: DeserializeOwned> StoredRow<'_, Compressed<T>> {
    /// The row; `what` names it in the error.
    pub(crate) fn decode(&self, what: &'static str) -> Result<T, StoreError> {
        decode_compressed(&self.bytes, what)
    }
}

/// Both packings are bytes to redb, and have that type in the file: what a row is made of changes with
/// [`VALUE_VERSION`], and files of earlier versions stay readable.
macro_rules! store_as_bytes {
    ($packing:ident) => {
        impl<T: fmt::Debug + 'static> Value for $packing<T> {
            type SelfType<'a> = StoredRow<'a, Self>;
            type AsBytes<'a> = &'a [u8];

            fn fixed_width() -> Option<usize> {
                None
            }

            fn from_bytes<'a>(data: &'a [u8]) -> StoredRow<'a, Self>
            where
                Self: 'a,
            {
                StoredRow::from_bytes(data)
            }

            fn as_bytes<'a, 'b: 'a>(row: &'a StoredRow<'b, Self>) -> &'a [u8]
            where
                Self: 'b,
            {
                &row.bytes
            }

            fn type_name() -> TypeName {
                <&[u8]>::type_name()
            }
        }
    };
}
store_as_bytes!(Packed);
store_as_bytes!(Compressed);

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
pub(crate) fn encode_compressed<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, StoreError> {
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
    use redb::ReadableTable;

    use super::*;

    #[test]
    fn values_round_trip_and_foreign_bytes_are_refused() {
        let bytes = encode(&("38.331", 7u32));
        assert_eq!(
            decode::<(String, u32)>(&bytes, "pair").expect("own bytes"),
            ("38.331".into(), 7)
        );
        for foreign in [&bytes[..3], &[9, 1, 2], &[]] {
            let refused = decode::<(String, u32)>(foreign, "pair");
            assert!(matches!(refused, Err(StoreError::Decode { what: "pair" })), "{refused:?}");
        }
    }

    #[test]
    fn tables_of_bytes_and_of_typed_rows_are_the_same_in_the_file() {
        let database = redb::Database::builder()
            .create_with_backend(redb::backends::InMemoryBackend::new())
            .expect("in memory");
        let txn = database.begin_write().expect("begins");
        let untyped = redb::TableDefinition::<u32, &[u8]>::new("rows");
        let row = encode(&("38.331", 7u32));
        txn.open_table(untyped).expect("new").insert(1, row.as_slice()).expect("inserts");
        let typed = redb::TableDefinition::<u32, Packed<(String, u32)>>::new("rows");
        let mut table = txn.open_table(typed).expect("of the same type");
        let read = |table: &redb::Table<'_, u32, Packed<(String, u32)>>, key| {
            let row = table.get(key).expect("readable").expect("stored");
            row.value().decode("pair").expect("own bytes")
        };
        assert_eq!(read(&table, 1), ("38.331".to_owned(), 7));
        table.insert(2, Packed::of(&("38.413".to_owned(), 8))).expect("inserts");
        assert_eq!(read(&table, 2), ("38.413".to_owned(), 8));
        drop(table);
        let table = txn.open_table(untyped).expect("of the same type");
        let row = table.get(2).expect("readable").expect("stored");
        assert_eq!(row.value(), encode(&("38.413", 8u32)));
    }

    #[test]
    fn texts_round_trip_and_damaged_ones_are_refused() {
        let packed = compress_text("the UE shall ".repeat(50).as_str()).expect("small");
        assert_eq!(decompress_text(&packed).expect("own bytes").len(), 13 * 50);
        for damaged in [&packed[..packed.len() / 2], b"plain"] {
            let refused = decompress_text(damaged);
            assert!(matches!(refused, Err(StoreError::Decode { what: "section text" })));
        }
    }
}
