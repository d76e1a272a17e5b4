//! Qwen3, a decoder, by candle.

use candle_core::{Device, Result, Tensor, bail};
use candle_nn::VarBuilder;
pub(super) use candle_transformers::models::qwen3::Config;
use candle_transformers::models::qwen3::Model;

use super::{
    batch::TokenBatch,
    batch_encoder::{BatchEncoder, tensor_from_table},
    device::to_cpu_f32,
};

/// A loaded Qwen3 without its vocabulary head. No token attends to a later one, so that padding at the
/// end changes nothing.
pub(super) struct Qwen3 {
    /// Never run itself: each batch runs a copy, which shares the weights, because a model keeps the
    /// keys and values of what it has read.
    model: Model,
    device: Device,
}

impl Qwen3 {
    /// Reads the weights it needs from `weights`.
    pub(super) fn new(weights: VarBuilder<'_>, config: &Config) -> Result<Self> {
        let (heads, shared) = (config.num_attention_heads, config.num_key_value_heads);
        let width = config.head_dim;
        let rotates = width > 0 && width.is_multiple_of(2);
        if shared == 0 || !heads.is_multiple_of(shared) || !rotates {
            bail!("{heads} heads of {width} numbers cannot share {shared} keys");
        }
        let device = weights.device().clone();
        // The tensors of the embedders lack the prefix that those of a model with a head have.
        let weights = if weights.contains_tensor("model.embed_tokens.weight") {
            weights
        } else {
            weights.rename_f(|name| name.trim_start_matches("model.").to_owned())
        };
        Ok(Self { model: Model::new(config, weights)?, device })
    }
}

impl BatchEncoder for Qwen3 {
    fn encode_batch(&self, batch: &TokenBatch) -> Result<Tensor> {
        let ids = tensor_from_table(&batch.ids, batch, &self.device)?;
        to_cpu_f32(&self.model.clone().forward(&ids, 0)?)
    }
}
