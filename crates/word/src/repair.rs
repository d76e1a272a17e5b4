//! Text of a part in which bytes that are not UTF-8 are replaced, so that a single one does not reject the document.

use std::io::{self, BufRead, Read};

/// U+FFFD.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();
/// Bytes of the longest character of UTF-8.
const MAX_CHARACTER_BYTES: usize = 4;

/// A source whose bytes are valid UTF-8: invalid ones are replaced by U+FFFD.
pub(super) struct Utf8Source<R> {
    source: R,
    /// Bytes at the front of the source's buffer that are known to be valid.
    valid: usize,
    /// The bytes before them: a character that is split between two buffers, or a replacement.
    pending: Vec<u8>,
}

impl<R: BufRead> Utf8Source<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, valid: 0, pending: Vec::new() }
    }

    /// Examines the next bytes of the source: counts the valid ones, or replaces invalid ones.
    fn advance(&mut self) -> io::Result<()> {
        let buffer = self.source.fill_buf()?;
        let error = match std::str::from_utf8(buffer) {
            Ok(_) => {
                self.valid = buffer.len();
                return Ok(());
            }
            Err(error) => error,
        };
        self.valid = error.valid_up_to();
        if self.valid > 0 {
            return Ok(());
        }
        if let Some(length) = error.error_len() {
            self.source.consume(length);
            self.pending.extend(REPLACEMENT);
            return Ok(());
        }
        // The buffer ends within a character.
        let mut divided = buffer.to_vec();
        self.source.consume(divided.len());
        while divided.len() < MAX_CHARACTER_BYTES && std::str::from_utf8(&divided).is_err() {
            match self.source.fill_buf()?.first() {
                Some(next @ 0x80..=0xBF) => divided.push(*next),
                _ => break,
            }
            self.source.consume(1);
        }
        self.pending.extend(String::from_utf8_lossy(&divided).as_bytes());
        Ok(())
    }
}

impl<R: BufRead> Read for Utf8Source<R> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(target)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Utf8Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.pending.is_empty() && self.valid == 0 {
            self.advance()?;
        }
        if !self.pending.is_empty() {
            return Ok(&self.pending);
        }
        let valid = self.valid;
        Ok(&self.source.fill_buf()?[..valid])
    }

    fn consume(&mut self, amount: usize) {
        if self.pending.is_empty() {
            self.valid -= amount.min(self.valid);
            self.source.consume(amount);
        } else {
            self.pending.drain(..amount.min(self.pending.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn invalid_bytes_are_replaced_wherever_the_buffer_ends() {
        for bytes in [
            &b"plain"[..],
            "\u{e9}\u{20ac}\u{1f600} end".as_bytes(),
            b"a\xffb\xc3",
            b"\xe2\x82 half \xe2\x82\xac whole",
            b"\xf0\x9f\x98",
            b"\xc3\xc3\xa9",
            b"",
        ] {
            for capacity in 1..8 {
                let reader = BufReader::with_capacity(capacity, bytes);
                let mut read = String::new();
                Utf8Source::new(reader).read_to_string(&mut read).expect("valid");
                assert_eq!(read, String::from_utf8_lossy(bytes), "{bytes:?} by {capacity}");
            }
        }
    }
}
