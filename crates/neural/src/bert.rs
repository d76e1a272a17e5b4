//! BERT by candle.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};

use super::{
    batch::TokenBatch,
    batch_encoder::{BatchEncoder, tensor_from_table},
    device::to_cpu_f32,
};

/// A loaded BERT.
pub(super) struct Bert {
    model: BertModel,
}

impl Bert {
    /// Reads the weights it needs from `weights`.
    pub(super) fn new(weights: VarBuilder<'_>, config: &Config) -> Result<Self> {
        Ok(Self { model: BertModel::load(weights, config)? })
    }
}

impl BatchEncoder for Bert {
    fn encode_batch(&self, batch: &TokenBatch) -> Result<Tensor> {
        let table = |table| tensor_from_table(table, batch, &self.model.device);
        let (ids, types, mask) = (table(&batch.ids)?, table(&batch.types)?, table(&batch.mask)?);
        to_cpu_f32(&self.model.forward(&ids, &types, Some(&mask))?)
    }
}
