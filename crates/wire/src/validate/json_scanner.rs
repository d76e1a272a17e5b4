//! Finds the first fault of a text that is not JSON, with the message and offset of CPython.
//!
//! It runs only on a text that `serde_json` rejected, and rejects what that rejects: if CPython is laxer (`NaN`,
//! numbers of any size, unpaired surrogates, any depth), the message is ours.

/// The nesting depth that `serde_json` still accepts. With another one, the scanner would find no fault in a text
/// that was rejected for its depth.
const MAX_DEPTH: usize = 127;

/// Where a body stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct JsonFault {
    /// The number of characters before the fault.
    pub(super) offset: usize,
    /// What is wrong there.
    pub(super) error: &'static str,
}

/// The first fault of `text`.
pub(super) fn find_first_fault(text: &str) -> JsonFault {
    let scanned =
        JsonScanner { text, bytes: text.as_bytes(), position: 0, depth: 0 }.scan_document();
    let (offset_bytes, error) = scanned.err().unwrap_or((0, EXPECTING_VALUE));
    let before = text.get(..offset_bytes).unwrap_or(text);
    JsonFault { offset: before.chars().count(), error }
}

/// The byte offset and the message of a fault.
type ScanFault = (usize, &'static str);
type ScanResult = Result<(), ScanFault>;

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

/// UTF-16 code units of surrogate pairs (RFC 8259, section 7): a high one, then a low one.
const HIGH_SURROGATE_MIN: u16 = 0xd800;
const HIGH_SURROGATE_MAX: u16 = 0xdbff;
const LOW_SURROGATE_MIN: u16 = 0xdc00;
const LOW_SURROGATE_MAX: u16 = 0xdfff;

struct JsonScanner<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// Bytes that were scanned.
    position: usize,
    depth: usize,
}

impl JsonScanner<'_> {
    fn scan_document(&mut self) -> ScanResult {
        self.skip_blanks();
        self.scan_value()?;
        self.skip_blanks();
        if self.position < self.bytes.len() { Err((self.position, EXTRA_DATA)) } else { Ok(()) }
    }

    fn scan_value(&mut self) -> ScanResult {
        match self.peek_byte() {
            Some(b'"') => self.scan_string(),
            Some(b'{') => self.scan_nested(Self::scan_object),
            Some(b'[') => self.scan_nested(Self::scan_array),
            Some(b'-' | b'0'..=b'9') => self.scan_number(),
            _ if ["null", "true", "false"].iter().any(|word| self.take_word(word)) => Ok(()),
            _ => Err((self.position, EXPECTING_VALUE)),
        }
    }

    fn scan_nested(&mut self, inner: fn(&mut Self) -> ScanResult) -> ScanResult {
        if self.depth == MAX_DEPTH {
            return Err((self.position, TOO_DEEP));
        }
        self.depth += 1;
        self.position += 1;
        self.skip_blanks();
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn scan_object(&mut self) -> ScanResult {
        if self.take_byte(b'}') {
            return Ok(());
        }
        loop {
            if self.peek_byte() != Some(b'"') {
                return Err((self.position, EXPECTING_NAME));
            }
            self.scan_string()?;
            self.skip_blanks();
            if !self.take_byte(b':') {
                return Err((self.position, EXPECTING_COLON));
            }
            self.skip_blanks();
            self.scan_value()?;
            if self.take_separator(b'}')? {
                return Ok(());
            }
        }
    }

    fn scan_array(&mut self) -> ScanResult {
        if self.take_byte(b']') {
            return Ok(());
        }
        loop {
            self.scan_value()?;
            if self.take_separator(b']')? {
                return Ok(());
            }
        }
    }

    /// Scans what follows an item: the closing bracket, or the comma before the next one.
    fn take_separator(&mut self, close: u8) -> Result<bool, ScanFault> {
        self.skip_blanks();
        if self.take_byte(close) {
            return Ok(true);
        }
        if !self.take_byte(b',') {
            return Err((self.position, EXPECTING_COMMA));
        }
        self.skip_blanks();
        Ok(false)
    }

    fn scan_number(&mut self) -> ScanResult {
        let start = self.position;
        self.take_byte(b'-');
        if self.take_byte(b'0') {
            // A zero is never followed by more digits.
        } else if !self.take_digits() {
            return Err((start, EXPECTING_VALUE));
        }
        self.take_optional(|scanner| scanner.take_byte(b'.') && scanner.take_digits());
        self.take_optional(|scanner| {
            let exponent = scanner.take_byte(b'e') || scanner.take_byte(b'E');
            let _sign = exponent && (scanner.take_byte(b'+') || scanner.take_byte(b'-'));
            exponent && scanner.take_digits()
        });
        match self.text[start..self.position].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(()),
            _ => Err((start, NUMBER_RANGE)),
        }
    }

    fn scan_string(&mut self) -> ScanResult {
        let start = self.position;
        self.position += 1;
        loop {
            match self.peek_byte() {
                None => return Err((start, UNTERMINATED)),
                Some(b'"') => break,
                Some(b'\\') => self.scan_escape(start)?,
                Some(byte) if byte < 0x20 => return Err((self.position, CONTROL_CHARACTER)),
                Some(_) => self.position += 1,
            }
        }
        self.position += 1;
        Ok(())
    }

    fn scan_escape(&mut self, string_start: usize) -> ScanResult {
        let backslash = self.position;
        self.position += 1;
        match self.peek_byte() {
            None => Err((string_start, UNTERMINATED)),
            Some(b'u') => self.scan_unicode_escape(),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.position += 1;
                Ok(())
            }
            Some(_) => Err((backslash, ESCAPE)),
        }
    }

    /// Scans `uXXXX`, or both escapes of a surrogate pair; the first backslash was scanned before.
    fn scan_unicode_escape(&mut self) -> ScanResult {
        let start = self.position;
        match self.scan_code_unit()? {
            HIGH_SURROGATE_MIN..=HIGH_SURROGATE_MAX
                if self.bytes[self.position..].starts_with(b"\\u") =>
            {
                self.position += 1;
                match self.scan_code_unit()? {
                    LOW_SURROGATE_MIN..=LOW_SURROGATE_MAX => Ok(()),
                    _ => Err((start, UNPAIRED_SURROGATE)),
                }
            }
            HIGH_SURROGATE_MIN..=LOW_SURROGATE_MAX => Err((start, UNPAIRED_SURROGATE)),
            _ => Ok(()),
        }
    }

    /// The code unit that `uXXXX` encodes; like CPython, requires a character after it.
    fn scan_code_unit(&mut self) -> Result<u16, ScanFault> {
        let error = (self.position, UNICODE_ESCAPE);
        let digits = self.text.get(self.position + 1..self.position + 5).ok_or(error)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) || self.position + 5 == self.bytes.len() {
            return Err(error);
        }
        self.position += 5;
        u16::from_str_radix(digits, 16).map_err(|_| error)
    }

    fn peek_byte(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn take_byte(&mut self, byte: u8) -> bool {
        let is_next = self.peek_byte() == Some(byte);
        self.position += usize::from(is_next);
        is_next
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.bytes[self.position..].starts_with(word.as_bytes());
        self.position += if is_next { word.len() } else { 0 };
        is_next
    }

    fn take_digits(&mut self) -> bool {
        let digits = self.bytes[self.position..].iter().take_while(|b| b.is_ascii_digit()).count();
        self.position += digits;
        digits > 0
    }

    /// Scans what `part` scans, or nothing if it fails.
    fn take_optional(&mut self, part: impl FnOnce(&mut Self) -> bool) {
        let start = self.position;
        if !part(self) {
            self.position = start;
        }
    }

    fn skip_blanks(&mut self) {
        let blanks = self.bytes[self.position..].iter();
        self.position += blanks.take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
    }
}

#[cfg(test)]
mod tests;
