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

/// An embedder that runs on this machine.
pub(super) struct SentenceEmbedder {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    encoder: Box<dyn Forward>,
    query_prompt: Prompt,
    document_prompt: Prompt,
}

/// What is put before a text.
struct Prompt {
    text: String,
    ids: Vec<u32>,
}

impl Prompt {
    fn new(text: &str, tokenizer: &Tokenizer) -> Result<Self, NeuralError> {
        Ok(Self { text: text.to_owned(), ids: tokenizer.ids(text)? })
    }
}

impl SentenceEmbedder {
    pub(super) fn new(
        identity: ModelIdentity,
        tokenizer: Tokenizer,
        encoder: Box<dyn Forward>,
    ) -> Result<Self, NeuralError> {
        let query_prompt = Prompt::new(&identity.query_prompt, &tokenizer)?;
        let document_prompt = Prompt::new(&identity.document_prompt, &tokenizer)?;
        Ok(Self { identity, tokenizer, encoder, query_prompt, document_prompt })
    }

    fn capacity(&self, prompt: &[u32]) -> usize {
        let around = self.tokenizer.frame().single_tokens() + prompt.len();
        self.max_tokens().saturating_sub(around).max(1)
    }

    /// A text that fits is tokenized together with its prompt, as the models' authors do: a
    /// byte-level tokenizer may join the end of the one and the beginning of the other.
    fn windows(&self, prompt: &Prompt, text: &str) -> Result<Vec<Window>, NeuralError> {
        let frame = self.tokenizer.frame();
        let whole = self.tokenizer.ids(&[&prompt.text, text].concat())?;
        if whole.len() <= self.capacity(&[]) {
            return Ok(vec![Window::single(frame, &[], &whole)]);
        }
        let ids = self.tokenizer.ids(text)?;
        let window = |range| Window::single(frame, &prompt.ids, &ids[range]);
        let ranges = windows::cover(ids.len(), self.capacity(&prompt.ids));
        Ok(ranges.into_iter().map(window).collect())
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
        self.capacity(&self.document_prompt.ids)
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
