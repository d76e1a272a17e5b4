//! The parser: by recursive descent, item by item.

mod items;
mod objects;
mod types;

use std::ops::Range;

use crate::{
    notation::{Item, Notation},
    token::{NotationToken, TokenKind, Tokens, is_dash},
};

/// Maximum nesting of types. The parser is recursive: a listing that nests without end would overflow the stack of the
/// worker.
const MAX_DEPTH: usize = 50;
/// Maximum number of tokens between the name of a definition and its `::=`; headers with an object identifier have
/// the most. Each first word of a line is tried, so without a limit a text without definitions would take the square
/// of its length.
const MAX_HEAD_TOKENS: usize = 60;

/// Reads a text. What cannot be read is listed in `unread`, and reading continues with the next definition.
pub fn read_notation(text: &str) -> Notation {
    let Tokens { tokens, comments } = Tokens::read(text);
    let mut parser = Parser { text, tokens, comments, at: 0, depth: 0 };
    let mut notation = Notation::default();
    while parser.at < parser.tokens.len() {
        let start = parser.at;
        match parser.read_item() {
            Some(item) => notation.items.push(item),
            None => {
                parser.at = start + 1;
                while parser.at < parser.tokens.len() && !parser.starts_item(parser.at) {
                    parser.at += 1;
                }
                // Signs alone, such as `.$`, are nothing that could be read.
                let mut skipped = parser.tokens[start..parser.at].iter();
                if skipped.any(|token| !matches!(token.kind, TokenKind::Sign(_))) {
                    notation.unread.push(parser.span_of(start..parser.at));
                }
            }
        }
    }
    notation
}

/// A text that is being read.
struct Parser<'a> {
    text: &'a str,
    tokens: Vec<NotationToken>,
    comments: Vec<Range<usize>>,
    at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn kind_at(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn kind(&self) -> Option<TokenKind> {
        self.kind_at(self.at)
    }

    /// The text of a token; empty after the end.
    fn word_at(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.clone()])
    }

    fn word(&self) -> &'a str {
        self.word_at(self.at)
    }

    /// Skips a word if it is the next.
    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.word() == word;
        self.at += usize::from(is_next);
        is_next
    }

    fn take_kind(&mut self, kind: TokenKind) -> bool {
        let is_next = self.kind() == Some(kind);
        self.at += usize::from(is_next);
        is_next
    }

    fn take_sign(&mut self, sign: u8) -> bool {
        self.take_kind(TokenKind::Sign(sign))
    }

    /// Skips a name of a kind and returns it, with plain hyphens.
    fn take_name(&mut self, kind: TokenKind) -> Option<String> {
        let name = self.word();
        self.take_kind(kind).then(|| plain_name(name))
    }

    /// The bytes from the first of some tokens to the end of the last.
    fn span_of(&self, tokens: Range<usize>) -> Range<usize> {
        let start = self.tokens.get(tokens.start).map_or(self.text.len(), |token| token.span.start);
        let last = tokens.end.checked_sub(1).and_then(|last| self.tokens.get(last));
        start..last.map_or(start, |token| token.span.end).max(start)
    }

    /// Skips everything up to the bracket that closes the next one.
    fn skip_brackets(&mut self) -> Option<()> {
        let mut open = 0usize;
        loop {
            match self.kind()? {
                TokenKind::Sign(b'{' | b'(' | b'[') | TokenKind::OpenGroup => open += 1,
                TokenKind::Sign(b'}' | b')' | b']') | TokenKind::CloseGroup => {
                    open = open.checked_sub(1)?;
                }
                // A definition within brackets: a bracket is missing. Without this, one missing bracket would hide all
                // definitions after it.
                TokenKind::Assign => return None,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Some(());
            }
        }
    }

    /// The comments after a byte on its line, and those alone on the indented lines below it. A comment at the
    /// beginning of a line belongs to the next definition.
    fn comment_behind(&self, end: usize) -> Option<String> {
        let first = self.comments.partition_point(|comment| comment.start < end);
        let mut parts: Vec<&str> = Vec::new();
        let mut from = end;
        for comment in &self.comments[first..] {
            let between = &self.text[from..self.comment_opening(comment).max(from)];
            let is_blank = |text: &str| {
                text.chars().all(|c| c.is_whitespace() || is_dash(c) || from == end && c == ',')
            };
            let is_near = match between.rsplit_once('\n') {
                None => true,
                Some((above, indent)) => {
                    !parts.is_empty() && !above.contains('\n') && indent.len() > 8
                }
            };
            if !is_near || !is_blank(between) {
                break;
            }
            parts.push(self.text[comment.clone()].trim().trim_end_matches('-').trim());
            from = comment.end;
        }
        parts.retain(|part| !part.is_empty());
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Where the dashes before the text of a comment begin, or its `/*`.
    fn comment_opening(&self, comment: &Range<usize>) -> usize {
        let before = self.text[..comment.start].char_indices().rev().take(2);
        let signs = before.take_while(|(_, c)| is_dash(*c) || matches!(c, '/' | '*'));
        signs.last().map_or(comment.start, |(at, _)| at)
    }

    /// The comment that is alone on the line above a byte.
    fn comment_above(&self, start: usize) -> Option<String> {
        let before = self.comments.partition_point(|comment| comment.end <= start);
        let comment = self.comments[..before].last()?;
        let between = &self.text[comment.end..start];
        let line = self.text[..comment.start].rsplit('\n').next().unwrap_or_default();
        let is_alone =
            line.trim_matches(|c: char| matches!(c, ' ' | '\t') || is_dash(c)).is_empty();
        let is_near = between.trim().is_empty() && between.matches('\n').count() == 1;
        let text = self.text[comment.clone()].trim().trim_end_matches('-').trim();
        (is_alone && is_near && !text.is_empty()).then(|| text.to_owned())
    }

    /// Whether an item begins at a token: a header, or a definition whose `::=` follows.
    fn starts_item(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        if !token.is_first_on_line {
            return false;
        }
        match token.kind {
            TokenKind::Upper if matches!(self.word_at(at), "IMPORTS" | "EXPORTS" | "END") => true,
            TokenKind::Upper | TokenKind::Lower => self.find_assign(at).is_some(),
            _ => false,
        }
    }

    /// The `::=` of the definition that begins at a token.
    fn find_assign(&self, at: usize) -> Option<usize> {
        let end = (at + MAX_HEAD_TOKENS).min(self.tokens.len());
        let mut open = 0usize;
        for next in at + 1..end {
            match self.kind_at(next)? {
                TokenKind::Assign => return (open == 0).then_some(next),
                TokenKind::Sign(b'{' | b'(') => open += 1,
                TokenKind::Sign(b'}' | b')') => open = open.checked_sub(1)?,
                TokenKind::Sign(b',' | b';' | b'|') if open == 0 => return None,
                TokenKind::Ellipsis | TokenKind::OpenGroup | TokenKind::CloseGroup => return None,
                _ => {}
            }
        }
        None
    }

    fn item(&self, name: String, tokens: Range<usize>, body: crate::ItemBody) -> Item {
        let span = self.span_of(tokens);
        let comment = self.comment_behind(span.end);
        Item { name, span, comment, body }
    }
}

/// A name with plain hyphens, as compilers require: Word prints others.
fn plain_name(name: &str) -> String {
    let is_hyphen = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}');
    name.replace(is_hyphen, "-")
}
