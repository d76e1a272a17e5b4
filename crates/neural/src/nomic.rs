//! Nomic's BERT (rotary positions, gated feed-forward layers) by candle.

use candle_core::{Device, Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::nomic_bert::{Config, NomicBertModel};

use super::{
    batch::TokenBatch,
    batch_encoder::{BatchEncoder, tensor_from_table},
    device::to_cpu_f32,
};

/// A loaded Nomic BERT.
pub(super) struct NomicBert {
    model: NomicBertModel,
    device: Device,
}

impl NomicBert {
    /// Reads the weights it needs from `weights`.
    pub(super) fn new(weights: VarBuilder<'_>, config: &Config) -> Result<Self> {
        let device = weights.device().clone();
        Ok(Self { model: NomicBertModel::load(weights, config)?, device })
    }
}

impl BatchEncoder for NomicBert {
    fn encode_batch(&self, batch: &TokenBatch) -> Result<Tensor> {
        let table = |table| tensor_from_table(table, batch, &self.device);
        let (ids, mask) = (table(&batch.ids)?, table(&batch.mask)?);
        to_cpu_f32(&self.model.forward(&ids, None, Some(&mask))?)
    }
}
