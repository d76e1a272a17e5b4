//! 8-bit codes of rows and of queries, and their products.

use crate::kernels::Kernel;

/// The codes of one vector, ready to be multiplied with rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Coded {
    codes: Vec<i8>,
    sum: i32,
}

impl Coded {
    /// Takes codes over; their number is a multiple of 64.
    pub(crate) fn new(codes: Vec<i8>) -> Coded {
        let sum = codes.iter().map(|code| i32::from(*code)).sum();
        Coded { codes, sum }
    }

    /// Becomes the codes of a stored row.
    pub(crate) fn set(&mut self, row: &[u8]) {
        self.codes.clear();
        self.codes.extend(row.iter().map(|code| code.cast_signed()));
        self.sum = self.codes.iter().map(|code| i32::from(*code)).sum();
    }

    pub(crate) fn codes(&self) -> &[i8] {
        &self.codes
    }

    /// The sum of all codes: some kernels shift codes to be positive, and take this off again.
    pub(crate) fn sum(&self) -> i32 {
        self.sum
    }
}

/// The codes and scales of all rows, where they lie in memory or in a mapped file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodeTable<'a> {
    codes: &'a [u8],
    scales: &'a [[u8; 4]],
    width: usize,
}

impl<'a> CodeTable<'a> {
    /// `codes` holds `width` bytes for each scale.
    pub(crate) fn new(codes: &'a [u8], scales: &'a [[u8; 4]], width: usize) -> CodeTable<'a> {
        assert_eq!(codes.len(), scales.len() * width, "one scale for each row of codes");
        CodeTable { codes, scales, width }
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> u32 {
        self.scales.len() as u32
    }

    /// The codes of a row there is.
    pub(crate) fn row(&self, row: u32) -> &'a [u8] {
        &self.codes[row as usize * self.width..][..self.width]
    }

    /// The scale of a row there is.
    #[inline]
    pub(crate) fn scale(&self, row: u32) -> f32 {
        f32::from_le_bytes(self.scales[row as usize])
    }

    /// The products of rows there are with a query.
    #[inline]
    pub(crate) fn products(&self, rows: &[u32], query: &Coded, out: &mut [i32]) {
        Kernel::best().dot_codes(self.codes, rows, query, out);
    }

    /// Asks for the codes of a row that is about to be scored.
    #[inline]
    pub(crate) fn prefetch(&self, row: u32) {
        Kernel::best().prefetch(self.row(row));
    }

    /// The score of one row: its product with the query, times its scale.
    pub(crate) fn score(&self, row: u32, query: &Coded) -> f32 {
        let mut product = [0];
        self.products(&[row], query, &mut product);
        product[0] as f32 * self.scale(row)
    }
}
