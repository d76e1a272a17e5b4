//! Numbers out of a record, each checked against its end.

use crate::geometry::{Matrix, Point};

/// Bytes of a record; every offset is from its beginning, and may lie behind its end.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a>(pub &'a [u8]);

impl<'a> Record<'a> {
    pub(crate) fn bytes_at(&self, at: usize, count: usize) -> Option<&'a [u8]> {
        self.0.get(at..at.checked_add(count)?)
    }

    fn array_at<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.bytes_at(at, N)?.try_into().ok()
    }

    pub(crate) fn u8_at(&self, at: usize) -> Option<u8> {
        self.0.get(at).copied()
    }

    pub(crate) fn u16_at(&self, at: usize) -> Option<u16> {
        self.array_at(at).map(u16::from_le_bytes)
    }

    pub(crate) fn i16_at(&self, at: usize) -> Option<i16> {
        self.array_at(at).map(i16::from_le_bytes)
    }

    pub(crate) fn u32_at(&self, at: usize) -> Option<u32> {
        self.array_at(at).map(u32::from_le_bytes)
    }

    pub(crate) fn i32_at(&self, at: usize) -> Option<i32> {
        self.array_at(at).map(i32::from_le_bytes)
    }

    /// A 32-bit count or offset.
    pub(crate) fn size_at(&self, at: usize) -> Option<usize> {
        self.u32_at(at).map(|number| number as usize)
    }

    /// A whole number of 32 bits as a coordinate.
    pub(crate) fn long_at(&self, at: usize) -> Option<f64> {
        self.i32_at(at).map(f64::from)
    }

    /// A whole number of 16 bits as a coordinate.
    pub(crate) fn short_at(&self, at: usize) -> Option<f64> {
        self.i16_at(at).map(f64::from)
    }

    /// A floating-point number that is one.
    pub(crate) fn float_at(&self, at: usize) -> Option<f64> {
        let number = f32::from_bits(self.u32_at(at)?);
        number.is_finite().then_some(f64::from(number))
    }

    pub(crate) fn point_at(&self, at: usize) -> Option<Point> {
        Some((self.long_at(at)?, self.long_at(at + 4)?))
    }

    pub(crate) fn small_point_at(&self, at: usize) -> Option<Point> {
        Some((self.short_at(at)?, self.short_at(at + 2)?))
    }

    /// A small point whose y is stored before its x, as the parameters of WMF records are.
    pub(crate) fn reversed_point_at(&self, at: usize) -> Option<Point> {
        Some((self.short_at(at + 2)?, self.short_at(at)?))
    }

    /// Two opposite corners.
    pub(crate) fn rectangle_at(&self, at: usize) -> Option<(Point, Point)> {
        Some((self.point_at(at)?, self.point_at(at + 8)?))
    }

    /// A transformation of six floating-point numbers.
    pub(crate) fn matrix_at(&self, at: usize) -> Option<Matrix> {
        let number = |index: usize| self.float_at(at + 4 * index);
        Some(Matrix {
            a: number(0)?,
            b: number(1)?,
            c: number(2)?,
            d: number(3)?,
            e: number(4)?,
            f: number(5)?,
        })
    }

    pub(crate) fn utf16_at(&self, at: usize, units: usize) -> Option<Vec<u16>> {
        let bytes = self.bytes_at(at, units.checked_mul(2)?)?;
        Some(bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect())
    }
}
