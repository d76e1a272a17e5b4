//! The formulas, pictures and tables of a text, by its tokens.

use std::ops::Range;

use crate::{TokenizedText, equations::find_equation_end};
use domain::WildcardKind;

/// An element of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextElement {
    pub(super) kind: WildcardKind,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// Whether the text has its content, and not a mark in its place.
    pub(super) is_written: bool,
}

/// The marks of our texts in place of what is not text.
const MARKS: [(&str, WildcardKind); 2] =
    [("[figure]", WildcardKind::Picture), ("[equation]", WildcardKind::Formula)];

/// The elements of a text, in their order. Those in the cells of a table follow it.
pub(super) fn find_elements(text: &TokenizedText) -> Vec<TextElement> {
    let mut elements: Vec<TextElement> = Vec::new();
    let mut push = |kind, bytes: Range<usize>, is_written| {
        let first = text.tokens.partition_point(|token| token.range().start < bytes.start);
        let end = text.tokens.partition_point(|token| token.range().start < bytes.end);
        if first < end {
            elements.push(TextElement { kind, tokens: first..end, is_written });
        }
    };
    let (mut start, mut table) = (0, None::<Range<usize>>);
    for line in text.text().split_inclusive('\n') {
        let end = start + line.len();
        if line.trim_start().starts_with('|') {
            table = Some(table.map_or(start, |known| known.start)..end);
        } else if let Some(rows) = table.take() {
            push(WildcardKind::Table, rows, true);
        }
        find_in_line(line, |kind, bytes, is_written| {
            push(kind, start + bytes.start..start + bytes.end, is_written);
        });
        start = end;
    }
    if let Some(rows) = table {
        push(WildcardKind::Table, rows, true);
    }
    elements.sort_by_key(|element| element.tokens.start);
    elements
}

fn find_in_line(line: &str, mut push: impl FnMut(WildcardKind, Range<usize>, bool)) {
    let mut at = 0;
    while let Some(offset) = line[at..].find(['$', '[']) {
        let begin = at + offset;
        let rest = &line[begin..];
        let mark = MARKS.iter().find(|(mark, _)| rest.starts_with(mark));
        let equation = rest.strip_prefix('$').and_then(find_equation_end);
        at = begin + 1;
        if let Some((mark, kind)) = mark {
            at = begin + mark.len();
            push(*kind, begin..at, false);
        } else if let Some(end) = equation {
            at = begin + end + 2;
            push(WildcardKind::Formula, begin..at, true);
        }
    }
}
