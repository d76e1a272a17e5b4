//! The 8-bit codes of one vector.

/// The codes of one vector, ready to be multiplied with rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuantizedVector {
    codes: Vec<i8>,
    sum: i32,
}

impl QuantizedVector {
    /// A vector of these codes; their number is a multiple of 64.
    pub(crate) fn new(codes: Vec<i8>) -> QuantizedVector {
        let sum = codes.iter().map(|code| i32::from(*code)).sum();
        QuantizedVector { codes, sum }
    }

    /// Becomes the codes of a stored row.
    pub(crate) fn copy_row(&mut self, row: &[u8]) {
        self.codes.clear();
        self.codes.extend(row.iter().map(|code| code.cast_signed()));
        self.sum = self.codes.iter().map(|code| i32::from(*code)).sum();
    }

    pub(crate) fn codes(&self) -> &[i8] {
        &self.codes
    }

    /// The sum of all codes: some kernels shift codes to be positive, and subtract this afterwards.
    pub(crate) fn code_sum(&self) -> i32 {
        self.sum
    }
}
