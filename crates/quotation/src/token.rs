//! Tokens of a text: the units of comparison, and their positions.

use std::ops::Range;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenClass {
    /// Letters.
    Word,
    /// Digits, with points between them: `38.331`.
    Number,
    /// One character that is neither.
    Sign,
}

/// Whether a token must be in the other text too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenPresence {
    /// It must.
    Required,
    /// It may be left out: a bullet, the bar of a table, a quotation mark.
    Optional,
    /// The mark of a subscript or superscript of an equation: it may be left out, but not replaced by the other one.
    Script,
}

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QuoteToken {
    /// Hash of its normalized characters.
    pub(crate) hash: u64,
    /// The same in lower case; of a dash, whether a blank follows.
    pub(crate) folded: u64,
    /// Byte in the text where it begins.
    pub(crate) start: u32,
    /// Byte in the text where it ends.
    pub(crate) end: u32,
    pub(crate) class: TokenClass,
    pub(crate) presence: TokenPresence,
}

impl QuoteToken {
    pub(crate) fn is_required(&self) -> bool {
        self.presence == TokenPresence::Required
    }

    /// Whether two tokens are the same. A bullet is the same as a dash between blanks, but not as the sign of a number.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.hash == other.hash && (self.presence == other.presence || self.folded == other.folded)
    }

    /// Whether it is a word or a number.
    pub(crate) fn is_wordlike(&self) -> bool {
        self.class != TokenClass::Sign
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// FNV-1a, which is the same in every process.
#[derive(Clone, Copy)]
pub(crate) struct TokenHasher(u64);

impl TokenHasher {
    const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    pub(crate) fn new() -> Self {
        Self(Self::OFFSET_BASIS)
    }

    pub(crate) fn add_char(&mut self, c: char) {
        for byte in c.encode_utf8(&mut [0; 4]).bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
        }
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}
