//! Reading fixed-width little-endian values from bytes that may be anything.

use crate::PackError;

/// A position in bytes; every read is checked.
pub(crate) struct ByteReader<'a> {
    bytes: &'a [u8],
    what: &'static str,
}

impl<'a> ByteReader<'a> {
    /// Reads `bytes` from their start; `what` names them in errors.
    pub(crate) fn new(bytes: &'a [u8], what: &'static str) -> Self {
        Self { bytes, what }
    }

    /// Bytes that are left.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len()
    }

    /// The next bytes, without a copy.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], PackError> {
        let (taken, rest) =
            self.bytes.split_at_checked(length).ok_or(PackError::Length { what: self.what })?;
        self.bytes = rest;
        Ok(taken)
    }

    /// The next bytes as an array.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], PackError> {
        let taken = self.take(N)?;
        Ok(taken.try_into().expect("as many as were taken"))
    }

    /// The next byte.
    pub(crate) fn u8(&mut self) -> Result<u8, PackError> {
        Ok(self.array::<1>()?[0])
    }

    /// The next two bytes as a number.
    pub(crate) fn u16(&mut self) -> Result<u16, PackError> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next four bytes as a number.
    pub(crate) fn u32(&mut self) -> Result<u32, PackError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next eight bytes as a number.
    pub(crate) fn u64(&mut self) -> Result<u64, PackError> {
        Ok(u64::from_le_bytes(self.array()?))
    }
}
