//! BERT by candle.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};

use super::{
    batch::TokenBatch,
    device::to_cpu,
    encoder::{Encoder, tensor},
};

/// A loaded BERT.
pub(super) struct Bert {
    model: BertModel,
}

impl Bert {
    /// Takes the weights it needs out of `weights`.
    pub(super) fn new(weights: VarBuilder<'_>, config: &Config) -> Result<Self> {
        Ok(Self { model: BertModel::load(weights, config)? })
    }
}

impl Encoder for Bert {
    fn states(&self, batch: &TokenBatch) -> Result<Tensor> {
        let table = |table| tensor(table, batch, &self.model.device);
        let (ids, types, mask) = (table(&batch.ids)?, table(&batch.types)?, table(&batch.mask)?);
        to_cpu(&self.model.forward(&ids, &types, Some(&mask))?)
    }
}
