//! A reranker made of a tokenizer, an encoder and a classifier over the first token's state.

use candle_core::{Device, Module as _, Tensor};
use candle_nn::{Linear, VarBuilder, linear};

use super::{
    batch::{self, Window},
    error::NeuralError,
    forward::Forward,
    identity::ModelIdentity,
    lanes::Lanes,
    pooling,
    reranker::Reranker,
    tokenize::Tokenizer,
    windows,
};

/// First token and two separators.
const FRAME_TOKENS: usize = 3;
/// The part of a window that is always left for the passage: a quarter.
const PASSAGE_SHARE: usize = 4;

/// A reranker that runs on this machine.
pub(super) struct CrossEncoder {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    encoder: Box<dyn Forward>,
    head: Head,
}

/// The two layers that turn the first token's state into a logit.
pub(super) struct Head {
    pooler: Linear,
    classifier: Linear,
}

impl Head {
    /// Takes the head's weights out of `weights`.
    pub(super) fn new(weights: &VarBuilder<'_>, width: usize) -> candle_core::Result<Self> {
        Ok(Self {
            pooler: linear(width, width, weights.pp("bert.pooler.dense"))?,
            classifier: linear(width, 1, weights.pp("classifier"))?,
        })
    }

    fn logits(&self, states: Vec<Vec<f32>>) -> candle_core::Result<Vec<f32>> {
        let states = Tensor::new(states, &Device::Cpu)?;
        let pooled = self.pooler.forward(&states)?.tanh()?;
        self.classifier.forward(&pooled)?.flatten_all()?.to_vec1()
    }
}

impl CrossEncoder {
    pub(super) fn new(
        identity: ModelIdentity,
        tokenizer: Tokenizer,
        encoder: Box<dyn Forward>,
        head: Head,
    ) -> Self {
        Self { identity, tokenizer, encoder, head }
    }

    fn window_tokens(&self) -> usize {
        (self.identity.max_tokens as usize).saturating_sub(FRAME_TOKENS)
    }

    fn query_ids(&self, query: &str) -> Result<Vec<u32>, NeuralError> {
        let mut ids = self.tokenizer.ids(query)?;
        ids.truncate(self.window_tokens() - self.window_tokens() / PASSAGE_SHARE);
        Ok(ids)
    }

    fn windows(&self, query: &[u32], passage: &str) -> Result<Vec<Window>, NeuralError> {
        let ids = self.tokenizer.ids(passage)?;
        let frame = |range| Window::pair(self.tokenizer.special(), query, &ids[range]);
        let capacity = self.window_tokens() - query.len();
        Ok(windows::cover(ids.len(), capacity).into_iter().map(frame).collect())
    }

    fn score_batch(&self, windows: &[&Window]) -> Result<Vec<f32>, NeuralError> {
        Ok(self.head.logits(pooling::pick(&self.encoder.states(windows)?))?)
    }
}

impl Reranker for CrossEncoder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn score(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, NeuralError> {
        let lanes = Lanes::queries()?;
        let query = self.query_ids(query)?;
        let by_passage = lanes.run(passages, |passage| self.windows(&query, passage))?;
        let windows: Vec<&Window> = by_passage.iter().flatten().collect();
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        let batches = batch::plan(&lengths, lanes.count(), self.encoder.batch_tokens());
        let scored = lanes.run(&batches, |batch| {
            self.score_batch(&batch.iter().map(|&at| windows[at]).collect::<Vec<_>>())
        })?;
        let mut logits = batch::in_order(&batches, scored).into_iter();
        let best = |windows: &Vec<Window>| {
            logits.by_ref().take(windows.len()).fold(f32::NEG_INFINITY, f32::max)
        };
        Ok(by_passage.iter().map(best).collect())
    }
}
