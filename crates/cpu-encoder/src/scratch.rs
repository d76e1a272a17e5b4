//! Buffers that a thread keeps from one call to the next.

use crate::{
    aligned::Aligned,
    kernels::{Keys, Values},
    linear::EncodedRows,
};

/// Working memory of [`Encoder::encode`](crate::Encoder::encode). It grows to what the longest input
/// needs; one for each thread, usable with any encoder.
#[derive(Default)]
pub struct Scratch {
    /// Queries, keys and values of each token, beside each other.
    pub(crate) mixed: Aligned<f32>,
    /// What attention gives for each token.
    pub(crate) context: Aligned<f32>,
    /// Feed-forward numbers of a block of tokens.
    pub(crate) inner: Aligned<f32>,
    /// The left side of the product at hand.
    pub(crate) rows: EncodedRows,
    pub(crate) heads: HeadScratch,
}

/// Working memory of one attention head.
#[derive(Default)]
pub(crate) struct HeadScratch {
    pub(crate) keys: Keys,
    pub(crate) values: Values,
    pub(crate) scores: Aligned<f32>,
    pub(crate) queries: EncodedRows,
    pub(crate) weights: EncodedRows,
}

impl Scratch {
    /// Returns empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
