//! Weights of a linear layer, packed once for the products they are used in.

use crate::{
    Precision,
    aligned::AlignedBuffer,
    kernels::{
        ACTIVATION_LIMIT, ColumnShape, ColumnTerms, Epilogue, INT8_OFFSET, LeftOperand,
        MIN_MAGNITUDE, PANEL, RightOperand, SimdLevel,
    },
};

/// A packed linear layer.
pub(crate) struct Linear {
    shape: ColumnShape,
    words: AlignedBuffer<u32>,
    bias: Vec<f32>,
    scales: Vec<f32>,
    offsets: Vec<u32>,
}

impl Linear {
    /// Packs weights of one row for each of `columns` outputs; `columns` is a multiple of
    /// [`PANEL`], a row of four, and `bias` is empty or has a number for each column.
    pub(crate) fn new(format: Precision, weights: &[f32], columns: usize, bias: Vec<f32>) -> Self {
        let terms = weights.len() / columns;
        let depth = terms / format.numbers_per_word();
        let mut words = AlignedBuffer::default();
        words.reset(columns * depth);
        let shape = ColumnShape { format, columns, depth };
        let mut packed = Self { shape, words, bias, scales: Vec::new(), offsets: Vec::new() };
        for (column, row) in weights.chunks_exact(terms).enumerate() {
            let start = column / PANEL * PANEL * depth + column % PANEL;
            let words = packed.words[start..].iter_mut().step_by(PANEL);
            let scale = weight_scale(format, row);
            for (word, group) in words.zip(row.chunks_exact(format.numbers_per_word())) {
                *word = pack_word(format, group, scale);
            }
            if format.is_integer() {
                packed.scales.push(scale);
            }
            if format == Precision::Int8 {
                let sum: i32 = row.iter().map(|weight| (weight / scale).round() as i32).sum();
                packed.offsets.push((INT8_OFFSET * sum).cast_unsigned());
            }
        }
        packed
    }

    /// The format of its encoded inputs.
    pub(crate) fn format(&self) -> Precision {
        self.shape.format
    }

    /// Applies the layer to encoded rows.
    pub(crate) fn apply_to_rows(
        &self,
        level: SimdLevel,
        rows: &EncodedRows,
        finish: Epilogue,
        out: &mut [f32],
        stride: usize,
    ) {
        let right = RightOperand {
            shape: self.shape,
            words: &self.words,
            terms: ColumnTerms { bias: &self.bias, scales: &self.scales, offsets: &self.offsets },
        };
        level.multiply_rows(rows.left_operand(), right, finish, out, stride);
    }
}

/// Rows of activations, encoded as the left operand of products.
#[derive(Default)]
pub(crate) struct EncodedRows {
    words: AlignedBuffer<u32>,
    scales: Vec<f32>,
    stride: usize,
}

impl EncodedRows {
    /// Encodes rows of `width` numbers that follow one another.
    pub(crate) fn encode_rows(
        &mut self,
        level: SimdLevel,
        format: Precision,
        rows: &[f32],
        width: usize,
    ) {
        self.begin_rows(format, rows.len() / width, width);
        for (index, row) in rows.chunks_exact(width).enumerate() {
            self.encode_row(level, format, index, row, ACTIVATION_LIMIT);
        }
    }

    /// Makes room for rows that are then [encoded](Self::encode_row) one by one.
    pub(crate) fn begin_rows(&mut self, format: Precision, rows: usize, width: usize) {
        self.stride = width / format.numbers_per_word();
        self.words.resize(rows * self.stride);
        self.scales.clear();
        if format.is_integer() {
            self.scales.resize(rows, 1.0);
        }
    }

    /// Encodes one row; the largest magnitude of 16-bit integers is `limit`.
    pub(crate) fn encode_row(
        &mut self,
        level: SimdLevel,
        format: Precision,
        index: usize,
        row: &[f32],
        limit: f32,
    ) {
        let words = &mut self.words[index * self.stride..][..self.stride];
        let scale = level.encode_row(format, row, limit, words);
        if let Some(slot) = self.scales.get_mut(index) {
            *slot = scale;
        }
    }

    /// Writes the softmax of each row of scores, of which `count` are valid.
    pub(crate) fn fill_softmax(
        &mut self,
        level: SimdLevel,
        format: Precision,
        scores: &mut [f32],
        width: usize,
        count: usize,
    ) {
        let rows = scores.len() / width;
        self.begin_rows(format, rows, width);
        self.scales.resize(rows, 1.0);
        for (index, row) in scores.chunks_exact_mut(width).enumerate() {
            let words = &mut self.words[index * self.stride..][..self.stride];
            self.scales[index] = level.softmax(format, row, count, words);
        }
    }

    pub(crate) fn left_operand(&self) -> LeftOperand<'_> {
        let rows = self.words.len().checked_div(self.stride).unwrap_or(0);
        LeftOperand { words: &self.words, stride: self.stride, rows, scales: &self.scales }
    }
}

/// The quantization scale of a column of weights. The sum of products of 16-bit weights with
/// activations of [`ACTIVATION_LIMIT`] fits in 32 bits; rounding adds at most a half to each weight.
fn weight_scale(format: Precision, row: &[f32]) -> f32 {
    let max_magnitude = row.iter().fold(MIN_MAGNITUDE, |a, b| a.max(b.abs()));
    match format {
        Precision::F32 | Precision::Bf16 => 1.0,
        Precision::Int8 => max_magnitude / f32::from(i8::MAX),
        Precision::Int16 => {
            let total: f64 = row.iter().map(|weight| f64::from(weight.abs())).sum();
            let bound = f64::from(i32::MAX) / f64::from(ACTIVATION_LIMIT) - row.len() as f64;
            (max_magnitude / f32::from(i16::MAX)).max((total / bound.max(1.0)) as f32)
        }
    }
}

fn pack_word(format: Precision, group: &[f32], scale: f32) -> u32 {
    let joined = |bits: u32, encode: &dyn Fn(f32) -> u32| {
        group.iter().rev().fold(0_u32, |word, &weight| word.wrapping_shl(bits) | encode(weight))
    };
    match format {
        Precision::F32 => group[0].to_bits(),
        Precision::Bf16 => joined(16, &nearest_bf16),
        Precision::Int16 => {
            joined(16, &|weight| u32::from(((weight / scale).round() as i16).cast_unsigned()))
        }
        Precision::Int8 => {
            joined(8, &|weight| u32::from(((weight / scale).round() as i8).cast_unsigned()))
        }
    }
}

/// The nearest bfloat16 number, ties to even.
fn nearest_bf16(weight: f32) -> u32 {
    let bits = weight.to_bits();
    (bits + 0x7fff + ((bits >> 16) & 1)) >> 16
}
