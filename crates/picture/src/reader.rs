//! Reads numbers from a record; each read is checked against its end.

use crate::geometry::{Matrix, Point};

/// Bytes of a record; offsets count from its beginning, and may be beyond its end.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a>(pub &'a [u8]);

impl<'a> Record<'a> {
    pub(crate) fn bytes_at(&self, offset: usize, count: usize) -> Option<&'a [u8]> {
        self.0.get(offset..offset.checked_add(count)?)
    }

    fn array_at<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        self.bytes_at(offset, N)?.try_into().ok()
    }

    pub(crate) fn u8_at(&self, offset: usize) -> Option<u8> {
        self.0.get(offset).copied()
    }

    pub(crate) fn u16_at(&self, offset: usize) -> Option<u16> {
        self.array_at(offset).map(u16::from_le_bytes)
    }

    pub(crate) fn i16_at(&self, offset: usize) -> Option<i16> {
        self.array_at(offset).map(i16::from_le_bytes)
    }

    pub(crate) fn u32_at(&self, offset: usize) -> Option<u32> {
        self.array_at(offset).map(u32::from_le_bytes)
    }

    pub(crate) fn i32_at(&self, offset: usize) -> Option<i32> {
        self.array_at(offset).map(i32::from_le_bytes)
    }

    /// A 32-bit count or offset.
    pub(crate) fn size_at(&self, offset: usize) -> Option<usize> {
        self.u32_at(offset).map(|number| number as usize)
    }

    /// A 32-bit integer as a coordinate.
    pub(crate) fn long_at(&self, offset: usize) -> Option<f64> {
        self.i32_at(offset).map(f64::from)
    }

    /// A 16-bit integer as a coordinate.
    pub(crate) fn short_at(&self, offset: usize) -> Option<f64> {
        self.i16_at(offset).map(f64::from)
    }

    /// A floating-point number; `None` if it is not finite.
    pub(crate) fn float_at(&self, offset: usize) -> Option<f64> {
        let number = f32::from_bits(self.u32_at(offset)?);
        number.is_finite().then_some(f64::from(number))
    }

    pub(crate) fn point_at(&self, offset: usize) -> Option<Point> {
        Some((self.long_at(offset)?, self.long_at(offset + 4)?))
    }

    pub(crate) fn small_point_at(&self, offset: usize) -> Option<Point> {
        Some((self.short_at(offset)?, self.short_at(offset + 2)?))
    }

    /// A small point whose y is stored before its x, as the parameters of WMF records are.
    pub(crate) fn reversed_point_at(&self, offset: usize) -> Option<Point> {
        Some((self.short_at(offset + 2)?, self.short_at(offset)?))
    }

    /// Two opposite corners.
    pub(crate) fn rectangle_at(&self, offset: usize) -> Option<(Point, Point)> {
        Some((self.point_at(offset)?, self.point_at(offset + 8)?))
    }

    /// A transformation of six floating-point numbers.
    pub(crate) fn matrix_at(&self, offset: usize) -> Option<Matrix> {
        let number = |index: usize| self.float_at(offset + 4 * index);
        Some(Matrix {
            a: number(0)?,
            b: number(1)?,
            c: number(2)?,
            d: number(3)?,
            e: number(4)?,
            f: number(5)?,
        })
    }

    pub(crate) fn utf16_at(&self, offset: usize, units: usize) -> Option<Vec<u16>> {
        let bytes = self.bytes_at(offset, units.checked_mul(2)?)?;
        Some(bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit)).collect())
    }
}
