//! Numbers out of a record, each checked against its end.

use crate::geometry::{Matrix, Point};

/// Bytes of a record; every offset is from its beginning, and may lie behind its end.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a>(pub &'a [u8]);

impl<'a> Record<'a> {
    pub(crate) fn bytes(&self, at: usize, count: usize) -> Option<&'a [u8]> {
        self.0.get(at..at.checked_add(count)?)
    }

    fn array<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes(at, N)?.try_into().ok()
    }

    pub(crate) fn u8(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(crate) fn u16(&self, at: usize) -> Option<u16> {
        self.array(at).map(u16::from_le_bytes)
    }

    pub(crate) fn i16(&self, at: usize) -> Option<i16> {
        self.array(at).map(i16::from_le_bytes)
    }

    pub(crate) fn u32(&self, at: usize) -> Option<u32> {
        self.array(at).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&self, at: usize) -> Option<i32> {
        self.array(at).map(i32::from_le_bytes)
    }

    /// A 32-bit count or offset.
    pub(crate) fn size(&self, at: usize) -> Option<usize> {
        self.u32(at).map(|number| number as usize)
    }

    /// A whole number of 32 bits as a coordinate.
    pub(crate) fn long(&self, at: usize) -> Option<f64> {
        self.i32(at).map(f64::from)
    }

    /// A whole number of 16 bits as a coordinate.
    pub(crate) fn short(&self, at: usize) -> Option<f64> {
        self.i16(at).map(f64::from)
    }

    /// A floating-point number that is one.
    pub(crate) fn float(&self, at: usize) -> Option<f64> {
        let number = f32::from_bits(self.u32(at)?);
        number.is_finite().then_some(f64::from(number))
    }

    pub(crate) fn point(&self, at: usize) -> Option<Point> {
        Some((self.long(at)?, self.long(at + 4)?))
    }

    pub(crate) fn small_point(&self, at: usize) -> Option<Point> {
        Some((self.short(at)?, self.short(at + 2)?))
    }

    /// Two opposite corners.
    pub(crate) fn rectangle(&self, at: usize) -> Option<(Point, Point)> {
        Some((self.point(at)?, self.point(at + 8)?))
    }

    /// A transformation of six floating-point numbers.
    pub(crate) fn matrix(&self, at: usize) -> Option<Matrix> {
        let number = |place: usize| self.float(at + 4 * place);
        Some(Matrix {
            a: number(0)?,
            b: number(1)?,
            c: number(2)?,
            d: number(3)?,
            e: number(4)?,
            f: number(5)?,
        })
    }

    pub(crate) fn utf16(&self, at: usize, units: usize) -> Option<Vec<u16>> {
        let bytes = self.bytes(at, units.checked_mul(2)?)?;
        Some(bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect())
    }
}
