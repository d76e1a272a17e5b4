//! Whether a match begins and ends where a word of the text does.
//!
//! A match that cuts a word, a number or what is written together with them (`-5`, `1,5`, `non-zero`, `10%`) differs
//! in meaning from the text. Markup between two tokens, such as the braces of an equation, does not separate them.

use std::ops::Range;

use crate::{
    TokenizedText,
    token::{QuoteToken, TokenClass},
    tokenizer::{CELL_BREAKS, is_ideograph, is_quotation_mark},
};

/// Maximum number of tokens that count as written together. In a text without blanks, each match would otherwise be
/// extended to the ends of the text.
const MAX_CUT_TOKENS: usize = 40;

/// The bytes before a match that are written together with its first token and change it; empty if the match begins a
/// word.
pub(crate) fn cut_before(text: &TokenizedText, first: usize) -> Range<usize> {
    let Some(token) = text.tokens.get(first) else { return 0..0 };
    let start = token.range().start;
    let mut needed = start;
    let mut begin = start;
    for (index, token) in text.tokens[..first].iter().enumerate().rev().take(MAX_CUT_TOKENS) {
        let c = first_char(text, token);
        if parts_words(&text.text()[token.range().end..begin]) || parts_itself(c) {
            break;
        }
        begin = token.range().start;
        if !is_opening(token, c) || joins_numbers(text, index) {
            needed = begin;
        }
    }
    needed..start
}

/// The same for the bytes after a match that ends before a token.
pub(crate) fn cut_after(text: &TokenizedText, end: usize) -> Range<usize> {
    let Some(last) = end.checked_sub(1).and_then(|last| text.tokens.get(last)) else {
        return 0..0;
    };
    let stop = last.range().end;
    let mut needed = stop;
    let mut reached = stop;
    for (index, token) in text.tokens.iter().enumerate().skip(end).take(MAX_CUT_TOKENS) {
        let c = first_char(text, token);
        if parts_words(&text.text()[reached..token.range().start]) || parts_itself(c) {
            break;
        }
        reached = token.range().end;
        if !is_closing(token, c) || joins_numbers(text, index) {
            needed = reached;
        }
    }
    stop..needed
}

fn first_char(text: &TokenizedText, token: &QuoteToken) -> char {
    text.text()[token.range()].chars().next().unwrap_or(' ')
}

/// Whether the text between two tokens separates them.
fn parts_words(between: &str) -> bool {
    between.contains(char::is_whitespace) || CELL_BREAKS.iter().any(|mark| between.contains(mark))
}

/// Whether a character needs no blank beside it: an ideograph or a long dash.
fn parts_itself(c: char) -> bool {
    is_ideograph(c) || c == '\u{2014}'
}

/// Whether a sign joins two numbers without blanks: `1,000`, `12:30`.
fn joins_numbers(text: &TokenizedText, index: usize) -> bool {
    let token = &text.tokens[index];
    let is_number =
        |other: Option<&QuoteToken>| other.is_some_and(|other| other.class == TokenClass::Number);
    let before = index.checked_sub(1).and_then(|before| text.tokens.get(before));
    let after = text.tokens.get(index + 1);
    let is_joined = |first: &QuoteToken, second: &QuoteToken| first.end == second.start;
    token.class == TokenClass::Sign
        && is_number(before)
        && is_number(after)
        && before.is_some_and(|before| is_joined(before, token))
        && after.is_some_and(|after| is_joined(token, after))
}

/// Whether a token opens something or separates two words, and belongs to neither.
fn is_opening(token: &QuoteToken, c: char) -> bool {
    !token.is_required()
        || is_quotation_mark(c)
        || matches!(
            c,
            '(' | '['
                | '{'
                | '$'
                | '*'
                | '|'
                | '~'
                | '_'
                | '#'
                | '.'
                | ','
                | ';'
                | ':'
                | '\u{2026}'
                | '\u{e000}'..='\u{f8ff}'
        )
}

/// Whether a token closes something or ends a sentence.
fn is_closing(token: &QuoteToken, c: char) -> bool {
    !token.is_required()
        || is_quotation_mark(c)
        || matches!(
            c,
            ')' | ']'
                | '}'
                | '$'
                | '*'
                | '|'
                | '~'
                | '_'
                | '.'
                | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '\u{2026}'
        )
}
