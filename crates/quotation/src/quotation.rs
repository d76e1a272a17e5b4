//! A quotation, ready to be compared.

use crate::{
    token::{QuoteToken, TokenClass, TokenHasher},
    tokenizer::tokenize_text,
};

/// Signs at the end of a quotation that belong to the sentence around it: a text that goes on there has no full stop.
const TERMINAL_SIGNS: [char; 6] = ['.', ',', ';', ':', '\u{2026}', '!'];
/// A sign at its beginning that marks an omission.
const ELLIPSIS: char = '\u{2026}';

/// A quotation, as tokens.
#[derive(Debug, Clone)]
pub struct Quotation {
    text: String,
    /// Not empty; the first and the last one are required.
    pub(crate) tokens: Vec<QuoteToken>,
    /// The hash of the first word with its first letter in the other case.
    pub(crate) other_case: Option<u64>,
    /// The same without the hyphens at line ends, if it has some.
    pub(crate) unhyphenated: Option<Box<Quotation>>,
}

impl Quotation {
    /// Reads a quotation; `None` if it has neither a word nor a number, because signs alone occur everywhere.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = Self::parse_as_written(text)?;
        let unhyphenated =
            join_hyphenated_lines(text).and_then(|text| Self::parse_as_written(&text));
        Some(Self { unhyphenated: unhyphenated.map(Box::new), ..plain })
    }

    fn parse_as_written(text: &str) -> Option<Self> {
        let mut tokens = tokenize_text(text, true);
        let hash_of = |sign: char| {
            let mut hasher = TokenHasher::new();
            hasher.add_char(sign);
            hasher.finish()
        };
        let terminal = TERMINAL_SIGNS.map(hash_of);
        let is_terminal = |token: &QuoteToken| terminal.contains(&token.hash);
        while tokens.last().is_some_and(|last| !last.is_required() || is_terminal(last)) {
            tokens.pop();
        }
        let ellipsis = hash_of(ELLIPSIS);
        let is_omitted = |token: &QuoteToken| !token.is_required() || token.hash == ellipsis;
        let first = tokens.iter().position(|token| !is_omitted(token)).unwrap_or(tokens.len());
        tokens.drain(..first);
        if !tokens.iter().any(|token| token.is_required() && token.is_wordlike()) {
            return None;
        }
        let other_case = tokens.first().and_then(|first| hash_in_other_case(text, first));
        Some(Self { text: text.to_owned(), tokens, other_case, unhyphenated: None })
    }

    /// The quotation as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its possible readings: as written, and with the words joined that were hyphenated at line ends.
    pub fn readings(&self) -> Vec<&str> {
        let joined = self.unhyphenated.as_ref().map(|joined| joined.text());
        [Some(self.text()), joined].into_iter().flatten().collect()
    }

    /// Its words and numbers as written, in their order.
    pub fn words(&self) -> Vec<&str> {
        let words = self.tokens.iter().filter(|token| token.is_wordlike());
        words.map(|token| &self.text[token.range()]).collect()
    }
}

/// The hash of a word with its first letter in the other case.
fn hash_in_other_case(text: &str, token: &QuoteToken) -> Option<u64> {
    let word = &text[token.range()];
    let first = word.chars().next()?;
    if token.class != TokenClass::Word || !word.is_ascii() {
        return None;
    }
    let swapped = if first.is_ascii_uppercase() {
        first.to_ascii_lowercase()
    } else {
        first.to_ascii_uppercase()
    };
    let mut hasher = TokenHasher::new();
    hasher.add_char(swapped);
    word.chars().skip(1).for_each(|c| hasher.add_char(c));
    Some(hasher.finish())
}

/// A text with the words joined that a hyphen divides at the end of a line: `connec-` and `tion`. `None` if there are
/// none.
fn join_hyphenated_lines(text: &str) -> Option<String> {
    let mut joined = String::with_capacity(text.len());
    let mut is_joined = false;
    let mut rest = text;
    while let Some((line, next)) = rest.split_once('\n') {
        let after = next.trim_start();
        let word = line.trim_end().strip_suffix(['-', '\u{2010}']);
        let is_parted = |word: &&str| {
            word.ends_with(char::is_alphabetic) && after.starts_with(char::is_lowercase)
        };
        if let Some(word) = word.filter(is_parted) {
            joined.push_str(word);
            is_joined = true;
            rest = after;
        } else {
            joined.push_str(line);
            joined.push('\n');
            rest = next;
        }
    }
    joined.push_str(rest);
    is_joined.then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_needs_a_word_or_a_number() {
        for nothing in ["", " \n", "...", "\"...\"", "- | -", "\u{200b}"] {
            assert!(Quotation::parse(nothing).is_none(), "{nothing}");
        }
        for something in ["UE", "5", "\u{4e2d}", "$\\mu$"] {
            assert!(Quotation::parse(something).is_some(), "{something}");
        }
    }

    #[test]
    fn what_frames_a_quotation_is_no_part_of_it() {
        for framed in
            ["\"The UE waits.\"", "... the UE waits ...", "> The UE waits,", "- The **UE** waits;"]
        {
            let quotation = Quotation::parse(framed).expect("words");
            assert_eq!(quotation.tokens.len(), 3, "{framed}");
        }
    }

    #[test]
    fn words_parted_at_the_end_of_a_line_are_joined_in_a_second_reading() {
        let quotation = Quotation::parse("the connec-\n  tion of non-\n3GPP").expect("words");
        let joined = quotation.unhyphenated.expect("one is parted");
        assert_eq!(joined.words(), ["the", "connection", "of", "non", "3", "GPP"]);
        assert!(Quotation::parse("the connection - \n is").expect("words").unhyphenated.is_none());
    }
}
