//! The two token streams as tokenizers of tantivy.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{
    forms::RunForms,
    runs::{fold_text, split_parts, split_runs},
};

/// Name under which [`WordsTokenizer`] is registered with the index.
pub(crate) const WORDS_TOKENIZER: &str = "words";
/// Name under which [`FormsTokenizer`] is registered with the index.
pub(crate) const FORMS_TOKENIZER: &str = "forms";

/// Every part of a text as written, in lower case, at its own position.
#[derive(Clone, Default)]
pub(crate) struct WordsTokenizer {
    buffer: TokenBuffer,
}

/// Every form of every word; positions have no meaning.
#[derive(Clone, Default)]
pub(crate) struct FormsTokenizer {
    forms: RunForms,
    buffer: TokenBuffer,
}

/// Tokens whose memory is used again for the next text: allocating one for each word takes longer than finding it.
#[derive(Clone, Default)]
struct TokenBuffer {
    tokens: Vec<Token>,
    used: usize,
}

/// The tokens of one text.
pub(crate) struct BufferedTokens<'a> {
    buffer: &'a mut TokenBuffer,
    next: usize,
}

impl Tokenizer for WordsTokenizer {
    type TokenStream<'a> = BufferedTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> BufferedTokens<'a> {
        self.buffer.used = 0;
        let text = fold_text(text);
        for part in split_runs(&text).flat_map(split_parts) {
            self.buffer.push_lower_case(part);
        }
        BufferedTokens { buffer: &mut self.buffer, next: 0 }
    }
}

impl Tokenizer for FormsTokenizer {
    type TokenStream<'a> = BufferedTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> BufferedTokens<'a> {
        self.buffer.used = 0;
        let text = fold_text(text);
        let mut before = None;
        for run in split_runs(&text) {
            self.forms.for_each_form(before, run, |form| self.buffer.push(form));
            before = Some(run);
        }
        BufferedTokens { buffer: &mut self.buffer, next: 0 }
    }
}

impl TokenBuffer {
    /// A token with an empty text, at the next position. Offsets serve highlighting, which does not use the index.
    fn push_empty(&mut self) -> &mut String {
        if self.used == self.tokens.len() {
            let (position, text) = (self.used, String::new());
            let token = Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 };
            self.tokens.push(token);
        }
        let text = &mut self.tokens[self.used].text;
        self.used += 1;
        text.clear();
        text
    }

    fn push(&mut self, form: &str) {
        self.push_empty().push_str(form);
    }

    fn push_lower_case(&mut self, part: &str) {
        let text = self.push_empty();
        if part.is_ascii() {
            text.push_str(part);
            text.make_ascii_lowercase();
        } else {
            text.push_str(&part.to_lowercase())
        }
    }
}

impl TokenStream for BufferedTokens<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.buffer.used
    }

    fn token(&self) -> &Token {
        &self.buffer.tokens[self.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.buffer.tokens[self.next - 1]
    }
}
