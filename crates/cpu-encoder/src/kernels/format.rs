//! How the numbers of a product are held: 32-bit words of one, two or four of them.

/// Columns that stand together in packed weights: two vectors of the widest set.
pub(crate) const PANEL: usize = 32;

/// Activations as 16-bit integers reach from minus this to this. Twelve bits, so that weights keep
/// about as many before a sum of a few thousand products leaves 32 bits.
pub(crate) const ACTIVATION_LIMIT: f32 = 4095.0;

/// What a word of a product holds.
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
    /// The format of what bytes are too coarse for: attention's scores and what makes them, and
    /// the product after a gate, whose few large terms leave the others no steps. 16-bit integers
    /// run on the same instructions.
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

    /// Whether sums are integers that have a unit.
    pub(crate) fn is_integer(self) -> bool {
        match self {
            Self::F32 | Self::Bf16 => false,
            Self::Int16 | Self::Int8 => true,
        }
    }
}

/// The greatest limit of 16-bit integers whose products over `terms` add up within 32 bits.
pub(crate) fn pair_limit(terms: usize) -> f32 {
    let bound = f64::from(i32::MAX) / terms.max(1) as f64;
    bound.sqrt().floor().min(f64::from(i16::MAX)) as f32
}
