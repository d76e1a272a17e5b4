//! Plain text for search: special blanks, hyphens and private-use symbols are replaced by plain characters.

/// Appends `text` with special blanks and hyphens replaced and invisible characters dropped.
pub fn push_plain_text(target: &mut String, text: &str) {
    if text.is_ascii() && !text.bytes().any(|b| b < b' ') {
        target.push_str(text);
        return;
    }
    target.extend(text.chars().filter_map(plain_char));
}

/// The character that replaces `c` in plain text, `None` if `c` is invisible.
fn plain_char(c: char) -> Option<char> {
    match c {
        '\t' | '\n' => Some(c),
        '\r' | '\u{0}'..='\u{1f}' | '\u{7f}' => Some(' '),
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        '\u{2010}' | '\u{2011}' => Some('-'),
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' => None,
        // Without the font, the code is that of Symbol, to which Word falls back.
        _ => Some(match picture::private_code(c) {
            Some(code) if code >= 0x20 => picture::SymbolFont::Symbol
                .character_of_code(code)
                .unwrap_or(picture::UNKNOWN_SYMBOL),
            _ => c,
        }),
    }
}

/// Runs of blanks, tabs and line breaks as one blank each, without blanks at the ends.
pub fn collapse_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Runs of blanks and tabs as one blank each within lines; line breaks kept, empty lines dropped.
pub fn collapse_line_whitespace(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n').map(collapse_whitespace).filter(|line| !line.is_empty()) {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&line);
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::text::*;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        push_plain_text(&mut out, text);
        out
    }

    #[test]
    fn special_blanks_and_hyphens_become_plain() {
        assert_eq!(plain("TS\u{a0}38.331, non\u{2011}3GPP\u{200b}"), "TS 38.331, non-3GPP");
        assert_eq!(plain("a\u{ad}b\u{f0b3}c"), "ab\u{2265}c");
    }

    #[test]
    fn line_breaks_survive_collapsing() {
        assert_eq!(collapse_whitespace("  a \t b\n c "), "a b c");
        assert_eq!(collapse_line_whitespace(" a  b \n\n\tc"), "a b\nc");
    }
}
