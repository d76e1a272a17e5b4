//! The sizes of a model.

use crate::error::EncoderError;

/// The sizes of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelSizes {
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

/// Above every size of a model on a CPU; the product of two sizes cannot overflow.
const MAX_SIZE: usize = 1 << 24;

impl ModelSizes {
    pub(crate) fn head_width(&self) -> usize {
        self.width / self.heads
    }

    /// Refuses sizes with which no model can be run.
    pub(crate) fn check(&self) -> Result<(), EncoderError> {
        use crate::kernels::PANEL;
        let sizes = [self.width, self.inner, self.vocabulary, self.positions, self.types];
        let require =
            |holds: bool, what| if holds { Ok(()) } else { Err(EncoderError::Shape(what)) };
        require(sizes.iter().all(|size| (1..MAX_SIZE).contains(size)), "every size is positive")?;
        require(self.layers < MAX_SIZE, "the layers can be counted")?;
        require(self.heads > 0 && self.width.is_multiple_of(self.heads), "heads share the width")?;
        require(self.head_width().is_multiple_of(PANEL), "a head has a multiple of 32 numbers")?;
        require(self.inner.is_multiple_of(PANEL), "the inner width is a multiple of 32")?;
        require(
            self.layer_norm_epsilon.is_finite() && self.layer_norm_epsilon >= 0.0,
            "the epsilon is not negative",
        )
    }
}
