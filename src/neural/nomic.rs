//! Nomic's BERT (rotary positions, gated feed-forward layers) by candle.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::nomic_bert::{Config, NomicBertModel};

use super::{
    batch::TokenBatch,
    encoder::{Encoder, tensor},
};

/// A loaded Nomic BERT.
pub(super) struct NomicBert {
    model: NomicBertModel,
}

impl NomicBert {
    /// Takes the weights it needs out of `weights`.
    pub(super) fn new(weights: VarBuilder<'_>, config: &Config) -> Result<Self> {
        Ok(Self { model: NomicBertModel::load(weights, config)? })
    }
}

impl Encoder for NomicBert {
    fn states(&self, batch: &TokenBatch) -> Result<Tensor> {
        let ids = tensor(&batch.ids, batch)?;
        let mask = tensor(&batch.mask, batch)?;
        self.model.forward(&ids, None, Some(&mask))
    }
}
