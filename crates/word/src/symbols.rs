//! Symbol fonts: the characters of `w:sym` elements.

/// Where Word puts the characters of symbol fonts: U+F000 and their code (ECMA-376 part 1, 17.3.3.30).
const SYMBOL_AREA: std::ops::RangeInclusive<u32> = 0xf000..=0xf0ff;

/// The character of a `w:sym` element: its font and its hexadecimal code.
pub(super) fn resolve_symbol(font: &str, code: &str) -> Option<char> {
    let code = u32::from_str_radix(code, 16).ok()?;
    let in_symbol_area = SYMBOL_AREA.contains(&code);
    let low = if in_symbol_area { code - SYMBOL_AREA.start() } else { code };
    let font = font.to_ascii_lowercase();
    if font.starts_with("wingdings") || font == "webdings" {
        return Some(picture::wingding_char(low));
    }
    if font == "symbol" || in_symbol_area {
        return Some(picture::symbol_char(low));
    }
    char::from_u32(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_decides_what_a_code_means() {
        assert_eq!(resolve_symbol("Symbol", "F0B3"), Some('\u{2265}'));
        assert_eq!(resolve_symbol("Wingdings", "F0E0"), Some('\u{2192}'));
        assert_eq!(resolve_symbol("Arial", "0041"), Some('A'));
        assert_eq!(resolve_symbol("Arial", "zz"), None);
    }
}
