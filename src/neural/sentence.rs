//! A text embedder made of a tokenizer, an encoder and a pooling.

use std::ops::Range;

use super::{
    batch::{self, Window},
    error::NeuralError,
    forward::Forward,
    identity::ModelIdentity,
    lanes::Lanes,
    pooling,
    text_embedder::TextEmbedder,
    tokenize::Tokenizer,
    windows,
};

/// First token and separator.
const FRAME_TOKENS: usize = 2;

/// An embedder that runs on this machine.
pub(super) struct SentenceEmbedder {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    encoder: Box<dyn Forward>,
    query_prompt: Vec<u32>,
    document_prompt: Vec<u32>,
}

impl SentenceEmbedder {
    pub(super) fn new(
        identity: ModelIdentity,
        tokenizer: Tokenizer,
        encoder: Box<dyn Forward>,
    ) -> Result<Self, NeuralError> {
        let query_prompt = tokenizer.ids(&identity.query_prompt)?;
        let document_prompt = tokenizer.ids(&identity.document_prompt)?;
        Ok(Self { identity, tokenizer, encoder, query_prompt, document_prompt })
    }

    fn capacity(&self, prompt: &[u32]) -> usize {
        self.max_tokens().saturating_sub(FRAME_TOKENS + prompt.len()).max(1)
    }

    fn windows(&self, prompt: &[u32], text: &str) -> Result<Vec<Window>, NeuralError> {
        let ids = self.tokenizer.ids(text)?;
        let frame = |range| Window::single(self.tokenizer.special(), prompt, &ids[range]);
        let ranges = windows::cover(ids.len(), self.capacity(prompt));
        Ok(ranges.into_iter().map(frame).collect())
    }

    fn embed_batch(&self, windows: &[&Window]) -> Result<Vec<Vec<f32>>, NeuralError> {
        Ok(pooling::pool(&self.encoder.states(windows)?, self.identity.pooling))
    }
}

impl TextEmbedder for SentenceEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn document_capacity(&self) -> usize {
        self.capacity(&self.document_prompt)
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.tokenizer.count(text)
    }

    fn token_offsets(&self, text: &str) -> Vec<Range<usize>> {
        self.tokenizer.offsets(text)
    }

    fn embed_documents(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f32>>>, NeuralError> {
        let lanes = Lanes::documents()?;
        let by_text = lanes.run(texts, |text| self.windows(&self.document_prompt, text))?;
        let windows: Vec<&Window> = by_text.iter().flatten().collect();
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        let batches = batch::plan(&lengths, lanes.count(), self.encoder.batch_tokens());
        let embedded = lanes.run(&batches, |batch| {
            self.embed_batch(&batch.iter().map(|&at| windows[at]).collect::<Vec<_>>())
        })?;
        let mut vectors = batch::in_order(&batches, embedded).into_iter();
        Ok(by_text.iter().map(|windows| vectors.by_ref().take(windows.len()).collect()).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, NeuralError> {
        let windows = self.windows(&self.query_prompt, text)?;
        let embed = |window: &Window| self.embed_batch(&[window]);
        let embed_all = || windows.iter().map(embed).collect::<Result<Vec<_>, NeuralError>>();
        let vectors = Lanes::queries()?.run_one(embed_all)?.concat();
        match vectors.len() {
            1 => Ok(vectors.concat()),
            _ => Ok(pooling::unit_mean(&vectors, self.dimension())),
        }
    }
}
