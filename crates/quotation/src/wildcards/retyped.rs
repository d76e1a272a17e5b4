//! Whether words of a quotation can be what its writer saw in place of a formula, a picture or a table.

use std::ops::Range;

use super::elements::TextElement;
use crate::{
    Quotation, TokenizedText,
    token::{QuoteToken, TokenClass, TokenPresence},
};
use domain::WildcardKind;

/// Words that stand for an element that was left out: "[formula omitted]".
const STANDINS: [&str; 12] = [
    "equation",
    "expression",
    "figure",
    "formula",
    "formulae",
    "graphic",
    "image",
    "math",
    "omitted",
    "picture",
    "table",
    "here",
];
/// Names in formulas that print as signs or are set upright.
const OPERATORS: [&str; 12] =
    ["ceil", "cos", "exp", "floor", "frac", "log", "max", "min", "mod", "sin", "sqrt", "sum"];
/// Signs that only arrange a formula. Another comparison, sign of a number or operator changes it.
const ARRANGING: &str =
    "()[]{}*\u{b7}\u{d7}\u{2219}^_|/,.;:\u{2223}\u{2308}\u{2309}\u{230a}\u{230b}\u{2026}\\&";
/// Longest name in a formula that is only a picture, in characters: `symb`, `slot`, `CSI`.
const MAX_NAME_CHARS: usize = 8;

/// Whether tokens of a quotation may stand in place of an element. None may always: it was left out.
pub(super) fn is_retyped(
    quotation: &Quotation,
    quoted: Range<usize>,
    text: &TokenizedText,
    element: &TextElement,
) -> bool {
    let Some(tokens) = quotation.tokens.get(quoted.clone()) else { return false };
    let written = |token: &QuoteToken| &quotation.text()[token.range()];
    let is_standin = |token: &QuoteToken| {
        token.class == TokenClass::Sign && "[]()<>\u{2026}.".contains(written(token))
            || !token.is_required()
            || STANDINS.contains(&written(token).to_lowercase().as_str())
    };
    if tokens.iter().all(is_standin) {
        let is_named = tokens.iter().any(|token| token.is_wordlike());
        return tokens.is_empty() || is_named || written_ellipsis(quotation, tokens);
    }
    match (element.kind, element.is_written) {
        (WildcardKind::Table, _) => false,
        (_, true) => {
            let source = FormulaContent::new(text, element);
            tokens.iter().all(|token| source.allows(token, written(token)))
        }
        (_, false) => {
            let before = quoted.start.checked_sub(1).and_then(|index| quotation.tokens.get(index));
            let pairs = std::iter::once(before).chain(tokens.iter().map(Some)).zip(tokens);
            let mut is_index = false;
            pairs.into_iter().all(|(before, token)| {
                is_index = before.is_some_and(|before| is_index_mark(quotation, before, token))
                    || is_index && before.is_some_and(|before| before.end == token.start);
                looks_like_formula(token, written(token), is_index)
            })
        }
    }
}

fn written_ellipsis(quotation: &Quotation, tokens: &[QuoteToken]) -> bool {
    tokens.iter().any(|token| matches!(&quotation.text()[token.range()], "\u{2026}" | "..."))
}

/// Whether a token is the mark before an index, which is written together with it: `N_symb`.
fn is_index_mark(quotation: &Quotation, before: &QuoteToken, token: &QuoteToken) -> bool {
    let between = quotation.text().get(before.range().end..token.range().start);
    let is_mark = before.presence == TokenPresence::Script
        || matches!(&quotation.text()[before.range()], "_" | "^");
    is_mark && between.is_some_and(|between| !between.contains(char::is_whitespace))
}

/// The content of a formula.
struct FormulaContent<'a> {
    /// Its words and numbers, written together.
    names: String,
    tokens: &'a [QuoteToken],
    text: &'a TokenizedText,
}

impl<'a> FormulaContent<'a> {
    fn new(text: &'a TokenizedText, element: &TextElement) -> Self {
        let tokens = text.tokens.get(element.tokens.clone()).unwrap_or_default();
        let names = tokens.iter().filter(|token| token.is_wordlike());
        let names = names.map(|token| &text.text()[token.range()]).collect();
        Self { names, tokens, text }
    }

    /// Whether a token of a quotation comes from the formula.
    fn allows(&self, token: &QuoteToken, written: &str) -> bool {
        let has_same = || self.tokens.iter().any(|own| own.hash == token.hash);
        match token.class {
            _ if !token.is_required() => true,
            TokenClass::Number => has_same() || self.is_index(written),
            TokenClass::Sign => ARRANGING.contains(written) || has_same(),
            TokenClass::Word => {
                let is_composed = || self.names.contains(written) || self.composes(written);
                has_same() || OPERATORS.contains(&written) || !is_denial(written) && is_composed()
            }
        }
    }

    /// Whether a word is some names of the formula written together: `Ncell` for a base and its exponent. A single letter is only
    /// the first of them: single letters would compose any word.
    fn composes(&self, word: &str) -> bool {
        let mut rest = word;
        while !rest.is_empty() {
            let is_first = rest.len() == word.len();
            let names = self.tokens.iter().filter(|own| own.is_wordlike());
            let names = names.map(|own| &self.text.text()[own.range()]);
            let longest = names
                .filter(|name| (is_first || name.chars().count() > 1) && rest.starts_with(name))
                .max_by_key(|name| name.len());
            let Some(name) = longest else { return false };
            rest = &rest[name.len()..];
        }
        true
    }

    /// Whether digits are those of a number in the formula that is written with a letter: `N1`.
    fn is_index(&self, digits: &str) -> bool {
        let numbers = self.tokens.iter().filter(|own| own.class == TokenClass::Number);
        numbers.into_iter().any(|own| &self.text.text()[own.range()] == digits)
    }
}

/// Whether a token can be in a formula that the text has only as a picture: a number, a sign, a symbol, an
/// abbreviation, or an index. A word of the language cannot, least of all "not".
fn looks_like_formula(token: &QuoteToken, written: &str, is_index: bool) -> bool {
    match token.class {
        _ if !token.is_required() => true,
        TokenClass::Number | TokenClass::Sign => true,
        TokenClass::Word => {
            let count = written.chars().count();
            let is_symbol = count == 1 && !matches!(written, "a" | "A" | "I");
            let is_foreign = !written.is_ascii();
            let is_abbreviation =
                count <= MAX_NAME_CHARS && written.chars().skip(1).any(|c| c.is_ascii_uppercase());
            let is_index = is_index && count <= MAX_NAME_CHARS;
            !is_denial(written)
                && (is_symbol
                    || is_foreign
                    || is_abbreviation
                    || is_index
                    || OPERATORS.contains(&written))
        }
    }
}

/// Whether a word denies something: no formula does.
fn is_denial(word: &str) -> bool {
    matches!(word.to_lowercase().as_str(), "not" | "no" | "non" | "nor" | "never")
}
