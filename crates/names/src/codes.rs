//! Codes in the cells of tables: bits, numbers and ranges of them.

/// Whether a text is a code or a range of codes: `0000`, `36-44`, `0xFF`, `FFF4\u{2013}FFFB`, `n/a`, `0 to (2^16 - 1)`.
pub(crate) fn is_code(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_sign = |c: char| {
        c.is_whitespace() || matches!(c, '-' | '\u{2013}' | '.' | ',' | '(' | ')' | '/' | '^' | '+')
    };
    let mut words = text.split(is_sign).filter(|word| !word.is_empty());
    words.all(|word| {
        let digits = word.strip_prefix("0x").unwrap_or(word);
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let has_digit = digits.bytes().any(|byte| byte.is_ascii_digit());
        is_hexadecimal && (has_digit || digits.len() == 4) || matches!(word, "to" | "n" | "a")
    }) || text == "n/a"
}
