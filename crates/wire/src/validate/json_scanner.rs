//! Finds the first fault of a text that is not JSON, in the words and at the offset of CPython.
//!
//! It runs only on a text that `serde_json` refused, and refuses what that refuses: where CPython
//! is laxer (`NaN`, numbers without end, unpaired surrogates, any depth) the words are ours.

use super::json::JsonFault;

/// The depth from which `serde_json` refuses.
const MAX_DEPTH: usize = 127;

/// The first fault of `text`.
pub(super) fn first_fault(text: &str) -> JsonFault {
    let found = Scanner { text, bytes: text.as_bytes(), at: 0, depth: 0 }.document();
    let (at, error) = found.err().unwrap_or((0, EXPECTING_VALUE));
    let before = text.get(..at).unwrap_or(text);
    JsonFault { offset: before.chars().count(), error }
}

/// Nothing, or the byte offset and the words of a fault.
type Scan = Result<(), (usize, &'static str)>;

const EXPECTING_VALUE: &str = "Expecting value";
const EXPECTING_COMMA: &str = "Expecting ',' delimiter";
const EXPECTING_COLON: &str = "Expecting ':' delimiter";
const EXPECTING_NAME: &str = "Expecting property name enclosed in double quotes";
const EXTRA_DATA: &str = "Extra data";
const UNTERMINATED: &str = "Unterminated string starting at";
const CONTROL_CHARACTER: &str = "Invalid control character at";
const ESCAPE: &str = "Invalid \\escape";
const UNICODE_ESCAPE: &str = "Invalid \\uXXXX escape";
const UNPAIRED_SURROGATE: &str = "Unpaired surrogate in \\uXXXX escape";
const NUMBER_RANGE: &str = "Number out of range";
const TOO_DEEP: &str = "Nested too deeply";

struct Scanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn document(&mut self) -> Scan {
        self.skip_blanks();
        self.value()?;
        self.skip_blanks();
        if self.at < self.bytes.len() { Err((self.at, EXTRA_DATA)) } else { Ok(()) }
    }

    fn value(&mut self) -> Scan {
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ if ["null", "true", "false"].iter().any(|word| self.take_word(word)) => Ok(()),
            _ => Err((self.at, EXPECTING_VALUE)),
        }
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Scan) -> Scan {
        if self.depth == MAX_DEPTH {
            return Err((self.at, TOO_DEEP));
        }
        self.depth += 1;
        self.at += 1;
        self.skip_blanks();
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn object(&mut self) -> Scan {
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            if self.peek() != Some(b'"') {
                return Err((self.at, EXPECTING_NAME));
            }
            self.string()?;
            self.skip_blanks();
            if !self.take(b':') {
                return Err((self.at, EXPECTING_COLON));
            }
            self.skip_blanks();
            self.value()?;
            if self.is_last(b'}')? {
                return Ok(());
            }
        }
    }

    fn array(&mut self) -> Scan {
        if self.take(b']') {
            return Ok(());
        }
        loop {
            self.value()?;
            if self.is_last(b']')? {
                return Ok(());
            }
        }
    }

    /// Takes what follows an item: the closing bracket, or the comma before the next one.
    fn is_last(&mut self, close: u8) -> Result<bool, (usize, &'static str)> {
        self.skip_blanks();
        if self.take(close) {
            return Ok(true);
        }
        if !self.take(b',') {
            return Err((self.at, EXPECTING_COMMA));
        }
        self.skip_blanks();
        Ok(false)
    }

    fn number(&mut self) -> Scan {
        let start = self.at;
        self.take(b'-');
        if self.take(b'0') {
            // A zero is never followed by more digits.
        } else if !self.take_digits() {
            return Err((start, EXPECTING_VALUE));
        }
        self.take_optional(|scanner| scanner.take(b'.') && scanner.take_digits());
        self.take_optional(|scanner| {
            let exponent = scanner.take(b'e') || scanner.take(b'E');
            let _sign = exponent && (scanner.take(b'+') || scanner.take(b'-'));
            exponent && scanner.take_digits()
        });
        match self.text[start..self.at].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(()),
            _ => Err((start, NUMBER_RANGE)),
        }
    }

    fn string(&mut self) -> Scan {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                None => return Err((start, UNTERMINATED)),
                Some(b'"') => break,
                Some(b'\\') => self.escape(start)?,
                Some(byte) if byte < 0x20 => return Err((self.at, CONTROL_CHARACTER)),
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    fn escape(&mut self, string_start: usize) -> Scan {
        let backslash = self.at;
        self.at += 1;
        match self.peek() {
            None => Err((string_start, UNTERMINATED)),
            Some(b'u') => self.unicode_escape(),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err((backslash, ESCAPE)),
        }
    }

    /// `uXXXX`, or the two of a surrogate pair; the backslash before it is taken.
    fn unicode_escape(&mut self) -> Scan {
        let start = self.at;
        match self.code_unit()? {
            0xd800..=0xdbff if self.bytes[self.at..].starts_with(b"\\u") => {
                self.at += 1;
                match self.code_unit()? {
                    0xdc00..=0xdfff => Ok(()),
                    _ => Err((start, UNPAIRED_SURROGATE)),
                }
            }
            0xd800..=0xdfff => Err((start, UNPAIRED_SURROGATE)),
            _ => Ok(()),
        }
    }

    /// The code unit that `uXXXX` stands for; CPython wants something to follow it.
    fn code_unit(&mut self) -> Result<u16, (usize, &'static str)> {
        let error = (self.at, UNICODE_ESCAPE);
        let digits = self.text.get(self.at + 1..self.at + 5).ok_or(error)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) || self.at + 5 == self.bytes.len() {
            return Err(error);
        }
        self.at += 5;
        u16::from_str_radix(digits, 16).map_err(|_| error)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.bytes[self.at..].starts_with(word.as_bytes());
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn take_digits(&mut self) -> bool {
        let digits = self.bytes[self.at..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.at += digits;
        digits > 0
    }

    /// Takes what `part` takes, or nothing when it does not succeed.
    fn take_optional(&mut self, part: impl FnOnce(&mut Self) -> bool) {
        let start = self.at;
        if !part(self) {
            self.at = start;
        }
    }

    fn skip_blanks(&mut self) {
        let blanks = self.bytes[self.at..].iter();
        self.at += blanks.take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
    }
}

#[cfg(test)]
mod tests;
