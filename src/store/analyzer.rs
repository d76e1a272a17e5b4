//! Words of this field: `5.3.5`, `RRCReconfiguration`, `ssb-PositionsInBurst`, `N1/N2`.
//!
//! A run of letters and digits with inner points, hyphens, underscores or slashes is one token
//! whole, in lower case, and its parts are tokens of their own at the following positions.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the analyzer is registered with the index.
pub(super) const ANALYZER: &str = "identifiers";

/// Longer runs (base64 and the like) are not words anybody looks for.
const MAX_TOKEN_BYTES: usize = 200;

/// The tokenizer; it has no settings.
#[derive(Clone, Default)]
pub(super) struct IdentifierTokenizer {
    tokens: Vec<Token>,
}

/// The tokens of one text.
pub(super) struct IdentifierStream<'a> {
    tokens: &'a mut Vec<Token>,
    next: usize,
}

impl Tokenizer for IdentifierTokenizer {
    type TokenStream<'a> = IdentifierStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> IdentifierStream<'a> {
        self.tokens.clear();
        let mut position = 0;
        for (start, run) in runs(text) {
            push_run(&mut self.tokens, start, run, &mut position);
        }
        IdentifierStream { tokens: &mut self.tokens, next: 0 }
    }
}

impl TokenStream for IdentifierStream<'_> {
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

/// The tokens of a text as the index sees them, whole runs only.
pub(super) fn whole_words(text: &str) -> Vec<String> {
    runs(text).map(|(_, run)| run.to_lowercase()).collect()
}

fn is_joiner(c: char) -> bool {
    matches!(c, '.' | '-' | '_' | '/')
}

/// Runs of letters and digits with single inner joiners, and where they start.
fn runs(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|c: char| !c.is_alphanumeric() && !is_joiner(c))
        .map(|piece| piece.trim_matches(is_joiner))
        .filter(|piece| !piece.is_empty() && piece.len() <= MAX_TOKEN_BYTES)
        .map(|piece| (piece.as_ptr() as usize - text.as_ptr() as usize, piece))
}

fn push_run(tokens: &mut Vec<Token>, start: usize, run: &str, position: &mut usize) {
    let mut push = |offset: usize, text: &str, position: usize, length: usize| {
        tokens.push(Token {
            offset_from: offset,
            offset_to: offset + text.len(),
            position,
            text: text.to_lowercase(),
            position_length: length,
        });
    };
    let parts: Vec<&str> = run.split(is_joiner).filter(|part| !part.is_empty()).collect();
    push(start, run, *position, parts.len());
    if parts.len() > 1 {
        for (index, part) in parts.iter().enumerate() {
            let offset = part.as_ptr() as usize - run.as_ptr() as usize;
            push(start + offset, part, *position + index, 1);
        }
    }
    *position += parts.len();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<String> {
        let mut tokenizer = IdentifierTokenizer::default();
        let mut stream = tokenizer.token_stream(text);
        let mut out = Vec::new();
        while stream.advance() {
            out.push(format!("{}@{}", stream.token().text, stream.token().position));
        }
        out
    }

    #[test]
    fn identifiers_are_found_whole_and_by_part() {
        assert_eq!(
            tokens("See ssb-PositionsInBurst (5.3.5)."),
            [
                "see@0",
                "ssb-positionsinburst@1",
                "ssb@1",
                "positionsinburst@2",
                "5.3.5@3",
                "5@3",
                "3@4",
                "5@5"
            ]
        );
    }

    #[test]
    fn blanks_and_lone_joiners_are_no_words() {
        assert!(tokens(" -- ... / ").is_empty());
        assert_eq!(whole_words("N1/N2 T310."), ["n1/n2", "t310"]);
    }
}
