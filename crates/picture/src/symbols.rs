//! Symbol fonts: the Unicode characters of their codes.

/// The Adobe Symbol encoding from 0x20 to 0x7e; blanks for undefined codes.
const SYMBOL_LOW: &str = " !\u{2200}#\u{2203}%&\u{220b}()\u{2217}+,\u{2212}./0123456789:;<=>?\
\u{2245}\u{391}\u{392}\u{3a7}\u{394}\u{395}\u{3a6}\u{393}\u{397}\u{399}\u{3d1}\u{39a}\u{39b}\
\u{39c}\u{39d}\u{39f}\u{3a0}\u{398}\u{3a1}\u{3a3}\u{3a4}\u{3a5}\u{3c2}\u{3a9}\u{39e}\u{3a8}\
\u{396}[\u{2234}]\u{22a5}_\u{203e}\u{3b1}\u{3b2}\u{3c7}\u{3b4}\u{3b5}\u{3c6}\u{3b3}\u{3b7}\
\u{3b9}\u{3d5}\u{3ba}\u{3bb}\u{3bc}\u{3bd}\u{3bf}\u{3c0}\u{3b8}\u{3c1}\u{3c3}\u{3c4}\u{3c5}\
\u{3d6}\u{3c9}\u{3be}\u{3c8}\u{3b6}{|}\u{223c}";

/// The Adobe Symbol encoding from 0xa0 to 0xfe.
const SYMBOL_HIGH: &str = "\u{20ac}\u{3d2}\u{2032}\u{2264}\u{2044}\u{221e}\u{192}\u{2663}\u{2666}\
\u{2665}\u{2660}\u{2194}\u{2190}\u{2191}\u{2192}\u{2193}\u{b0}\u{b1}\u{2033}\u{2265}\u{d7}\
\u{221d}\u{2202}\u{2022}\u{f7}\u{2260}\u{2261}\u{2248}\u{2026}|\u{2014}\u{21b5}\u{2135}\u{2111}\
\u{211c}\u{2118}\u{2297}\u{2295}\u{2205}\u{2229}\u{222a}\u{2283}\u{2287}\u{2284}\u{2282}\u{2286}\
\u{2208}\u{2209}\u{2220}\u{2207}\u{ae}\u{a9}\u{2122}\u{220f}\u{221a}\u{22c5}\u{ac}\u{2227}\u{2228}\
\u{21d4}\u{21d0}\u{21d1}\u{21d2}\u{21d3}\u{25ca}\u{2329}\u{ae}\u{a9}\u{2122}\u{2211}\u{239b}\
\u{239c}\u{239d}\u{23a1}\u{23a2}\u{23a3}\u{23a7}\u{23a8}\u{23a9}\u{23aa} \u{232a}\u{222b}\u{2320}\
\u{23ae}\u{2321}\u{239e}\u{239f}\u{23a0}\u{23a4}\u{23a5}\u{23a6}\u{23ab}\u{23ac}\u{23ad}";

/// The character of a code in the font Symbol.
pub fn symbol_char(code: u32) -> char {
    let character = match code {
        0x20..=0x7e => SYMBOL_LOW.chars().nth(code as usize - 0x20),
        0xa0..=0xfe => SYMBOL_HIGH.chars().nth(code as usize - 0xa0),
        _ => None,
    };
    character.unwrap_or('\u{fffd}')
}

/// The character of a code in Wingdings, for what occurs in specifications: arrows, ticks, boxes; a
/// bullet for the rest.
pub fn wingding_char(code: u32) -> char {
    match code {
        0xdf | 0xe7 | 0xef => '\u{2190}',
        0xe0 | 0xe8 | 0xf0 => '\u{2192}',
        0xe1 | 0xe9 | 0xf1 => '\u{2191}',
        0xe2 | 0xea | 0xf2 => '\u{2193}',
        0xf3 | 0xf4 => '\u{2194}',
        0xfb | 0xfd => '\u{2717}',
        0xfc | 0xfe => '\u{2713}',
        0x6f | 0x71 | 0x72 | 0xa8 => '\u{25a1}',
        0x6e | 0xa7 => '\u{25a0}',
        0x4a => '\u{263a}',
        _ => '\u{2022}',
    }
}

/// The character of a code in MT Extra, the font of old equations.
pub(crate) fn extra_char(code: u32) -> Option<char> {
    Some(match code {
        0x4b => '\u{2026}',
        0x4c => '\u{22ef}',
        0x4d => '\u{22ee}',
        0x4e => '\u{22f0}',
        0x4f => '\u{22f1}',
        0x68 => '\u{210f}',
        0x6c => '\u{2113}',
        0x6d => '\u{2213}',
        _ => return None,
    })
}

/// The characters of Mac OS Roman from 0x80 on; blanks for undefined codes.
const MAC_ROMAN: &str = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»… ÀÃÕŒœ–—“”‘’÷◊\
                         ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

/// The character of a glyph by its number. TrueType fonts of Windows have their first glyphs in the order
/// of the table `post`, format 1: three that are not characters, ASCII, Mac OS Roman; but without its second blank, so
/// that the glyphs after the ellipsis come one earlier: 182 is the apostrophe.
pub(crate) fn glyph_char(number: u16) -> Option<char> {
    const ELLIPSIS: u16 = 171;
    match number {
        3..=97 => char::from_u32(u32::from(number) + 0x1d),
        98..=ELLIPSIS => MAC_ROMAN.chars().nth(usize::from(number) - 98),
        172..=224 => MAC_ROMAN.chars().nth(usize::from(number) - 97),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_glyphs_are_characters() {
        assert_eq!(MAC_ROMAN.chars().count(), 128);
        for (number, expected) in [
            (3, ' '),
            (36, 'A'),
            (97, '~'),
            (98, 'Ä'),
            (171, '\u{2026}'),
            (177, '\u{2013}'),
            (179, '\u{201c}'),
            (182, '\u{2019}'),
        ] {
            assert_eq!(glyph_char(number), Some(expected), "{number}");
        }
        assert_eq!((glyph_char(2), glyph_char(225)), (None, None));
    }

    #[test]
    fn symbol_codes_become_their_characters() {
        for (code, expected) in [
            (0x61, '\u{3b1}'),
            (0x62, '\u{3b2}'),
            (0x44, '\u{394}'),
            (0x7e, '\u{223c}'),
            (0xa3, '\u{2264}'),
            (0xb3, '\u{2265}'),
            (0xb4, '\u{d7}'),
            (0xb1, '\u{b1}'),
            (0xce, '\u{2208}'),
            (0xe5, '\u{2211}'),
            (0xd7, '\u{22c5}'),
            (0xae, '\u{2192}'),
            (0xeb, '\u{23a3}'),
            (0xfb, '\u{23a6}'),
            (0xf2, '\u{222b}'),
            (0x6d, '\u{3bc}'),
            (0x77, '\u{3c9}'),
        ] {
            assert_eq!(symbol_char(code), expected, "{code:x}");
        }
        assert_eq!(symbol_char(0x100), '\u{fffd}');
    }
}
