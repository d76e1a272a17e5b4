//! XLM-RoBERTa in candle's operations.
//!
//! Not candle's own model: that one computes positions in the number format of the weights, where 16
//! bits do not hold the larger ones, and so gives wrong vectors on a GPU.

use candle_core::{D, DType, Device, Module as _, Result, Tensor, bail};
use candle_nn::{
    Activation, Embedding, LayerNorm, Linear, VarBuilder, embedding, layer_norm, linear, ops,
};
pub(super) use candle_transformers::models::xlm_roberta::Config;

use super::{
    batch::TokenBatch,
    batch_encoder::{BatchEncoder, tensor_from_table},
    device::to_cpu_f32,
};

/// Added to the scores of padding: its weight is zero after the softmax, and the number fits in 16 bits.
const MASKED: f32 = -60_000.0;

/// A loaded XLM-RoBERTa.
pub(super) struct XlmRoberta {
    words: Embedding,
    /// The table of positions from the first that is used, with the one token type added.
    positions: Tensor,
    norm: LayerNorm,
    layers: Vec<XlmRobertaLayer>,
}

struct XlmRobertaLayer {
    heads: usize,
    query: Linear,
    key: Linear,
    value: Linear,
    mixed: Linear,
    attention_norm: LayerNorm,
    inner: Linear,
    activation: Activation,
    outer: Linear,
    norm: LayerNorm,
}

/// Returns the maximum number of tokens in a window: positions begin after the number of the padding
/// token.
pub(super) fn longest_window(config: &Config) -> usize {
    config.max_position_embeddings.saturating_sub(first_position(config))
}

fn first_position(config: &Config) -> usize {
    config.pad_token_id as usize + 1
}

impl XlmRoberta {
    /// Reads the weights it needs from `weights`.
    pub(super) fn new(weights: &VarBuilder<'_>, config: &Config) -> Result<Self> {
        let (width, heads) = (config.hidden_size, config.num_attention_heads);
        if heads == 0 || !width.is_multiple_of(heads) || longest_window(config) == 0 {
            bail!("{width} states, {heads} heads and {} positions", config.max_position_embeddings);
        }
        let (embeddings, encoder) = (weights.pp("embeddings"), weights.pp("encoder.layer"));
        let table = |rows, name| embeddings.get((rows, width), &format!("{name}.weight"));
        let types = table(config.type_vocab_size, "token_type_embeddings")?;
        let positions = table(config.max_position_embeddings, "position_embeddings")?;
        let positions = positions.narrow(0, first_position(config), longest_window(config))?;
        Ok(Self {
            words: embedding(config.vocab_size, width, embeddings.pp("word_embeddings"))?,
            positions: positions.broadcast_add(&types.narrow(0, 0, 1)?)?,
            norm: layer_norm(width, config.layer_norm_eps, embeddings.pp("LayerNorm"))?,
            layers: (0..config.num_hidden_layers)
                .map(|index| XlmRobertaLayer::new(&encoder.pp(index), config))
                .collect::<Result<_>>()?,
        })
    }
}

impl BatchEncoder for XlmRoberta {
    fn encode_batch(&self, batch: &TokenBatch) -> Result<Tensor> {
        let device = self.positions.device();
        let words = self.words.forward(&tensor_from_table(&batch.ids, batch, device)?)?;
        let positions = self.positions.narrow(0, 0, batch.width)?;
        let mut states = self.norm.forward(&words.broadcast_add(&positions)?)?;
        let mask = build_attention_mask(batch, states.dtype(), device)?;
        for layer in &self.layers {
            states = layer.forward(&states, mask.as_ref())?;
        }
        to_cpu_f32(&states)
    }
}

/// Returns what is added to the scores, for all heads and queries; `None` if nothing is padding.
fn build_attention_mask(
    batch: &TokenBatch,
    numbers: DType,
    device: &Device,
) -> Result<Option<Tensor>> {
    if batch.lengths.iter().all(|&length| length == batch.width) {
        return Ok(None);
    }
    let added = |&token: &u32| if token == 0 { MASKED } else { 0.0 };
    let added: Vec<f32> = batch.mask.iter().map(added).collect();
    let (rows, width) = batch.shape();
    Tensor::from_vec(added, (rows, 1, 1, width), device)?.to_dtype(numbers).map(Some)
}

impl XlmRobertaLayer {
    fn new(weights: &VarBuilder<'_>, config: &Config) -> Result<Self> {
        let (width, inner) = (config.hidden_size, config.intermediate_size);
        let square = |name| linear(width, width, weights.pp(name));
        let norm = |name| layer_norm(width, config.layer_norm_eps, weights.pp(name));
        Ok(Self {
            heads: config.num_attention_heads,
            query: square("attention.self.query")?,
            key: square("attention.self.key")?,
            value: square("attention.self.value")?,
            mixed: square("attention.output.dense")?,
            attention_norm: norm("attention.output.LayerNorm")?,
            inner: linear(width, inner, weights.pp("intermediate.dense"))?,
            activation: config.hidden_act,
            outer: linear(inner, width, weights.pp("output.dense"))?,
            norm: norm("output.LayerNorm")?,
        })
    }

    fn forward(&self, states: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let attended = self.mixed.forward(&self.compute_attention(states, mask)?)?;
        let states = self.attention_norm.forward(&(attended + states)?)?;
        let inner = self.activation.forward(&self.inner.forward(&states)?)?;
        self.norm.forward(&(self.outer.forward(&inner)? + states)?)
    }

    fn compute_attention(&self, states: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let (rows, columns, width) = states.dims3()?;
        let by_head = (rows, columns, self.heads, width / self.heads);
        let split =
            |part: &Linear| part.forward(states)?.reshape(by_head)?.transpose(1, 2)?.contiguous();
        let scale = ((width / self.heads) as f64).sqrt().recip();
        let (query, key) = ((split(&self.query)? * scale)?, split(&self.key)?);
        let mut scores = query.matmul(&key.transpose(D::Minus2, D::Minus1)?)?;
        if let Some(mask) = mask {
            scores = scores.broadcast_add(mask)?;
        }
        let mixed = ops::softmax_last_dim(&scores)?.matmul(&split(&self.value)?)?;
        mixed.transpose(1, 2)?.reshape((rows, columns, width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{batch::TokenWindow, pooling::normalise_vector, template::TokenTemplate};

    /// The number format of a GPU, on the processor.
    #[test]
    fn sixteen_bits_give_nearly_the_same_states_also_beside_padding() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/models/");
        let read = |name| std::fs::read(format!("{folder}tiny-bge-reranker-v2-m3/{name}"));
        let config = serde_json::from_slice(&read("config.json").expect("a fixture"));
        let config: Config = config.expect("a configuration");
        let data = read("model.safetensors").expect("a fixture");
        let frame = TokenTemplate { start: vec![0], between: vec![], end: vec![2], padding: 1 };
        let ids: Vec<u32> = (0..126).map(|at| 4 + at * 7 % 180).collect();
        let windows = [
            TokenWindow::from_text(&frame, &[], &ids),
            TokenWindow::from_text(&frame, &[], &ids[..9]),
        ];
        let batch = TokenBatch::new(&windows.each_ref(), frame.padding);
        let states = |numbers| {
            let weights = VarBuilder::from_slice_safetensors(&data, numbers, &Device::Cpu)?;
            let model = XlmRoberta::new(&weights.pp("roberta"), &config)?;
            model.encode_batch(&batch)?.to_vec3::<f32>()
        };
        let full = states(DType::F32).expect("the model runs");
        let half = states(DType::F16).expect("the model runs");
        for (row, &length) in batch.lengths.iter().enumerate() {
            for (a, b) in full[row].iter().zip(&half[row]).take(length) {
                let (mut a, mut b) = (a.clone(), b.clone());
                normalise_vector(&mut a);
                normalise_vector(&mut b);
                let cosine: f32 = a.iter().zip(&b).map(|(a, b)| a * b).sum();
                assert!(cosine > 0.999, "{cosine}");
            }
        }
    }
}
