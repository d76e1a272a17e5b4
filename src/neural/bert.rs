//! BERT by candle.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config};

use super::{
    batch::TokenBatch,
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
        let ids = tensor(&batch.ids, batch)?;
        let types = tensor(&batch.types, batch)?;
        let mask = tensor(&batch.mask, batch)?;
        self.model.forward(&ids, &types, Some(&mask))
    }
}
