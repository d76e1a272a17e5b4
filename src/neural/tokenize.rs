//! A model's tokenizer: text to token numbers, counts and offsets.

use std::ops::Range;

use super::error::NeuralError;

/// The tokenizer of one model. Cheap to share, safe to use from many threads at once.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    special: SpecialTokens,
}

/// The tokens that frame a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpecialTokens {
    pub(super) first: u32,
    pub(super) separator: u32,
    pub(super) padding: u32,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`. Truncation and padding that the file may ask for are turned off:
    /// the first would cut texts silently, the second is done by batch.
    pub fn from_bytes(json: &[u8]) -> Result<Self, NeuralError> {
        let mut inner = tokenizers::Tokenizer::from_bytes(json).map_err(NeuralError::Tokenizer)?;
        inner.with_padding(None);
        inner.with_truncation(None).map_err(NeuralError::Tokenizer)?;
        let number = |token| inner.token_to_id(token).ok_or(NeuralError::MissingToken(token));
        let special = SpecialTokens {
            first: number("[CLS]")?,
            separator: number("[SEP]")?,
            padding: number("[PAD]")?,
        };
        Ok(Self { inner, special })
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
        let encoding = self.inner.encode_fast(text, false).map_err(NeuralError::Tokenizer)?;
        Ok(encoding.get_ids().to_vec())
    }

    pub(super) fn special(&self) -> SpecialTokens {
        self.special
    }
}
