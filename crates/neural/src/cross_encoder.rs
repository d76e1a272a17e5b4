//! A reranker made of a tokenizer, an encoder and a head over the state of one token.

use candle_core::{Device, Module as _, Tensor};
use candle_nn::Linear;

use super::{
    batch::{self, TokenWindow},
    error::NeuralError,
    identity::{ModelIdentity, Pooling},
    lanes::WorkerLanes,
    pooling::{TokenPosition, pick_token_states},
    reranker::Reranker,
    tokenize::Tokenizer,
    window_encoder::WindowEncoder,
    windows,
};

/// A quarter of a window is always left for the passage: a very long query would leave nothing to score, and any
/// number of windows.
const PASSAGE_DIVISOR: usize = 4;

/// A reranker that runs on this machine.
pub(super) struct CrossEncoder {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    encoder: Box<dyn WindowEncoder>,
    head: RerankerHead,
}

/// What turns the state of one token into a logit. It runs on the processor in 32 bits.
pub(super) struct RerankerHead {
    /// The layer before the logit in classifiers, followed by a hyperbolic tangent.
    pub(super) hidden: Option<Linear>,
    /// The layer from a state to the logit.
    pub(super) logit: Linear,
}

impl RerankerHead {
    fn compute_logits(&self, states: Vec<Vec<f32>>) -> candle_core::Result<Vec<f32>> {
        let mut states = Tensor::new(states, &Device::Cpu)?;
        if let Some(hidden) = &self.hidden {
            states = hidden.forward(&states)?.tanh()?;
        }
        self.logit.forward(&states)?.flatten_all()?.to_vec1()
    }
}

impl CrossEncoder {
    pub(super) fn new(
        identity: ModelIdentity,
        tokenizer: Tokenizer,
        encoder: Box<dyn WindowEncoder>,
        head: RerankerHead,
    ) -> Self {
        Self { identity, tokenizer, encoder, head }
    }

    fn window_tokens(&self) -> usize {
        (self.identity.max_tokens as usize)
            .saturating_sub(self.tokenizer.token_template().pair_token_count())
    }

    /// Returns the tokens before every passage. A query that is too long loses its end; the prompts
    /// around it stay complete.
    fn tokenize_query(&self, query: &str) -> Result<Vec<u32>, NeuralError> {
        let max_tokens = self.window_tokens() - self.window_tokens() / PASSAGE_DIVISOR;
        let mut ids = self.tokenize_with_prompt(query)?;
        if ids.len() > max_tokens {
            let capacity = max_tokens.saturating_sub(self.tokenize_with_prompt("")?.len());
            let end = self
                .tokenizer
                .token_offsets(query)
                .get(capacity)
                .map_or(query.len(), |cut| cut.start);
            ids = self.tokenize_with_prompt(&query[..query.floor_char_boundary(end)])?;
            ids.truncate(max_tokens);
        }
        Ok(ids)
    }

    fn tokenize_with_prompt(&self, query: &str) -> Result<Vec<u32>, NeuralError> {
        let (after, _) = self.split_passage_prompt();
        self.tokenizer.token_ids(&[&self.identity.query_prompt, query, after].concat())
    }

    /// Splits the passage's prompt into the part that is tokenized with the query and the spaces at its
    /// end, which are tokenized with the passage: a byte-level tokenizer joins them to a word.
    fn split_passage_prompt(&self) -> (&str, &str) {
        let prompt = &self.identity.document_prompt;
        prompt.split_at(prompt.trim_end_matches(' ').len())
    }

    fn split_passage(&self, query: &[u32], passage: &str) -> Result<Vec<TokenWindow>, NeuralError> {
        let (_, before) = self.split_passage_prompt();
        let ids = self.tokenizer.token_ids(&[before, passage].concat())?;
        let frame =
            |range| TokenWindow::from_pair(self.tokenizer.token_template(), query, &ids[range]);
        let capacity = self.window_tokens() - query.len();
        Ok(windows::cover_tokens(ids.len(), capacity).into_iter().map(frame).collect())
    }

    /// The token whose state is scored. Classifiers are trained on the first one.
    fn scored_token(&self) -> TokenPosition {
        match self.identity.pooling {
            Pooling::Last => TokenPosition::Last,
            Pooling::Cls | Pooling::Mean => TokenPosition::First,
        }
    }

    fn score_batch(&self, windows: &[&TokenWindow]) -> Result<Vec<f32>, NeuralError> {
        let states = self.encoder.encode_windows(windows)?;
        Ok(self.head.compute_logits(pick_token_states(&states, self.scored_token()))?)
    }
}

impl Reranker for CrossEncoder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn score_passages(&self, query: &str, passages: &[&str]) -> Result<Vec<f32>, NeuralError> {
        let lanes = WorkerLanes::query_lanes()?;
        let query = self.tokenize_query(query)?;
        let by_passage = lanes.run_jobs(passages, |passage| self.split_passage(&query, passage))?;
        let windows: Vec<&TokenWindow> = by_passage.iter().flatten().collect();
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        let batches =
            batch::plan_batches(&lengths, lanes.lane_count(), self.encoder.batch_tokens());
        let scored = lanes.run_jobs(&batches, |batch| {
            self.score_batch(&batch.iter().map(|&index| windows[index]).collect::<Vec<_>>())
        })?;
        let mut logits = batch::restore_order(&batches, scored).into_iter();
        let best = |windows: &Vec<TokenWindow>| {
            logits.by_ref().take(windows.len()).fold(f32::NEG_INFINITY, f32::max)
        };
        Ok(by_passage.iter().map(best).collect())
    }
}
