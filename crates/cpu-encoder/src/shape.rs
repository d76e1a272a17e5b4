//! The sizes of a model, and the precision of its products.

use crate::error::EncoderError;

/// What the products of a forward pass are computed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// 32-bit floats: the reference.
    F32,
    /// bfloat16 numbers, added up as 32-bit floats.
    Bf16,
    /// 16-bit integers with a scale for each row and each column, added up exactly: as near to the reference as
    /// bfloat16, and twice as fast as 32-bit floats on processors with products of integers.
    Int16,
    /// 8-bit integers in the feed-forward layers, 16-bit integers in attention, in the layer of its queries, keys and
    /// values, and after a gate, where 8 bits are too coarse for nomic.
    Int8,
}

/// The sizes of a BERT with learned positions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BertShape {
    /// Blocks of attention and feed-forward.
    pub layers: usize,
    /// Attention heads.
    pub heads: usize,
    /// Numbers in a state.
    pub width: usize,
    /// Numbers between the two feed-forward layers.
    pub inner: usize,
    /// Tokens in the vocabulary.
    pub vocabulary: usize,
    /// Tokens in the longest sequence.
    pub positions: usize,
    /// Kinds of texts in a sequence.
    pub types: usize,
    /// Added to a variance before its root is taken.
    pub layer_norm_epsilon: f32,
}

/// The sizes of Nomic's BERT: rotary positions, gated feed-forward layers, no biases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NomicShape {
    /// Blocks of attention and feed-forward.
    pub layers: usize,
    /// Attention heads.
    pub heads: usize,
    /// Numbers in a state.
    pub width: usize,
    /// Numbers between the feed-forward layers.
    pub inner: usize,
    /// Tokens in the vocabulary.
    pub vocabulary: usize,
    /// Tokens in the longest sequence.
    pub positions: usize,
    /// Kinds of texts in a sequence.
    pub types: usize,
    /// Added to a variance before its root is taken.
    pub layer_norm_epsilon: f32,
    /// Base of the rotation's frequencies.
    pub rotary_base: f32,
}

/// What the two families share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelSizes {
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) width: usize,
    pub(crate) inner: usize,
    pub(crate) vocabulary: usize,
    pub(crate) positions: usize,
    pub(crate) types: usize,
    pub(crate) epsilon: f32,
}

/// Above every size of a model on a CPU; the product of two sizes cannot overflow.
const MAX_SIZE: usize = 1 << 24;

impl ModelSizes {
    pub(crate) fn from_bert(shape: &BertShape) -> Result<Self, EncoderError> {
        let BertShape { layers, heads, width, inner, vocabulary, positions, types, .. } = *shape;
        let epsilon = shape.layer_norm_epsilon;
        Self { layers, heads, width, inner, vocabulary, positions, types, epsilon }.check_sizes()
    }

    pub(crate) fn from_nomic(shape: &NomicShape) -> Result<Self, EncoderError> {
        let NomicShape { layers, heads, width, inner, vocabulary, positions, types, .. } = *shape;
        let epsilon = shape.layer_norm_epsilon;
        if !(shape.rotary_base.is_finite() && shape.rotary_base > 0.0) {
            return Err(EncoderError::Shape("the rotary base is a positive number"));
        }
        Self { layers, heads, width, inner, vocabulary, positions, types, epsilon }.check_sizes()
    }

    pub(crate) fn head_width(&self) -> usize {
        self.width / self.heads
    }

    fn check_sizes(self) -> Result<Self, EncoderError> {
        use crate::kernels::PANEL;
        let sizes = [self.width, self.inner, self.vocabulary, self.positions, self.types];
        let require =
            |holds: bool, what| if holds { Ok(()) } else { Err(EncoderError::Shape(what)) };
        require(sizes.iter().all(|size| (1..MAX_SIZE).contains(size)), "every size is positive")?;
        require(self.layers < MAX_SIZE, "the layers can be counted")?;
        require(self.heads > 0 && self.width.is_multiple_of(self.heads), "heads share the width")?;
        require(self.head_width().is_multiple_of(PANEL), "a head has a multiple of 32 numbers")?;
        require(self.inner.is_multiple_of(PANEL), "the inner width is a multiple of 32")?;
        require(self.epsilon.is_finite() && self.epsilon >= 0.0, "the epsilon is not negative")?;
        Ok(self)
    }
}
