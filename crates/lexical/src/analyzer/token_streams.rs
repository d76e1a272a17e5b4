//! The two token streams as tokenizers of tantivy.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::{
    forms::WordForms,
    runs::{fold_text, split_parts, split_runs},
};

/// Name under which [`WordsTokenizer`] is registered with the index.
pub(crate) const WORDS_TOKENIZER: &str = "words";
/// Name under which [`FormsTokenizer`] is registered with the index.
pub(crate) const FORMS_TOKENIZER: &str = "forms";

/// Every part of a text as written, in lower case, at its own position.
#[derive(Clone, Default)]
pub(crate) struct WordsTokenizer {
    tokens: Vec<Token>,
}

/// Every form of every word; positions have no meaning.
#[derive(Clone, Default)]
pub(crate) struct FormsTokenizer {
    forms: WordForms,
    tokens: Vec<Token>,
}

/// The tokens of one text.
pub(crate) struct BufferedTokens<'a> {
    tokens: &'a mut Vec<Token>,
    next: usize,
}

impl Tokenizer for WordsTokenizer {
    type TokenStream<'a> = BufferedTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> BufferedTokens<'a> {
        self.tokens.clear();
        let text = fold_text(text);
        for part in split_runs(&text).flat_map(split_parts) {
            push_token(&mut self.tokens, part.to_lowercase());
        }
        BufferedTokens { tokens: &mut self.tokens, next: 0 }
    }
}

impl Tokenizer for FormsTokenizer {
    type TokenStream<'a> = BufferedTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> BufferedTokens<'a> {
        self.tokens.clear();
        let text = fold_text(text);
        let mut before = None;
        for run in split_runs(&text) {
            self.forms.generate_forms(before, run, &mut |form| push_token(&mut self.tokens, form));
            before = Some(run);
        }
        BufferedTokens { tokens: &mut self.tokens, next: 0 }
    }
}

fn push_token(tokens: &mut Vec<Token>, text: String) {
    let position = tokens.len();
    // Offsets serve highlighting, which does not use the index.
    tokens.push(Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 });
}

impl TokenStream for BufferedTokens<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.next - 1]
    }
}
