//! Symbol fonts: the Unicode characters that their codes mean. All readers use this table.

mod tables;

use tables::CodeTable;

/// The character that stands for a code whose character is not known.
pub const UNKNOWN_SYMBOL: char = '\u{fffd}';
/// Where Word and Windows put the codes of symbol fonts: U+F000 and the code (ECMA-376 part 1, 17.3.3.30).
const PRIVATE_CODES: std::ops::RangeInclusive<u32> = 0xf000..=0xf0ff;

/// A font in which codes of letters mean signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolFont {
    /// Symbol, and fonts with its encoding.
    Symbol,
    /// Wingdings.
    Wingdings,
    /// Wingdings 2.
    Wingdings2,
    /// Wingdings 3.
    Wingdings3,
    /// Webdings.
    Webdings,
    /// ZapfDingbats, and Monotype Sorts, which has its encoding.
    ZapfDingbats,
    /// MT Extra, the font of old equations.
    MtExtra,
    /// A symbol font whose encoding is not in the table.
    Other,
}

/// Fonts by name, in lower case and without blanks, hyphens and underscores. A font is here only if its whole name is:
/// `Symbol Neu` and others whose names begin with that of a symbol font have Unicode characters.
const NAMES: [(&str, SymbolFont); 26] = [
    ("symbol", SymbolFont::Symbol),
    ("symbolmt", SymbolFont::Symbol),
    ("symbolps", SymbolFont::Symbol),
    ("symbolpsmt", SymbolFont::Symbol),
    ("standardsymbolsl", SymbolFont::Symbol),
    ("standardsymbolsps", SymbolFont::Symbol),
    ("euclidsymbol", SymbolFont::Symbol),
    ("wingdings", SymbolFont::Wingdings),
    ("wingdings1", SymbolFont::Wingdings),
    ("wingdings2", SymbolFont::Wingdings2),
    ("wingdings3", SymbolFont::Wingdings3),
    ("webdings", SymbolFont::Webdings),
    ("zapfdingbats", SymbolFont::ZapfDingbats),
    ("itczapfdingbats", SymbolFont::ZapfDingbats),
    ("itczapfdingbatsmedium", SymbolFont::ZapfDingbats),
    ("monotypesorts", SymbolFont::ZapfDingbats),
    ("dingbats", SymbolFont::ZapfDingbats),
    ("mtextra", SymbolFont::MtExtra),
    ("euclidextra", SymbolFont::MtExtra),
    ("marlett", SymbolFont::Other),
    ("mtsymbol", SymbolFont::Other),
    ("bookshelfsymbol1", SymbolFont::Other),
    ("bookshelfsymbol2", SymbolFont::Other),
    ("bookshelfsymbol3", SymbolFont::Other),
    ("bookshelfsymbol7", SymbolFont::Other),
    ("msreferencespecialty", SymbolFont::Other),
];
/// Longest name of a font that is looked up, in bytes; Windows cuts names after 32 characters.
const MAX_NAME_BYTES: usize = 64;

impl SymbolFont {
    /// The symbol font of a name, written in any case; `None` for other fonts.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        // The name may be a list of alternatives, and Windows marks vertical fonts.
        let first = name.split(';').next().unwrap_or_default().trim_start_matches('@');
        if first.len() > MAX_NAME_BYTES {
            return None;
        }
        let is_kept = |c: &char| !(c.is_whitespace() || matches!(c, '-' | '_'));
        let key: String = first.chars().filter(is_kept).map(|c| c.to_ascii_lowercase()).collect();
        NAMES.iter().find(|(known, _)| *known == key).map(|(_, font)| *font)
    }

    /// The name of the font, for messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Symbol => "Symbol",
            Self::Wingdings => "Wingdings",
            Self::Wingdings2 => "Wingdings 2",
            Self::Wingdings3 => "Wingdings 3",
            Self::Webdings => "Webdings",
            Self::ZapfDingbats => "ZapfDingbats",
            Self::MtExtra => "MT Extra",
            Self::Other => "another symbol font",
        }
    }

    /// The character of a code, 0x20 to 0xff; `None` if the font has none, or Unicode has none for it.
    #[must_use]
    pub fn character_of_code(self, code: u32) -> Option<char> {
        let table: &CodeTable = match self {
            Self::Symbol => &tables::SYMBOL,
            Self::Wingdings => &tables::WINGDINGS,
            Self::Wingdings2 => &tables::WINGDINGS_2,
            Self::Wingdings3 => &tables::WINGDINGS_3,
            Self::Webdings => &tables::WEBDINGS,
            Self::ZapfDingbats => &tables::ZAPF_DINGBATS,
            Self::MtExtra => &tables::MT_EXTRA,
            Self::Other => return None,
        };
        let index = usize::try_from(code.checked_sub(0x20)?).ok()?;
        let character = table.get(index).copied().filter(|character| *character != 0)?;
        char::from_u32(character).map(plain_sign)
    }

    /// The character that a stored character means in this font; `None` if it is not known. Blanks, and characters outside the
    /// codes of the font, such as Greek letters of Unicode, mean themselves.
    #[must_use]
    pub fn read_character(self, stored: char) -> Option<char> {
        match private_code(stored) {
            Some(code) => self.character_of_code(code),
            None if stored.is_whitespace() || stored < ' ' => Some(stored),
            None if u32::from(stored) <= 0xff => self.character_of_code(u32::from(stored)),
            None => Some(stored),
        }
    }
}

/// The code of a character in the private area for symbol fonts.
#[must_use]
pub fn private_code(character: char) -> Option<u32> {
    let number = u32::from(character);
    PRIVATE_CODES.contains(&number).then(|| number - PRIVATE_CODES.start())
}

/// The sign of text fonts for a sign that only symbol fonts have, with the same meaning: arrows of other weights and heads,
/// ticks and boxes of other strokes. In Unicode, these arrows are in groups of four or eight, in the order of `ARROWS`.
#[must_use]
pub fn plain_sign(sign: char) -> char {
    /// Left, up, right, down, north west, north east, south east, south west.
    const ARROWS: [char; 8] = [
        '\u{2190}', '\u{2191}', '\u{2192}', '\u{2193}', '\u{2196}', '\u{2197}', '\u{2198}',
        '\u{2199}',
    ];
    let number = u32::from(sign);
    let arrow = |index: u32| ARROWS[(index % 8) as usize];
    match number {
        0x1f858 | 0x2b64 => '\u{2194}',
        0x1f859 | 0x2b65 => '\u{2195}',
        0x2b60..=0x2b63 => arrow(number - 0x2b60),
        0x2b66..=0x2b69 => arrow(number - 0x2b66 + 4),
        0x1f850..=0x1f887 => arrow(number),
        0x1f800..=0x1f847 | 0x1f890..=0x1f89b => arrow(number % 4),
        0x1f5f8 => '\u{2713}',
        0x1f5f4 | 0x1f5f6 => '\u{2717}',
        0x1f5f5 | 0x1f5f7 => '\u{2612}',
        0x1f5f9 => '\u{2611}',
        0x26ab => '\u{25cf}',
        0x25fc => '\u{25a0}',
        0x1f78e..=0x1f790 => '\u{25a1}',
        0x2b58 => '\u{25cb}',
        _ => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mean_what_their_font_draws() {
        for (font, code, expected) in [
            ("Symbol", 0x61, '\u{3b1}'),
            ("Symbol", 0x44, '\u{394}'),
            ("Symbol", 0x57, '\u{3a9}'),
            ("symbol", 0x6d, '\u{3bc}'),
            ("SYMBOL", 0x7e, '\u{223c}'),
            ("Symbol MT", 0xa3, '\u{2264}'),
            ("Symbol", 0xb3, '\u{2265}'),
            ("Symbol", 0xc5, '\u{2295}'),
            ("Symbol", 0xce, '\u{2208}'),
            ("Symbol", 0xd7, '\u{22c5}'),
            ("Symbol", 0xae, '\u{2192}'),
            ("Symbol", 0xeb, '\u{23a3}'),
            ("Symbol", 0xf2, '\u{222b}'),
            ("Symbol", 0xfb, '\u{23a6}'),
            ("Wingdings", 0xe0, '\u{2192}'),
            ("Wingdings", 0xdf, '\u{2190}'),
            ("Wingdings", 0xe3, '\u{2196}'),
            ("Wingdings", 0xfc, '\u{2713}'),
            ("Wingdings", 0xfe, '\u{2611}'),
            ("Wingdings", 0xa7, '\u{25aa}'),
            ("Wingdings", 0x6c, '\u{25cf}'),
            ("Wingdings", 0x8c, '\u{278a}'),
            ("Wingdings 2", 0x50, '\u{2713}'),
            ("Wingdings2", 0x52, '\u{2611}'),
            ("Wingdings 2", 0x6a, '\u{2460}'),
            ("Wingdings 3", 0x22, '\u{2192}'),
            ("Wingdings 3", 0x70, '\u{25b2}'),
            ("Wingdings 3", 0x31, '\u{2194}'),
            ("Webdings", 0x61, '\u{2714}'),
            ("ZapfDingbats", 0x34, '\u{2714}'),
            ("Zapf Dingbats", 0xd5, '\u{2192}'),
            ("Monotype Sorts", 0x21, '\u{2701}'),
            ("MT Extra", 0x4c, '\u{22ef}'),
            ("MT Extra", 0x68, '\u{210f}'),
        ] {
            let font = SymbolFont::from_name(font).expect(font);
            assert_eq!(font.character_of_code(code), Some(expected), "{font:?} {code:x}");
        }
    }

    #[test]
    fn codes_without_a_character_are_unknown() {
        for (font, code) in [
            (SymbolFont::Symbol, 0xff),
            (SymbolFont::Symbol, 0x90),
            (SymbolFont::Symbol, 0x1f),
            (SymbolFont::Symbol, 0x100),
            (SymbolFont::Wingdings, 0xff),
            (SymbolFont::MtExtra, 0x41),
            (SymbolFont::Other, 0x41),
        ] {
            assert_eq!(font.character_of_code(code), None, "{font:?} {code:x}");
        }
    }

    #[test]
    fn only_whole_names_are_symbol_fonts() {
        for name in
            ["Symbol Neu", "Segoe UI Symbol", "Symbola", "OpenSymbol", "Wingdings 4", "Arial", ""]
        {
            assert_eq!(SymbolFont::from_name(name), None, "{name}");
        }
        assert_eq!(SymbolFont::from_name("Symbol;Arial Unicode MS"), Some(SymbolFont::Symbol));
    }

    #[test]
    fn characters_outside_the_codes_mean_themselves() {
        for (stored, expected) in [
            ('m', Some('\u{3bc}')),
            ('\u{f06d}', Some('\u{3bc}')),
            ('\u{c5}', Some('\u{2295}')),
            ('\u{3b2}', Some('\u{3b2}')),
            ('\u{2022}', Some('\u{2022}')),
            (' ', Some(' ')),
            ('\u{a0}', Some('\u{a0}')),
            ('\t', Some('\t')),
            ('\u{f0ff}', None),
        ] {
            assert_eq!(SymbolFont::Symbol.read_character(stored), expected, "{stored:?}");
        }
    }
}
