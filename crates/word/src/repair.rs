//! The bytes of a part as UTF-8: other encodings are decoded, and invalid bytes replaced, so that a single one does not
//! reject the document.

use std::io::{self, BufRead, Read};

use encoding_rs::{Decoder, Encoding, REPLACEMENT as NO_ENCODING, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes at the beginning of a part in which its XML declaration ends.
const DECLARATION_BYTES: usize = 256;
/// Bytes that are decoded at once.
const DECODED_BYTES: usize = 16 * 1024;
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
    encoding: SourceEncoding,
}

/// How the bytes of a source are decoded.
enum SourceEncoding {
    /// The beginning of the source was not seen yet.
    Unknown,
    Utf8,
    Other(Box<Decoder>),
    /// A source of another encoding has ended.
    Ended,
}

impl<R: BufRead> Utf8Source<R> {
    pub(super) fn new(source: R) -> Self {
        let (valid, pending) = Default::default();
        Self { source, valid, pending, encoding: SourceEncoding::Unknown }
    }

    /// Examines the next bytes of the source.
    fn advance(&mut self) -> io::Result<()> {
        if matches!(self.encoding, SourceEncoding::Unknown) {
            let encoding = self.read_beginning()?;
            self.encoding = if encoding == UTF_8 {
                SourceEncoding::Utf8
            } else {
                SourceEncoding::Other(Box::new(encoding.new_decoder_with_bom_removal()))
            };
            let beginning = std::mem::take(&mut self.pending);
            return match self.encoding {
                SourceEncoding::Utf8 => self.push_divided(beginning),
                _ => self.decode(&beginning),
            };
        }
        match self.encoding {
            SourceEncoding::Utf8 => self.advance_utf8(),
            SourceEncoding::Ended => Ok(()),
            SourceEncoding::Unknown | SourceEncoding::Other(_) => {
                let buffer = self.source.fill_buf()?;
                let bytes = buffer[..buffer.len().min(DECODED_BYTES)].to_vec();
                self.source.consume(bytes.len());
                self.decode(&bytes)
            }
        }
    }

    /// Reads the beginning of the source into the pending bytes, and returns the encoding that it declares.
    fn read_beginning(&mut self) -> io::Result<&'static Encoding> {
        loop {
            let buffer = self.source.fill_buf()?;
            let wanted = DECLARATION_BYTES - self.pending.len();
            let bytes = &buffer[..buffer.len().min(wanted)];
            let read = bytes.len();
            self.pending.extend(bytes);
            self.source.consume(read);
            if read == 0 || self.pending.len() >= DECLARATION_BYTES {
                return Ok(detect_encoding(&self.pending));
            }
        }
    }

    /// Decodes bytes into the pending ones; no bytes end the source.
    fn decode(&mut self, bytes: &[u8]) -> io::Result<()> {
        let SourceEncoding::Other(decoder) = &mut self.encoding else { return Ok(()) };
        let mut rest = bytes;
        let mut decoded = String::new();
        loop {
            // The decoder writes only into space that the text already has.
            decoded.reserve(DECODED_BYTES);
            let (result, read, _) = decoder.decode_to_string(rest, &mut decoded, bytes.is_empty());
            rest = rest.get(read..).unwrap_or_default();
            if result == encoding_rs::CoderResult::InputEmpty {
                break;
            }
        }
        self.pending.extend(decoded.as_bytes());
        if bytes.is_empty() {
            self.encoding = SourceEncoding::Ended;
        }
        Ok(())
    }

    /// Counts the valid bytes at the front of the source's buffer, or replaces invalid ones.
    fn advance_utf8(&mut self) -> io::Result<()> {
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
        let divided = buffer.to_vec();
        self.source.consume(divided.len());
        self.push_divided(divided)
    }

    /// Adds bytes that may end within a character to the pending ones, with the rest of the character.
    fn push_divided(&mut self, mut divided: Vec<u8>) -> io::Result<()> {
        let is_divided = |bytes: &[u8]| {
            let end = &bytes[bytes.len().saturating_sub(MAX_CHARACTER_BYTES)..];
            end.utf8_chunks().last().is_some_and(|chunk| {
                let invalid = chunk.invalid();
                std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none())
            })
        };
        while is_divided(&divided) {
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
        while self.pending.is_empty() && self.valid == 0 {
            self.advance()?;
            // Bytes of another encoding may be only a part of a character: an empty buffer would end the source.
            if !matches!(self.encoding, SourceEncoding::Other(_)) {
                break;
            }
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

/// The encoding of a part by its first bytes: a byte order mark, the zeros of UTF-16, or its XML declaration. A
/// declaration of UTF-16 in single bytes is wrong.
pub(super) fn detect_encoding(beginning: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(beginning) {
        return encoding;
    }
    match beginning {
        [b'<', 0, ..] => return UTF_16LE,
        [0, b'<', ..] => return UTF_16BE,
        _ => {}
    }
    let declared = || {
        let declaration = beginning.strip_prefix(b"<?xml")?;
        let text: String = declaration.iter().map(|byte| char::from(*byte)).collect();
        let value = text.split_once("?>")?.0.split_once("encoding")?.1;
        let value = value.trim_start().strip_prefix('=')?.trim_start();
        let label = value.strip_prefix(['"', '\''])?.split(['"', '\'']).next()?;
        Encoding::for_label(label.as_bytes())
    };
    let is_possible =
        |encoding: &&'static Encoding| ![UTF_16LE, UTF_16BE, NO_ENCODING].contains(encoding);
    declared().filter(is_possible).unwrap_or(UTF_8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn other_encodings_are_decoded_wherever_the_buffer_ends() {
        let utf_16 =
            |text: &str, to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect();
        let text = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>caf\u{e9} \u{1f600}</a>";
        let declared = |label: &str| format!("<?xml version='1.0' encoding = '{label}'?><a>caf");
        let in_bytes = |label: &str, end: &[u8]| [declared(label).as_bytes(), end].concat();
        let read_of = |label: &str, end: &str| declared(label) + end;
        let cases: [(Vec<u8>, String); 8] = [
            (utf_16(&format!("\u{feff}{text}"), u16::to_le_bytes), text.to_owned()),
            (utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes), text.to_owned()),
            (utf_16(text, u16::to_le_bytes), text.to_owned()),
            (utf_16(text, u16::to_be_bytes), text.to_owned()),
            (in_bytes("windows-1252", b"\xe9\x80"), read_of("windows-1252", "\u{e9}\u{20ac}")),
            (in_bytes("ISO-8859-2", b"\xb1"), read_of("ISO-8859-2", "\u{105}")),
            (in_bytes("Shift_JIS", b"\x83A"), read_of("Shift_JIS", "\u{30a2}")),
            // It cannot be UTF-16, because it was read as single bytes.
            (in_bytes("utf-16", "\u{e9}".as_bytes()), read_of("utf-16", "\u{e9}")),
        ];
        for (bytes, expected) in cases {
            for capacity in [1, 2, 3, 7, 64, 1000] {
                let reader = BufReader::with_capacity(capacity, bytes.as_slice());
                let mut read = String::new();
                Utf8Source::new(reader).read_to_string(&mut read).expect("valid");
                assert_eq!(read, expected, "by {capacity}");
            }
        }
    }

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
