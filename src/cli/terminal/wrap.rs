//! Breaks text into lines of a width in columns: wide characters take two.

use unicode_width::UnicodeWidthStr;

/// The columns of a text.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// Breaks a text at blanks. Lines have at most `width` columns; a word that is longer is broken.
pub(in crate::cli) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let mut rest = word;
        let gap = usize::from(used > 0);
        if used + gap + columns(rest) > width && used > 0 {
            lines.push(String::new());
            used = 0;
        }
        while columns(rest) > width {
            let (head, tail) = split_at_width(rest, width);
            push_word(&mut lines, head, 0);
            lines.push(String::new());
            rest = tail;
        }
        push_word(&mut lines, rest, usize::from(used > 0));
        used += usize::from(used > 0) + columns(rest);
    }
    lines
}

fn push_word(lines: &mut [String], word: &str, gap: usize) {
    if let Some(line) = lines.last_mut() {
        line.push_str(&" ".repeat(gap));
        line.push_str(word);
    }
}

/// The longest start of a word within a width, up to a sign such as a hyphen if there is one, and the rest.
fn split_at_width(word: &str, width: usize) -> (&str, &str) {
    let fits = |end: usize| columns(&word[..end]) <= width;
    let ends: Vec<usize> =
        word.char_indices().skip(1).map(|(at, _)| at).take_while(|end| fits(*end)).collect();
    let is_sign = |end: &&usize| word[..**end].ends_with(['-', '/', '_', '.', ',', ';']);
    let after_sign = ends.iter().rev().find(is_sign).filter(|end| **end * 2 > width);
    let first = word.chars().next().map_or(0, char::len_utf8);
    let end = after_sign.or(ends.last()).copied().unwrap_or(first);
    word.split_at(end)
}

/// A text in one line of at most `width` columns; three dots mark what was cut off.
pub(in crate::cli) fn shorten(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if columns(&text) <= width {
        return text;
    }
    let (head, _) = split_at_width(&text, width.saturating_sub(1));
    format!("{}\u{2026}", head.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_blanks_and_long_words_are_broken() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 10), [""]);
        assert_eq!(wrap("a abcdefghij b", 4), ["a", "abcd", "efgh", "ij b"]);
        assert_eq!(wrap("ssb-PositionsInBurst", 10), ["ssb-Positi", "onsInBurst"]);
        assert_eq!(wrap("RLF-TimersAndConstants", 6), ["RLF-", "Timers", "AndCon", "stants"]);
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("\u{4f1a}\u{8b70}\u{4f1a}", 4), ["\u{4f1a}\u{8b70}", "\u{4f1a}"]);
        assert_eq!(shorten("one two three", 8), "one two\u{2026}");
        assert_eq!(shorten("one  two", 8), "one two");
    }
}
