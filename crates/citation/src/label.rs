//! Labels of the list of references in brackets, and what else the brackets contain: `[6]`, `[5, TS 38.213]`,
//! `[2, clause 8.1]`.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    document_pattern::{DOCUMENT, document_name},
    keyword::starts_with_number,
};

/// A label in brackets, and what may follow it in them. Labels are short; longer words in brackets are text.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\[\s*(?P<label>[0-9A-Za-z][0-9A-Za-z.-]{0,11})(?:(?:\s*[,;:]\s*|\s+)(?P<more>[^\]\[]{3,160}))?\s*\]",
    )
    .expect("the pattern is a constant")
});
/// Between the document in brackets and a number in it.
static WITHIN_BRACKETS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*[,;:]?\s*(?:(?:see|in)\s+)?(?:the\s+)?").expect("the pattern is a constant")
});

/// What a pair of brackets says about a document.
pub(crate) struct Label<'a> {
    /// The label as printed, without its brackets.
    pub(crate) text: &'a str,
    /// The document that the brackets name, in words or by its number.
    pub(crate) named: Option<String>,
    /// Other words beside the label; they may repeat the name of the entry.
    pub(crate) rest: Option<&'a str>,
    /// Bytes up to the end of the part that names the document: of all, unless numbers follow.
    pub(crate) length: usize,
    /// Bytes of the brackets, if numbers of that document are in them: `[2, clause 8.1]`.
    pub(crate) inner_length: Option<usize>,
}

/// Reads the brackets at the start of a text.
pub(crate) fn read_label(text: &str) -> Option<Label<'_>> {
    let found = LABEL.captures(text)?;
    let whole = found.get(0)?.end();
    let label = found.name("label")?;
    let mut read =
        Label { text: label.as_str(), named: None, rest: None, length: whole, inner_length: None };
    let own_name = DOCUMENT.captures(label.as_str());
    read.named = own_name
        .filter(|name| name.get(0).is_some_and(|name| name.end() == label.len()))
        .as_ref()
        .and_then(document_name);
    let Some(more) = found.name("more") else { return Some(read) };
    let mut rest = more.as_str();
    let mut end = label.end();
    if let Some(name) = DOCUMENT.captures(rest)
        && let Some(matched) = name.get(0)
    {
        read.named = document_name(&name);
        end = more.start() + matched.end();
        rest = &rest[matched.end()..];
    }
    let gap = WITHIN_BRACKETS.find(rest).map_or(0, |gap| gap.end());
    if starts_with_number(&rest[gap..]) {
        (read.length, read.inner_length) = (end, Some(whole));
    } else if !rest.trim().is_empty() {
        read.rest = Some(rest.trim());
    }
    Some(read)
}
