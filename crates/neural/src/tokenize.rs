//! A model's tokenizer: text to token numbers, counts and offsets.

use std::ops::Range;

use super::{
    error::NeuralError,
    frame::{Frame, FrameText},
};

/// The tokenizer of one model. Cheap to share, safe to use from many threads at once.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    frame: Frame,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`. Truncation and padding that the file may ask for are turned off:
    /// the first would cut texts silently, the second is done by batch. The name of a special
    /// token within a text is text (but for a Unigram vocabulary, which holds them as words), so
    /// that no passage can speak for the frame around it.
    pub(super) fn new(json: &[u8], around: &FrameText) -> Result<Self, NeuralError> {
        let mut inner = tokenizers::Tokenizer::from_bytes(json).map_err(NeuralError::Tokenizer)?;
        inner.with_padding(None);
        inner.with_truncation(None).map_err(NeuralError::Tokenizer)?;
        let frame = frame(&inner, around)?;
        inner.set_encode_special_tokens(true);
        Ok(Self { inner, frame })
    }

    /// Returns the number of tokens of the bare text, special tokens not counted.
    #[must_use]
    pub fn count(&self, text: &str) -> usize {
        // No text is known that the tokenizer refuses; its bytes would be an upper bound.
        self.inner.encode_fast(text, false).map_or(text.len(), |encoding| encoding.len())
    }

    /// Returns the byte range of each token of the bare text, in order.
    #[must_use]
    pub fn offsets(&self, text: &str) -> Vec<Range<usize>> {
        self.inner.encode(text, false).map_or_else(
            |_| text.char_indices().map(|(at, char)| at..at + char.len_utf8()).collect(),
            |encoding| encoding.get_offsets().iter().map(|&(from, to)| from..to).collect(),
        )
    }

    /// Returns the token numbers of the bare text.
    pub(super) fn ids(&self, text: &str) -> Result<Vec<u32>, NeuralError> {
        ids(&self.inner, text)
    }

    /// Returns the number of a token that the model needs.
    pub(super) fn number(&self, token: &'static str) -> Result<u32, NeuralError> {
        number(&self.inner, token)
    }

    /// Returns what stands around texts.
    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }
}

fn frame(inner: &tokenizers::Tokenizer, around: &FrameText) -> Result<Frame, NeuralError> {
    for token in around.tokens {
        number(inner, token)?;
    }
    Ok(Frame {
        start: ids(inner, around.start)?,
        between: ids(inner, around.between)?,
        end: ids(inner, around.end)?,
        padding: number(inner, around.padding)?,
    })
}

fn ids(inner: &tokenizers::Tokenizer, text: &str) -> Result<Vec<u32>, NeuralError> {
    let encoding = inner.encode_fast(text, false).map_err(NeuralError::Tokenizer)?;
    Ok(encoding.get_ids().to_vec())
}

fn number(inner: &tokenizers::Tokenizer, token: &'static str) -> Result<u32, NeuralError> {
    inner.token_to_id(token).ok_or(NeuralError::MissingToken(token))
}
