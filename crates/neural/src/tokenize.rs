//! A model's tokenizer: text to token numbers, counts and offsets.

use std::ops::Range;

use super::{
    error::NeuralError,
    template::{TemplateText, TokenTemplate},
};

/// Bytes of a word for which one token is counted if there is no vocabulary.
const BYTES_PER_TOKEN: usize = 4;

/// An estimate of the number of tokens without a vocabulary, for when no model is installed: one for every four bytes of
/// a word, and one for each other character. Higher than most vocabularies count, so that passages cut by it fit.
#[must_use]
pub fn estimate_tokens(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let others = text.chars().filter(|c| !c.is_alphanumeric() && !c.is_whitespace()).count();
    words.map(|word| word.len().div_ceil(BYTES_PER_TOKEN)).sum::<usize>() + others
}

/// The tokenizer of one model. Cheap to share, safe to use from many threads at once.
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    frame: TokenTemplate,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`. Truncation and padding that the file may configure are turned off: the first would
    /// cut texts silently, the second is done by batch. The name of a special token within a text is plain text
    /// (except for a Unigram vocabulary, which contains them as words), so that no passage can imitate the template
    /// around it.
    pub(super) fn new(json: &[u8], around: &TemplateText) -> Result<Self, NeuralError> {
        let mut inner = open_vocabulary(json)?;
        let frame = build_template(&inner, around)?;
        inner.set_encode_special_tokens(true);
        Ok(Self { inner, frame })
    }

    /// Returns the number of tokens of the bare text, special tokens not counted.
    #[must_use]
    pub fn count_tokens(&self, text: &str) -> usize {
        count_tokens(&self.inner, text)
    }

    /// Returns the byte range of each token of the bare text, in order.
    #[must_use]
    pub fn token_offsets(&self, text: &str) -> Vec<Range<usize>> {
        self.inner.encode(text, false).map_or_else(
            |_| text.char_indices().map(|(start, char)| start..start + char.len_utf8()).collect(),
            |encoding| encoding.get_offsets().iter().map(|&(from, to)| from..to).collect(),
        )
    }

    /// Returns the token numbers of the bare text.
    pub(super) fn token_ids(&self, text: &str) -> Result<Vec<u32>, NeuralError> {
        encode_ids(&self.inner, text)
    }

    /// Returns the number of a token that the model needs.
    pub(super) fn token_id(&self, token: &'static str) -> Result<u32, NeuralError> {
        find_token_id(&self.inner, token)
    }

    /// Returns the template around texts.
    pub(super) fn token_template(&self) -> &TokenTemplate {
        &self.frame
    }
}

/// Counts tokens with the vocabulary of a model, of which nothing else is loaded.
pub struct TokenCounter(tokenizers::Tokenizer);

impl TokenCounter {
    /// Reads the text of a `tokenizer.json`.
    pub fn from_json(json: &str) -> Result<Self, NeuralError> {
        let mut inner = open_vocabulary(json.as_bytes())?;
        inner.set_encode_special_tokens(true);
        Ok(Self(inner))
    }

    /// Returns the number of tokens of the bare text, as [`Tokenizer::count_tokens`] does.
    #[must_use]
    pub fn count_tokens(&self, text: &str) -> usize {
        count_tokens(&self.0, text)
    }
}

fn open_vocabulary(json: &[u8]) -> Result<tokenizers::Tokenizer, NeuralError> {
    let mut inner = tokenizers::Tokenizer::from_bytes(json).map_err(NeuralError::Tokenizer)?;
    inner.with_padding(None);
    inner.with_truncation(None).map_err(NeuralError::Tokenizer)?;
    Ok(inner)
}

fn count_tokens(inner: &tokenizers::Tokenizer, text: &str) -> usize {
    // The tokenizer rejects no known text; the number of bytes is an upper bound.
    inner.encode_fast(text, false).map_or(text.len(), |encoding| encoding.len())
}

fn build_template(
    inner: &tokenizers::Tokenizer,
    around: &TemplateText,
) -> Result<TokenTemplate, NeuralError> {
    for token in around.tokens {
        find_token_id(inner, token)?;
    }
    Ok(TokenTemplate {
        start: encode_ids(inner, around.start)?,
        between: encode_ids(inner, around.between)?,
        end: encode_ids(inner, around.end)?,
        padding: find_token_id(inner, around.padding)?,
    })
}

fn encode_ids(inner: &tokenizers::Tokenizer, text: &str) -> Result<Vec<u32>, NeuralError> {
    let encoding = inner.encode_fast(text, false).map_err(NeuralError::Tokenizer)?;
    Ok(encoding.get_ids().to_vec())
}

fn find_token_id(inner: &tokenizers::Tokenizer, token: &'static str) -> Result<u32, NeuralError> {
    inner.token_to_id(token).ok_or(NeuralError::MissingToken(token))
}
