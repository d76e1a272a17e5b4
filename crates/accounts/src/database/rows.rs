//! Rows as bytes: keys in an order that any database keeps, values as redb writes them.

use std::marker::PhantomData;

use redb::{Key, Value};

use crate::{AccessError, secret::SecretHash};

/// A key or a value that was read.
pub(crate) struct Stored<T> {
    bytes: Vec<u8>,
    kind: PhantomData<T>,
}

impl<T: Value> Stored<T> {
    /// The key or value.
    pub(crate) fn value(&self) -> T::SelfType<'_> {
        T::from_bytes(&self.bytes)
    }

    pub(super) fn new(value: &T::SelfType<'_>) -> Self {
        Self { bytes: value_bytes::<T>(value), kind: PhantomData }
    }

    /// A value whose bytes come from another program, which may have changed them.
    pub(super) fn from_foreign(bytes: Vec<u8>) -> Result<Self, AccessError> {
        if T::fixed_width().is_some_and(|width| width != bytes.len()) {
            return Err(AccessError::Decode { what: "row" });
        }
        Ok(Self { bytes, kind: PhantomData })
    }
}

impl<K: OrderedKey> Stored<K> {
    /// A key from its ordered bytes.
    pub(super) fn from_ordered(bytes: &[u8]) -> Result<Self, AccessError> {
        let mut rest = bytes;
        let key = K::read_ordered(&mut rest);
        let key = if rest.is_empty() { key } else { None };
        Ok(Self::new(&key.ok_or(AccessError::Decode { what: "row key" })?))
    }
}

/// A value as redb writes it: numbers little-endian, parts of fixed width one after another.
pub(super) fn value_bytes<T: Value>(value: &T::SelfType<'_>) -> Vec<u8> {
    T::as_bytes(value).as_ref().to_vec()
}

/// A key as bytes that sort as the keys do.
pub(super) fn ordered_bytes<K: OrderedKey>(key: &K::SelfType<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    K::write_ordered(key, &mut bytes);
    bytes
}

/// A key whose bytes sort as it does: numbers big-endian, signed ones with the sign turned over; a text only at the
/// end of a key.
pub(crate) trait OrderedKey: Key + 'static {
    /// Appends the bytes of a key.
    fn write_ordered(key: &Self::SelfType<'_>, bytes: &mut Vec<u8>);

    /// Takes a key from the front of `bytes`; `None` if they are not a key.
    fn read_ordered<'b>(bytes: &mut &'b [u8]) -> Option<Self::SelfType<'b>>;
}

macro_rules! unsigned_keys {
    ($($number:ty),+) => {$(
        impl OrderedKey for $number {
            fn write_ordered(key: &$number, bytes: &mut Vec<u8>) {
                bytes.extend(key.to_be_bytes());
            }

            fn read_ordered(bytes: &mut &[u8]) -> Option<$number> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(<$number>::from_be_bytes(*number))
            }
        }
    )+};
}

unsigned_keys!(u32, u64, u128);

impl OrderedKey for i64 {
    fn write_ordered(key: &i64, bytes: &mut Vec<u8>) {
        u64::write_ordered(&(key.cast_unsigned() ^ (1 << 63)), bytes);
    }

    fn read_ordered(bytes: &mut &[u8]) -> Option<i64> {
        Some((u64::read_ordered(bytes)? ^ (1 << 63)).cast_signed())
    }
}

impl OrderedKey for &'static str {
    fn write_ordered(key: &&str, bytes: &mut Vec<u8>) {
        bytes.extend(key.as_bytes());
    }

    fn read_ordered<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
        str::from_utf8(std::mem::take(bytes)).ok()
    }
}

impl OrderedKey for &'static SecretHash {
    fn write_ordered(key: &&SecretHash, bytes: &mut Vec<u8>) {
        bytes.extend(*key);
    }

    fn read_ordered<'b>(bytes: &mut &'b [u8]) -> Option<&'b SecretHash> {
        let (hash, rest) = bytes.split_first_chunk()?;
        *bytes = rest;
        Some(hash)
    }
}

impl<A: OrderedKey, B: OrderedKey> OrderedKey for (A, B) {
    fn write_ordered(key: &Self::SelfType<'_>, bytes: &mut Vec<u8>) {
        A::write_ordered(&key.0, bytes);
        B::write_ordered(&key.1, bytes);
    }

    fn read_ordered<'b>(bytes: &mut &'b [u8]) -> Option<Self::SelfType<'b>> {
        Some((A::read_ordered(bytes)?, B::read_ordered(bytes)?))
    }
}

impl<A: OrderedKey, B: OrderedKey, C: OrderedKey> OrderedKey for (A, B, C) {
    fn write_ordered(key: &Self::SelfType<'_>, bytes: &mut Vec<u8>) {
        A::write_ordered(&key.0, bytes);
        B::write_ordered(&key.1, bytes);
        C::write_ordered(&key.2, bytes);
    }

    fn read_ordered<'b>(bytes: &mut &'b [u8]) -> Option<Self::SelfType<'b>> {
        Some((A::read_ordered(bytes)?, B::read_ordered(bytes)?, C::read_ordered(bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys in their order keep it as bytes, and are read back.
    fn keeps_order<K: OrderedKey>(keys: &[K::SelfType<'_>]) {
        let bytes: Vec<Vec<u8>> = keys.iter().map(ordered_bytes::<K>).collect();
        assert!(bytes.is_sorted(), "{keys:?}");
        for (key, bytes) in keys.iter().zip(&bytes) {
            let read = Stored::<K>::from_ordered(bytes).expect("a key");
            assert_eq!(format!("{:?}", read.value()), format!("{key:?}"));
            let mut longer = bytes.clone();
            longer.push(0xff);
            let refused = Stored::<K>::from_ordered(&longer);
            assert!(matches!(refused, Err(AccessError::Decode { what: "row key" })), "{key:?}");
        }
    }

    #[test]
    fn bytes_sort_as_their_keys_do() {
        keeps_order::<u32>(&[0, 1, 255, 256, u32::MAX]);
        keeps_order::<u64>(&[0, 255, 256, u64::MAX]);
        keeps_order::<&str>(&["", "a", "a b", "ab", "b"]);
        keeps_order::<&SecretHash>(&[&[0; 32], &[1; 32], &[255; 32]]);
        keeps_order::<(u32, u32, &str)>(&[(1, 2, ""), (1, 2, "get"), (1, 3, ""), (256, 0, "")]);
        keeps_order::<(i64, &str)>(&[
            (i64::MIN, "z"),
            (-1, "b"),
            (0, ""),
            (1, "a"),
            (i64::MAX, ""),
        ]);
        keeps_order::<(u64, u128)>(&[(1, u128::MAX), (2, 0), (2, 1 << 100)]);
    }

    #[test]
    fn values_of_another_length_are_refused() {
        let number = Stored::<u64>::from_foreign(vec![1; 8]).expect("eight bytes");
        assert_eq!(number.value(), 0x0101_0101_0101_0101);
        let short = Stored::<u64>::from_foreign(vec![1; 7]);
        assert!(matches!(short, Err(AccessError::Decode { what: "row" })));
        let long = Stored::<(&SecretHash, i64)>::from_foreign(vec![1; 41]);
        assert!(matches!(long, Err(AccessError::Decode { what: "row" })));
        let empty = Stored::<&[u8]>::from_foreign(Vec::new()).expect("of any length");
        assert_eq!(empty.value(), b"");
    }
}
