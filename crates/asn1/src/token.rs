//! The lexical items of ASN.1 (ITU-T X.680, clause 12), with comments kept apart.

use std::ops::Range;

/// The kind of a lexical item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A reference or a word that begins with an upper-case letter.
    Upper,
    /// An identifier or a word that begins with a lower-case letter.
    Lower,
    /// `&id`, a field of a class.
    ClassField,
    /// A number, a string, or a string of bits or digits.
    Literal,
    /// `::=`
    Assign,
    /// `...`
    Ellipsis,
    /// `[[`
    OpenGroup,
    /// `]]`
    CloseGroup,
    /// Any other sign; `..` by its first byte.
    Sign(u8),
}

/// A lexical item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotationToken {
    pub(crate) kind: TokenKind,
    pub(crate) span: Range<usize>,
    /// Whether only blanks precede it on its line.
    pub(crate) is_first_on_line: bool,
}

/// A text as lexical items.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<NotationToken>,
    /// The texts of the comments, without their dashes, in order.
    pub(crate) comments: Vec<Range<usize>>,
}

impl Tokens {
    pub(crate) fn read(text: &str) -> Self {
        let mut found = Self::default();
        let mut at = 0;
        let mut is_first_on_line = true;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if c == '\n' {
                is_first_on_line = true;
                at += 1;
            } else if c.is_whitespace() {
                at += c.len_utf8();
            } else if let Some(dashes) = comment_dashes(rest) {
                let comment = line_comment(text, at + dashes);
                at = comment.end;
                at += if text[at..].starts_with("--") { 2 } else { 0 };
                found.comments.push(comment);
            } else if let Some(inner) = rest.strip_prefix("/*") {
                let length = inner.find("*/").unwrap_or(inner.len());
                found.comments.push(at + 2..at + 2 + length);
                at = (at + length + 4).min(text.len());
            } else {
                let (kind, length) = read_token(rest, c);
                let span = at..at + length;
                at = span.end;
                found.tokens.push(NotationToken { kind, span, is_first_on_line });
                // 32.298 prints `.$` before the names of its modules, and `.#END`.
                is_first_on_line &= matches!(kind, TokenKind::Sign(b'.' | b'$' | b'#'));
            }
        }
        found
    }
}

/// The bytes of the dashes that begin a comment: two hyphens, or what Word makes of them, such as one en dash. One dash
/// before a digit is a minus.
fn comment_dashes(rest: &str) -> Option<usize> {
    if rest.starts_with("--") {
        return Some(2);
    }
    let dashes: usize = rest.chars().take(2).take_while(|c| is_dash(*c)).map(char::len_utf8).sum();
    let is_long = rest.chars().take(2).take_while(|c| is_dash(*c)).any(is_long_dash);
    let after = rest.get(dashes..)?.chars().next();
    (is_long && !after.is_some_and(|c| c.is_ascii_digit())).then_some(dashes)
}

/// A hyphen, or a dash instead of one.
pub(crate) fn is_dash(c: char) -> bool {
    c == '-' || is_long_dash(c)
}

/// Dashes that Word prints instead of hyphens.
fn is_long_dash(c: char) -> bool {
    matches!(c, '\u{2012}'..='\u{2015}' | '\u{2212}')
}

/// The text of a comment: up to the end of the line, or to the next two dashes if code follows them.
fn line_comment(text: &str, start: usize) -> Range<usize> {
    let line_end = text[start..].find('\n').map_or(text.len(), |length| start + length);
    let line = &text[start..line_end];
    let is_code = |after: &str| {
        let after = after.trim_start_matches('-').trim_start();
        !after.is_empty() && !line.starts_with('-')
    };
    match line.find("--") {
        Some(end) if is_code(&line[end + 2..]) => start..start + end,
        _ => start..line_end,
    }
}

fn read_token(rest: &str, first: char) -> (TokenKind, usize) {
    match first {
        _ if rest.starts_with("::=") => (TokenKind::Assign, 3),
        _ if rest.starts_with("...") => (TokenKind::Ellipsis, 3),
        _ if rest.starts_with("..") => (TokenKind::Sign(b'.'), 2),
        _ if rest.starts_with("[[") => (TokenKind::OpenGroup, 2),
        _ if rest.starts_with("]]") => (TokenKind::CloseGroup, 2),
        // Word replaces three full stops with one sign.
        '\u{2026}' => (TokenKind::Ellipsis, first.len_utf8()),
        '"' => {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            (TokenKind::Literal, end)
        }
        '\'' => {
            let end = rest[1..].find('\'').map_or(rest.len(), |end| end + 2);
            let end = if rest[end..].starts_with(['B', 'H', 'b', 'h']) { end + 1 } else { end };
            (TokenKind::Literal, end)
        }
        '&' => (TokenKind::ClassField, 1 + word_length(&rest[1..])),
        c if c.is_ascii_digit() => {
            (TokenKind::Literal, rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))
        }
        c if c.is_alphabetic() => {
            let kind = if c.is_uppercase() { TokenKind::Upper } else { TokenKind::Lower };
            (kind, word_length(rest))
        }
        c if is_long_dash(c) => (TokenKind::Sign(b'-'), c.len_utf8()),
        c if c.is_ascii() => (TokenKind::Sign(c as u8), 1),
        c => (TokenKind::Sign(b'?'), c.len_utf8()),
    }
}

/// The length of a word: letters, digits and single hyphens, also those that Word replaces. It does not end with a hyphen:
/// two hyphens begin a comment.
fn word_length(text: &str) -> usize {
    let mut length = 0;
    let mut hyphens = 0;
    for (at, c) in text.char_indices() {
        match c {
            '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' if hyphens == 0 && at > 0 => {
                hyphens = 1
            }
            // ASN.1 has no underscore, but some names have one; without it they would be two words.
            c if c.is_alphanumeric() || c == '_' => {
                hyphens = 0;
                length = at + c.len_utf8();
            }
            _ => break,
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Tokens::read(text).tokens.into_iter().map(|token| &text[token.span]).collect()
    }

    #[test]
    fn comments_end_with_the_line_or_before_code() {
        for (text, tokens, comments) in [
            ("a -- Need R\nb", &["a", "b"][..], &[" Need R"][..]),
            ("a -- old -- b", &["a", "b"], &[" old "]),
            ("-- ****\n-- x --\na", &["a"], &[" ****", " x --"]),
            ("------ a\nb", &["b"], &["---- a"]),
            ("a \u{2013} Need R\nb", &["a", "b"], &[" Need R"]),
            ("a \u{2013}- Need R\nb", &["a", "b"], &[" Need R"]),
            ("maxA-- top\nb /* c\nd */ e", &["maxA", "b", "e"], &[" top", " c\nd "]),
        ] {
            assert_eq!(words(text), tokens, "{text}");
            let found: Vec<&str> =
                Tokens::read(text).comments.into_iter().map(|comment| &text[comment]).collect();
            assert_eq!(found, comments, "{text}");
        }
    }

    #[test]
    fn words_numbers_and_signs_are_told_apart() {
        assert_eq!(
            words("A-b1::= INTEGER (0..3, ...) [[ &id '01'B \"x y\" c-- d"),
            [
                "A-b1", "::=", "INTEGER", "(", "0", "..", "3", ",", "...", ")", "[[", "&id",
                "'01'B", "\"x y\"", "c"
            ]
        );
        assert_eq!(
            words("a\u{2011}b \u{2026} x_y -3"),
            ["a\u{2011}b", "\u{2026}", "x_y", "-", "3"]
        );
        assert_eq!(
            words("a\u{2013}r16 (\u{2013}3..\u{2212}1) c\u{2014}d"),
            ["a\u{2013}r16", "(", "\u{2013}", "3", "..", "\u{2212}", "1", ")", "c\u{2014}d"]
        );
        for broken in ["'01", "\"x", "/* a", "--", "&", "\u{0}\u{1F600}"] {
            Tokens::read(broken);
        }
    }
}
