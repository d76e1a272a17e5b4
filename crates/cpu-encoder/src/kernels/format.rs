//! The formats of the numbers in a product: 32-bit words of one, two or four numbers.

/// Columns that are interleaved in packed weights: two vectors of the widest instruction set.
pub(crate) const PANEL: usize = 32;

/// The largest magnitude of activations as 16-bit integers: twelve bits, so that weights can have about
/// as many without a sum of a few thousand products overflowing 32 bits.
pub(crate) const ACTIVATION_LIMIT: f32 = 4095.0;

/// Added to 8-bit activations, because the instructions multiply unsigned bytes with signed ones.
pub(crate) const INT8_OFFSET: i32 = 128;

/// Lower bound of the largest magnitude in a row: with it, the reciprocal of the scale is finite.
pub(crate) const MIN_MAGNITUDE: f32 = f32::MIN_POSITIVE * 65_536.0;

/// What a word of a product contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperandFormat {
    /// One 32-bit float.
    F32,
    /// Two bfloat16 numbers.
    Bf16,
    /// Two signed 16-bit integers.
    Int16,
    /// Four 8-bit integers, unsigned (offset by 128) on the left side and signed on the right.
    Int8,
}

impl OperandFormat {
    /// The format for what 8 bits are too coarse for: attention's scores and their operands, and the product after a
    /// gate, whose few large terms leave no resolution for the others. With 8 bits there, the lowest cosine of nomic
    /// on real texts was .9941 instead of .9968. 16-bit integers run on the same instructions.
    pub(crate) fn widen_int8(self) -> Self {
        match self {
            Self::Int8 => Self::Int16,
            Self::F32 | Self::Bf16 | Self::Int16 => self,
        }
    }

    /// Numbers in a word.
    pub(crate) fn numbers_per_word(self) -> usize {
        match self {
            Self::F32 => 1,
            Self::Bf16 | Self::Int16 => 2,
            Self::Int8 => 4,
        }
    }

    /// Whether sums are integers that have a quantization scale.
    pub(crate) fn is_integer(self) -> bool {
        match self {
            Self::F32 | Self::Bf16 => false,
            Self::Int16 | Self::Int8 => true,
        }
    }
}

/// The greatest magnitude of 16-bit integers for which the sum of `terms` products fits in 32 bits.
pub(crate) fn pair_limit(terms: usize) -> f32 {
    let bound = f64::from(i32::MAX) / terms.max(1) as f64;
    bound.sqrt().floor().min(f64::from(i16::MAX)) as f32
}
