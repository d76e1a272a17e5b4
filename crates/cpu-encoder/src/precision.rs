//! What products are computed in.

use std::str::FromStr;

/// What the products of a forward pass are computed in. A word of 32 bits holds one float, two 16-bit numbers, or four
/// 8-bit integers, which are unsigned (offset by 128) on the left side and signed on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats: the reference.
    F32,
    /// bfloat16 numbers, added up as 32-bit floats.
    Bf16,
    /// 16-bit integers with a scale for each row and each column, added up exactly: as near to the
    /// reference as bfloat16, and twice as fast as 32-bit floats wherever integers have products of
    /// their own.
    Int16,
    /// 8-bit integers in the feed-forward layers, 16-bit integers in attention, in the layer of its
    /// queries, keys and values, and after a gate.
    Int8,
}

impl Precision {
    /// The format for what 8 bits are too coarse for: attention's scores and their operands, and the
    /// product after a gate, whose few large terms leave no resolution for the others. 16-bit integers
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

    /// Whether sums are integers that have a quantization scale.
    pub(crate) fn is_integer(self) -> bool {
        match self {
            Self::F32 | Self::Bf16 => false,
            Self::Int16 | Self::Int8 => true,
        }
    }
}

impl FromStr for Precision {
    type Err = UnknownPrecision;

    fn from_str(word: &str) -> Result<Self, UnknownPrecision> {
        match word {
            "f32" => Ok(Self::F32),
            "bf16" => Ok(Self::Bf16),
            "int16" => Ok(Self::Int16),
            "int8" => Ok(Self::Int8),
            _ => Err(UnknownPrecision),
        }
    }
}

/// A word that names no precision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownPrecision;
