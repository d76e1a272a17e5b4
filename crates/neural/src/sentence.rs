//! A text embedder made of a tokenizer, an encoder and a pooling.

use std::ops::Range;

use super::{
    batch::{self, TokenWindow},
    error::NeuralError,
    identity::ModelIdentity,
    lanes::WorkerLanes,
    pooling,
    text_embedder::TextEmbedder,
    tokenize::Tokenizer,
    window_encoder::WindowEncoder,
    windows,
};

/// An embedder that runs on this machine.
pub(super) struct SentenceEmbedder {
    identity: ModelIdentity,
    tokenizer: Tokenizer,
    encoder: Box<dyn WindowEncoder>,
    query_prompt: TokenizedPrompt,
    document_prompt: TokenizedPrompt,
}

/// The text that is put before another one.
struct TokenizedPrompt {
    text: String,
    ids: Vec<u32>,
}

impl TokenizedPrompt {
    fn new(text: &str, tokenizer: &Tokenizer) -> Result<Self, NeuralError> {
        Ok(Self { text: text.to_owned(), ids: tokenizer.token_ids(text)? })
    }
}

impl SentenceEmbedder {
    pub(super) fn new(
        identity: ModelIdentity,
        tokenizer: Tokenizer,
        encoder: Box<dyn WindowEncoder>,
    ) -> Result<Self, NeuralError> {
        let query_prompt = TokenizedPrompt::new(&identity.query_prompt, &tokenizer)?;
        let document_prompt = TokenizedPrompt::new(&identity.document_prompt, &tokenizer)?;
        Ok(Self { identity, tokenizer, encoder, query_prompt, document_prompt })
    }

    fn text_capacity(&self, prompt: &[u32]) -> usize {
        let around = self.tokenizer.token_template().single_token_count() + prompt.len();
        self.max_tokens().saturating_sub(around).max(1)
    }

    /// A text that fits is tokenized together with its prompt, as the models' authors do: a
    /// byte-level tokenizer may join the end of the one and the beginning of the other.
    fn split_text(
        &self,
        prompt: &TokenizedPrompt,
        text: &str,
    ) -> Result<Vec<TokenWindow>, NeuralError> {
        let frame = self.tokenizer.token_template();
        let prompted = self.tokenizer.token_ids(&[&prompt.text, text].concat())?;
        if prompted.len() <= self.text_capacity(&[]) {
            return Ok(vec![TokenWindow::from_text(frame, &[], &prompted)]);
        }
        let ids = self.tokenizer.token_ids(text)?;
        let window = |range| TokenWindow::from_text(frame, &prompt.ids, &ids[range]);
        let ranges = windows::cover_tokens(ids.len(), self.text_capacity(&prompt.ids));
        Ok(ranges.into_iter().map(window).collect())
    }

    fn embed_batch(&self, windows: &[&TokenWindow]) -> Result<Vec<Vec<f32>>, NeuralError> {
        Ok(pooling::pool_windows(&self.encoder.encode_windows(windows)?, self.identity.pooling))
    }
}

impl TextEmbedder for SentenceEmbedder {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn document_capacity(&self) -> usize {
        self.text_capacity(&self.document_prompt.ids)
    }

    fn count_tokens(&self, text: &str) -> usize {
        self.tokenizer.count_tokens(text)
    }

    fn token_offsets(&self, text: &str) -> Vec<Range<usize>> {
        self.tokenizer.token_offsets(text)
    }

    fn embed_documents(&self, texts: &[&str]) -> Result<Vec<Vec<Vec<f32>>>, NeuralError> {
        let lanes = WorkerLanes::document_lanes()?;
        let by_text = lanes.run_jobs(texts, |text| self.split_text(&self.document_prompt, text))?;
        let windows: Vec<&TokenWindow> = by_text.iter().flatten().collect();
        let lengths: Vec<usize> = windows.iter().map(|window| window.len()).collect();
        let batches =
            batch::plan_batches(&lengths, lanes.lane_count(), self.encoder.batch_tokens());
        let embedded = lanes.run_jobs(&batches, |batch| {
            self.embed_batch(&batch.iter().map(|&index| windows[index]).collect::<Vec<_>>())
        })?;
        let mut vectors = batch::restore_order(&batches, embedded).into_iter();
        Ok(by_text.iter().map(|windows| vectors.by_ref().take(windows.len()).collect()).collect())
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, NeuralError> {
        let windows = self.split_text(&self.query_prompt, text)?;
        let embed = |window: &TokenWindow| self.embed_batch(&[window]);
        let embed_all = || windows.iter().map(embed).collect::<Result<Vec<_>, NeuralError>>();
        let vectors = WorkerLanes::query_lanes()?.run_on_next_lane(embed_all)?.concat();
        match vectors.len() {
            1 => Ok(vectors.concat()),
            _ => Ok(pooling::unit_mean(&vectors, self.dimension())),
        }
    }
}
