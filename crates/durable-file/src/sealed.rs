//! Small files that describe other files: their content, then a line with a checksum over it.
//!
//! ```text
//! {"index":"index-2","before":"index-1","batch":7}
//! crc32 5d41402a
//! ```
//!
//! A CRC-32 finds every change of one bit, and of up to 32 bits that lie together (Koopman, "32-Bit Cyclic Redundancy Codes
//! for Internet Applications", DSN 2002). The seal is against damage, not against forgery.

/// What a sealed line begins with, after the line break that ends the content.
const MARK: &str = "\ncrc32 ";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 8;

/// The result of checking a seal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sealed<'a> {
    /// The content is what was sealed.
    Whole(&'a [u8]),
    /// There is no seal: a file of an earlier program, or one that a person wrote.
    Unsealed(&'a [u8]),
    /// The content, or the seal, has changed.
    Damaged,
}

/// The bytes of a file with its seal.
pub fn seal(content: &[u8]) -> Vec<u8> {
    let checksum = format!("{MARK}{:08x}\n", crc32fast::hash(content));
    [content, checksum.as_bytes()].concat()
}

/// Reads a file that may have a seal. One bit that is changed anywhere makes it damaged, or leaves a content that no
/// JSON reader accepts, because the line of the seal is then a part of it.
pub fn unseal(bytes: &[u8]) -> Sealed<'_> {
    let length = MARK.len() + DIGITS + 1;
    let Some(at) = bytes.len().checked_sub(length) else { return Sealed::Unsealed(bytes) };
    let (content, line) = bytes.split_at(at);
    let Some(rest) = line.strip_prefix(MARK.as_bytes()) else { return Sealed::Unsealed(bytes) };
    let expected = format!("{:08x}\n", crc32fast::hash(content));
    if rest == expected.as_bytes() { Sealed::Whole(content) } else { Sealed::Damaged }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_changed_bit_of_a_sealed_file_is_seen_or_spoils_its_content() {
        let content = br#"{"index":"index-2","before":"index-1","batch":7}"#;
        let sealed = seal(content);
        assert_eq!(unseal(&sealed), Sealed::Whole(content));
        for bit in 0..sealed.len() * 8 {
            let mut changed = sealed.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            match unseal(&changed) {
                Sealed::Damaged => {}
                // The mark itself: its line is now a part of the content.
                Sealed::Unsealed(all) => assert_eq!(all.len(), sealed.len(), "bit {bit}"),
                Sealed::Whole(_) => panic!("bit {bit} is not seen"),
            }
        }
    }

    #[test]
    fn what_has_no_seal_is_read_and_says_so() {
        for content in ["", "{}", "{\"index\":\"\"}\n", "crc32 00000000\n"] {
            assert_eq!(unseal(content.as_bytes()), Sealed::Unsealed(content.as_bytes()));
        }
        for end in 0..seal(b"{}").len() {
            let cut = &seal(b"{}")[..end];
            assert_eq!(unseal(cut), Sealed::Unsealed(cut), "cut after {end} bytes");
        }
    }
}
