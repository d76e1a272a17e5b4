//! Glyphs of TrueType fonts: the characters of their numbers.

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
}
