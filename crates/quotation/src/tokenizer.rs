//! From a text to tokens.
//!
//! What may differ between a text and a quotation of it is settled here: white space and invisible characters make
//! no tokens, forms of dashes and quotation marks become one, marks of lists, tables and equations are optional.

use unicode_normalization::UnicodeNormalization;

use crate::{
    equations::{EquationCommand, find_equation_end, read_command},
    token::{QuoteToken, TokenClass, TokenHasher, TokenPresence},
};

/// Characters that precede list items and have no other meaning.
const BULLETS: [char; 13] = [
    '\u{2022}', '\u{2023}', '\u{2043}', '\u{25a0}', '\u{25a1}', '\u{25aa}', '\u{25ab}', '\u{25b6}',
    '\u{25cb}', '\u{25cf}', '\u{25e6}', '\u{27a2}', '\u{2756}',
];
/// Forms of a line break in a table cell.
pub(crate) const CELL_BREAKS: [&str; 2] = ["<br>", "<br/>"];
/// The first and the last line of a code block begin with this.
const CODE_FENCE: &str = "```";

/// The tokens of a text, or of a quotation: in a quotation, a bar between blanks may come from a table row.
pub(crate) fn tokenize_text(text: &str, is_quotation: bool) -> Vec<QuoteToken> {
    let tokens = Vec::with_capacity(text.len() / 5);
    let mut tokenizer = TextTokenizer {
        text,
        tokens,
        is_quotation,
        position: 0,
        line: LineKind::Text,
        equation_end: 0,
    };
    let mut is_code = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let content = line.trim();
        if content.starts_with(CODE_FENCE) {
            is_code = !is_code;
        } else if !is_table_rule(content) {
            tokenizer.line = match (is_code, content.starts_with('|')) {
                (true, _) => LineKind::Code,
                (false, true) => LineKind::TableRow,
                (false, false) => LineKind::Text,
            };
            tokenizer.push_line(start, end);
        }
        start = end;
    }
    tokenizer.tokens
}

/// Whether a line is the rule below the head of a table: `|---|:--|`.
fn is_table_rule(line: &str) -> bool {
    line.starts_with('|')
        && line.contains('-')
        && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineKind {
    Text,
    TableRow,
    Code,
}

struct TextTokenizer<'a> {
    text: &'a str,
    tokens: Vec<QuoteToken>,
    is_quotation: bool,
    /// The next byte to be read.
    position: usize,
    /// The kind of the current line.
    line: LineKind,
    /// The end of the current equation; not after the position outside of equations.
    equation_end: usize,
}

impl TextTokenizer<'_> {
    fn push_line(&mut self, start: usize, end: usize) {
        // A quotation may break an equation over lines.
        self.position = self.position.max(start);
        if self.line == LineKind::Text {
            self.push_line_marks(end);
        }
        while self.position < end {
            let Some(c) = self.text[self.position..].chars().next() else { return };
            match c {
                c if is_invisible(c) || c.is_whitespace() => self.position += c.len_utf8(),
                c if is_ideograph(c) => {
                    self.push_sign(c, TokenClass::Word, TokenPresence::Required)
                }
                c if is_letter(c) => self.push_word(),
                c if is_digit(c) => self.push_number(),
                c => self.push_special(c),
            }
        }
    }

    /// The marks at the beginning of a line: `-` of an item, `#` of a heading, `>` before a quotation. The sign of a
    /// number is not a mark: no blank follows it.
    fn push_line_marks(&mut self, end: usize) {
        loop {
            let rest = &self.text[self.position..end];
            let indent = rest.len() - rest.trim_start().len();
            let rest = &rest[indent..];
            let Some(c) = rest.chars().next() else { return };
            let is_mark = normalize_dash(c) == '-'
                || matches!(c, '*' | '#' | '\u{b7}')
                || c == '>' && self.is_quotation;
            let after = rest.trim_start_matches(c);
            let length = if c == '#' { rest.len() - after.len() } else { c.len_utf8() };
            let after = &rest[length..];
            let is_parted = after.starts_with(char::is_whitespace);
            if !is_mark || !is_parted {
                return;
            }
            self.position += indent;
            self.push_token(length, TokenClass::Sign, TokenPresence::Optional, [normalize_dash(c)]);
        }
    }

    /// Letters, with combining marks and what is invisible among them, including the marks of emphasis and struck
    /// text.
    fn push_word(&mut self) {
        let rest = &self.text[self.position..];
        let length = word_length(rest);
        let word = &rest[..length];
        if word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return self.push_token(
                length,
                TokenClass::Word,
                TokenPresence::Required,
                word.chars(),
            );
        }
        let letters = word.chars().filter(|c| is_letter(*c)).nfkc();
        self.push_token(length, TokenClass::Word, TokenPresence::Required, letters);
    }

    /// Digits, with single points between them.
    fn push_number(&mut self) {
        let rest = &self.text[self.position..];
        let mut length = 0;
        let mut chars = rest.char_indices().peekable();
        while let Some((offset, c)) = chars.next() {
            let joins =
                c == '.' && length > 0 && chars.peek().is_some_and(|(_, next)| is_digit(*next));
            if is_digit(c) {
                length = offset + c.len_utf8();
            } else if !joins && !is_invisible(c) {
                break;
            }
        }
        let visible = rest[..length].chars().filter(|c| !is_invisible(*c)).nfkc();
        self.push_token(length, TokenClass::Number, TokenPresence::Required, visible);
    }

    fn push_special(&mut self, c: char) {
        let rest = &self.text[self.position..];
        let is_equation = self.position < self.equation_end;
        match c {
            '$' if is_equation => self.position += 1,
            '$' if self.line != LineKind::Code && find_equation_end(&rest[1..]).is_some() => {
                self.equation_end =
                    self.position + 1 + find_equation_end(&rest[1..]).unwrap_or_default() + 1;
                self.position += 1;
            }
            '\\' if is_equation => self.push_command(),
            '{' | '}' | '&' | '~' if is_equation => self.position += 1,
            '_' if self.line != LineKind::Code && self.stands_between_parts() => {
                self.push_sign(c, TokenClass::Sign, TokenPresence::Script);
            }
            '_' | '^' if is_equation => self.push_sign(c, TokenClass::Sign, TokenPresence::Script),
            // An escaped sign.
            '\\' if rest[1..].starts_with(|next: char| next.is_ascii_punctuation()) => {
                self.position += 1;
                let escaped = rest[1..].chars().next().unwrap_or(c);
                self.push_sign(escaped, TokenClass::Sign, TokenPresence::Required);
            }
            '<' if CELL_BREAKS.iter().any(|mark| rest.starts_with(mark)) => {
                self.position += rest.find('>').map_or(1, |end| end + 1);
            }
            // Emphasis and text that was struck through.
            '*' | '~' if rest[1..].starts_with(c) => {
                self.position += rest.len() - rest.trim_start_matches(c).len();
            }
            '|' if self.line == LineKind::TableRow || self.is_quotation && self.stands_alone(1) => {
                self.push_sign(c, TokenClass::Sign, TokenPresence::Optional);
            }
            c if is_quotation_mark(c) && !is_equation => {
                self.push_token(c.len_utf8(), TokenClass::Sign, TokenPresence::Optional, ['"']);
            }
            c if is_bullet(c) && self.stands_alone(c.len_utf8()) => {
                self.push_token(c.len_utf8(), TokenClass::Sign, TokenPresence::Optional, ['-']);
            }
            c => self.push_joined_sign(c),
        }
    }

    /// Whether the sign at the position has letters or digits on both sides, as the mark of a subscript has:
    /// `I_MCS`.
    fn stands_between_parts(&self) -> bool {
        let before = self.text[..self.position].chars().next_back();
        let after = self.text[self.position..].chars().nth(1);
        before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
    }

    /// A sign; a sign of several characters becomes that of one: `<=`, `...`.
    fn push_joined_sign(&mut self, c: char) {
        const JOINED: [(&str, char); 5] = [
            ("<=", '\u{2264}'),
            (">=", '\u{2265}'),
            ("!=", '\u{2260}'),
            ("...", '\u{2026}'),
            ("->", '\u{2192}'),
        ];
        let rest = &self.text[self.position..];
        match JOINED.iter().find(|(written, _)| rest.starts_with(written)) {
            Some((written, sign)) => {
                self.push_token(written.len(), TokenClass::Sign, TokenPresence::Required, [*sign]);
            }
            None => self.push_sign(c, TokenClass::Sign, TokenPresence::Required),
        }
    }

    /// A command of an equation, or a character that is escaped there.
    fn push_command(&mut self) {
        let rest = &self.text[self.position + 1..];
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = &rest[..letters];
        match read_command(name) {
            _ if letters == 0 => {
                self.position += 1;
                match rest.chars().next() {
                    Some(c @ ('{' | '}' | '_' | '%' | '#' | '&' | '$')) => {
                        self.push_sign(c, TokenClass::Sign, TokenPresence::Required);
                    }
                    Some(c) => self.position += c.len_utf8(),
                    None => {}
                }
            }
            EquationCommand::Shaping => self.position += 1 + letters,
            EquationCommand::Character(c) => {
                let class = if c.is_alphabetic() { TokenClass::Word } else { TokenClass::Sign };
                self.push_token(
                    1 + letters,
                    class,
                    TokenPresence::Required,
                    [c].into_iter().nfkc(),
                );
            }
            EquationCommand::Named => {
                self.push_token(
                    1 + letters,
                    TokenClass::Word,
                    TokenPresence::Required,
                    name.chars(),
                );
            }
        }
    }

    /// Whether the next `length` bytes are between blanks, or at the edge of a text.
    fn stands_alone(&self, length: usize) -> bool {
        let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let after = self.text[self.position + length..].chars().next();
        is_blank(self.text[..self.position].chars().next_back()) && is_blank(after)
    }

    fn push_sign(&mut self, c: char, class: TokenClass, presence: TokenPresence) {
        let sign = normalize_sign(c);
        self.push_token(c.len_utf8(), class, presence, [sign]);
        let is_attached =
            self.text[self.position..].starts_with(|next: char| !next.is_whitespace());
        if let Some(token) = self.tokens.last_mut()
            && sign == '-'
            && is_attached
        {
            // The sign of a number is not a bullet, see `QuoteToken::is_same`.
            token.folded = hash_char('\u{2212}');
        }
    }

    fn push_token(
        &mut self,
        length: usize,
        class: TokenClass,
        presence: TokenPresence,
        chars: impl IntoIterator<Item = char>,
    ) {
        let (mut hash, mut folded) = (TokenHasher::new(), TokenHasher::new());
        for c in chars {
            hash.add_char(c);
            if c.is_ascii() {
                folded.add_char(c.to_ascii_lowercase());
            } else {
                c.to_lowercase().for_each(|c| folded.add_char(c));
            }
        }
        let end = self.position + length;
        self.tokens.push(QuoteToken {
            hash: hash.finish(),
            folded: folded.finish(),
            start: u32::try_from(self.position).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
            class,
            presence,
        });
        self.position = end;
    }
}

fn hash_char(c: char) -> u64 {
    let mut hasher = TokenHasher::new();
    hasher.add_char(c);
    hasher.finish()
}

/// Bytes of the word at the beginning of a text. It includes marks within it: `a**b**c`, and `old~~new`, in which a
/// word that was struck out precedes another.
fn word_length(text: &str) -> usize {
    const MARKS: [&str; 2] = ["**", "~~"];
    let is_part = |c: char| is_letter(c) && !is_ideograph(c) || is_invisible(c);
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let rest = &text[length..];
        let after = MARKS.iter().find_map(|mark| rest.strip_prefix(mark));
        match after {
            Some(after) if after.starts_with(is_part) => length = text.len() - after.len(),
            _ => return length,
        }
    }
}

/// Letters and combining marks.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\u{300}'..='\u{36f}')
}

/// Digits, narrow and wide.
pub(crate) fn is_digit(c: char) -> bool {
    matches!(c, '0'..='9' | '\u{ff10}'..='\u{ff19}')
}

/// Soft hyphens, zero-width characters and marks of direction.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}'
    )
}

/// Characters of scripts that are written without spaces.
pub(crate) fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Quotation marks, apostrophes and the backtick.
pub(crate) fn is_quotation_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '\u{b4}' | '\u{ab}' | '\u{bb}' | '\u{2018}'
            ..='\u{201f}' | '\u{2039}' | '\u{203a}'
    )
}

/// Bullets, and characters of symbol fonts that are printed as bullets.
fn is_bullet(c: char) -> bool {
    BULLETS.contains(&c) || matches!(c, '\u{e000}'..='\u{f8ff}')
}

/// One character for all hyphens, dashes and minus signs.
fn normalize_dash(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        c => c,
    }
}

/// One character for all forms of a sign.
fn normalize_sign(c: char) -> char {
    match normalize_dash(c) {
        '\u{22c5}' | '\u{2219}' => '\u{b7}',
        '\u{22ef}' => '\u{2026}',
        // Wide forms of ASCII.
        c @ '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xff01 + 0x21).unwrap_or(c),
        '\u{3002}' => '.',
        c => c,
    }
}

#[cfg(test)]
mod tests;
