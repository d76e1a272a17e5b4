//! Buffers that a thread keeps from one call to the next.

use crate::{
    aligned::AlignedBuffer,
    kernels::{PackedKeys, PackedValues},
    linear::EncodedRows,
};

/// Working memory of [`CpuEncoder::encode_sequences`](crate::CpuEncoder::encode_sequences). It grows to the size that
/// the longest input needs; one for each thread, usable with any encoder.
#[derive(Default)]
pub struct EncoderScratch {
    /// Queries, keys and values of each token, next to each other.
    pub(crate) mixed: AlignedBuffer<f32>,
    /// The attention output of each token.
    pub(crate) context: AlignedBuffer<f32>,
    /// Feed-forward numbers of a block of tokens.
    pub(crate) inner: AlignedBuffer<f32>,
    /// The left operand of the current product.
    pub(crate) rows: EncodedRows,
    pub(crate) heads: HeadScratch,
}

/// Working memory of one attention head.
#[derive(Default)]
pub(crate) struct HeadScratch {
    pub(crate) keys: PackedKeys,
    pub(crate) values: PackedValues,
    pub(crate) scores: AlignedBuffer<f32>,
    pub(crate) queries: EncodedRows,
    pub(crate) weights: EncodedRows,
}

impl EncoderScratch {
    /// Returns empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
