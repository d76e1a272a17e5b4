//! The 8-bit codes of all rows, and their products with a query.

use crate::kernels::Kernel;
use crate::quantized_vector::QuantizedVector;

/// The codes and scales of all rows, in memory or in a mapped file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuantizedTable<'a> {
    codes: &'a [u8],
    scales: &'a [[u8; 4]],
    width: usize,
}

impl<'a> QuantizedTable<'a> {
    /// `codes` has `width` bytes for each scale.
    pub(crate) fn new(codes: &'a [u8], scales: &'a [[u8; 4]], width: usize) -> QuantizedTable<'a> {
        assert_eq!(codes.len(), scales.len() * width, "one scale for each row of codes");
        QuantizedTable { codes, scales, width }
    }

    /// The number of rows.
    pub(crate) fn row_count(&self) -> u32 {
        self.scales.len() as u32
    }

    /// The codes of an existing row.
    pub(crate) fn row_codes(&self, row: u32) -> &'a [u8] {
        &self.codes[row as usize * self.width..][..self.width]
    }

    /// The scale of an existing row.
    #[inline]
    pub(crate) fn row_scale(&self, row: u32) -> f32 {
        f32::from_le_bytes(self.scales[row as usize])
    }

    /// The products of existing rows with a query.
    #[inline]
    pub(crate) fn dot_rows(&self, rows: &[u32], query: &QuantizedVector, out: &mut [i32]) {
        Kernel::detect_best().dot_quantized(self.codes, rows, query, out);
    }

    /// Prefetches the codes of a row that is about to be scored.
    #[inline]
    pub(crate) fn prefetch_row(&self, row: u32) {
        Kernel::detect_best().prefetch_row(self.row_codes(row));
    }

    /// The score of one row: its product with the query, times its scale.
    pub(crate) fn score_row(&self, row: u32, query: &QuantizedVector) -> f32 {
        let mut product = [0];
        self.dot_rows(&[row], query, &mut product);
        product[0] as f32 * self.row_scale(row)
    }
}
