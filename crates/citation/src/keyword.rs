//! The words before the numbers of clauses, tables, figures and equations.

use std::sync::LazyLock;

use domain::ReferenceKind;
use regex::Regex;

/// The words before numbers, and the separator after them.
pub(crate) const KEYWORDS: &str = r"(?P<keyword>sub-?\s?clauses?|clauses?|sub-?sections?|sections?|annex(?:e?s)?|appendix|appendices|tables?|figures?|fig\.|equations?|eq\.)(?:[\s:]|,\s)";
/// A keyword at the start of a text.
pub(crate) static KEYWORD_HERE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("^(?i:{KEYWORDS})")).expect("the pattern is a constant"));
/// A keyword anywhere in a text.
static KEYWORD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(&format!(r"\b(?i:{KEYWORDS})")).expect("the pattern is a constant")
});

/// What a keyword announces.
pub(crate) fn kind_of(keyword: &str) -> ReferenceKind {
    match keyword.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'a') => ReferenceKind::Annex,
        Some(b't') => ReferenceKind::Table,
        Some(b'f') => ReferenceKind::Figure,
        Some(b'e') => ReferenceKind::Equation,
        _ => ReferenceKind::Clause,
    }
}

pub(crate) fn is_plural(keyword: &str) -> bool {
    keyword.ends_with(['s', 'S'])
}

/// Whether a text begins with a keyword and a number: `clause 8.1`, `Annex A`.
pub(crate) fn starts_with_number(text: &str) -> bool {
    KEYWORD_HERE.find(text).is_some_and(|keyword| {
        let number = text[keyword.end()..].trim_start().trim_start_matches('(');
        number.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase())
    })
}

/// The text before its first keyword.
pub(crate) fn cut_at_keyword(text: &str) -> &str {
    KEYWORD.find(text).map_or(text, |keyword| &text[..keyword.start()])
}
