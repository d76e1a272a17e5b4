//! A text to look for quotations in.

use std::ops::Range;

use crate::{token::QuoteToken, tokenizer::tokenize_text};

/// A text with its tokens, to look for quotations in.
#[derive(Debug, Clone)]
pub struct TokenizedText {
    text: String,
    pub(crate) tokens: Vec<QuoteToken>,
}

impl TokenizedText {
    /// Tokenizes a text. What lies beyond 4 GiB is left out.
    pub fn new(mut text: String) -> Self {
        if u32::try_from(text.len()).is_err() {
            text.truncate(text.floor_char_boundary(u32::MAX as usize));
        }
        let tokens = tokenize_text(&text, false);
        Self { text, tokens }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without its tokens.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The bytes from one token to another, both included.
    pub(crate) fn bytes_of(&self, tokens: Range<usize>) -> Range<usize> {
        match self.tokens.get(tokens) {
            Some([first, .., last]) => first.range().start..last.range().end,
            Some([only]) => only.range(),
            Some([]) | None => 0..0,
        }
    }
}
