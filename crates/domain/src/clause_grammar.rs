//! The forms of clause numbers that 3GPP prints, without regard to the text around them.

/// Maximum bytes of a number. Printed numbers are shorter; callers also pass whole titles, which are longer.
const MAX_BYTES: usize = 64;
/// Maximum bytes of one field. The longest that is printed has nine (`97B3B10A`, with a variant: `97B3B10A_1`).
const MAX_FIELD_BYTES: usize = 16;
/// Maximum letters in a row within a field that has digits: `5bis`, `1quat`. More is a word: `4.General`.
const MAX_LETTERS: usize = 4;
/// Maximum bytes of the letters and digits of an annex: `A`, `AB`, `Da`, `A1`, `F10`, `AA1b`.
const MAX_ANNEX_BYTES: usize = 4;
/// Maximum digits of an annex: `F10`. More is a name: `H264`.
const MAX_ANNEX_DIGITS: usize = 2;
/// Maximum letters of a placeholder: `8.x`, `8.xx`, `6.xyz`.
const MAX_PLACEHOLDER: usize = 3;

/// Whether a text has the form of a clause number: fields of letters and digits in any alternation, variants of test
/// cases after `_` and `-`, letters of an annex in front, and the placeholders of drafts.
pub(crate) fn is_clause_number(text: &str) -> bool {
    if text.len() > MAX_BYTES {
        return false;
    }
    match text.split_once('.') {
        // A word after digits without a dot is a name: "5GS2".
        None => is_lower_field(text) && is_suffixed(text) || is_annex_root(text),
        Some((root, rest)) => {
            let is_digits = root.starts_with(|c: char| c.is_ascii_digit());
            let is_root = is_digits && !root.contains('-') && is_lower_field(root)
                || is_annex_root(root)
                || is_placeholder(root);
            let is_counted = text.bytes().any(|byte| byte.is_ascii_digit())
                || text.split('.').any(is_placeholder);
            is_root && is_counted && rest.split('.').all(is_lower_field)
        }
    }
}

/// Whether the letters of an annex are in front, not digits: `B.2.1`, `Da`.
pub(crate) fn has_annex_root(number: &str) -> bool {
    is_annex_root(number.split('.').next().unwrap_or(number))
}

/// `5`, `13a`, `1A`, `5bis`; with a variant, `6_1`.
fn is_suffixed(text: &str) -> bool {
    let core = text.split('_').next().unwrap_or_default();
    let letters = core.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.len() < core.len() && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// One or two capital letters, which digits and a small letter may follow.
fn is_annex_root(root: &str) -> bool {
    let field = match root.split_once('_') {
        Some((field, variant)) if is_variant(variant) => field,
        Some(_) => return false,
        None => root,
    };
    let capitals = count_while(field, |byte| byte.is_ascii_uppercase());
    let rest = &field[capitals..];
    let digits = count_while(rest, |byte| byte.is_ascii_digit());
    let letters = &rest[digits..];
    let is_suffix = match digits {
        0 => {
            letters.is_empty() || (capitals == 1 && letters.bytes().all(|b| b.is_ascii_lowercase()))
        }
        _ => letters.bytes().all(|byte| byte.is_ascii_alphabetic()),
    };
    matches!(capitals, 1 | 2)
        && digits <= MAX_ANNEX_DIGITS
        && letters.len() <= 1
        && is_suffix
        && field.len() <= MAX_ANNEX_BYTES
}

/// A field after the first: digits and letters, a letter of a list, or a placeholder; with variants.
fn is_lower_field(field: &str) -> bool {
    let mut parts = field.split(['_', '-']);
    let core = parts.next().unwrap_or_default();
    let is_letter = core.len() == 1 && core.bytes().all(|byte| byte.is_ascii_alphabetic());
    field.len() <= MAX_FIELD_BYTES
        && (is_letter || is_placeholder(core) || is_digit_field(core) || is_lettered_field(core))
        && parts.all(is_variant)
}

/// Digits first, then letters and digits in any alternation: `5`, `5a`, `48B4A10`.
fn is_digit_field(field: &str) -> bool {
    field.starts_with(|c: char| c.is_ascii_digit()) && is_alternation(field)
}

/// A letter, then digits: `A1`, `B2a`.
fn is_lettered_field(field: &str) -> bool {
    let letters = count_while(field, |byte| byte.is_ascii_alphabetic());
    let has_digit = field.bytes().any(|byte| byte.is_ascii_digit());
    matches!(letters, 1 | 2) && has_digit && is_alternation(field)
}

/// Letters and digits, without a word among them.
fn is_alternation(field: &str) -> bool {
    let mut words = field.split(|c: char| c.is_ascii_digit());
    field.len() <= MAX_FIELD_BYTES
        && words.all(|word| {
            word.len() <= MAX_LETTERS && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}

/// `_1`, `_1A`, `-2`: what RAN5 appends to the number of a test case for its variants.
fn is_variant(part: &str) -> bool {
    is_digit_field(part)
}

/// Whether a field of a number is a placeholder: `5.x`.
pub(crate) fn has_placeholder(number: &str) -> bool {
    number.split('.').any(is_placeholder)
}

/// A placeholder of a draft for a number that is not yet known: `x`, `xx`, `Y`.
fn is_placeholder(field: &str) -> bool {
    matches!(field.len(), 1..=MAX_PLACEHOLDER)
        && (field.bytes().all(|byte| matches!(byte, b'x'..=b'z'))
            || field.bytes().all(|byte| matches!(byte, b'X'..=b'Z')))
}

fn count_while(text: &str, is_counted: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is_counted(*byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_that_are_printed_are_numbers() {
        for number in [
            "5",
            "5.3.5.13a",
            "4.10.1a",
            "1A",
            "5bis",
            "A",
            "AA.1",
            "B.2.1",
            "5.1.2.5B1",
            "F10.3",
            "10.3.6.a",
            "6.2B.1.3_1",
            "6.2B.1.3_1.4.1",
            "9.1.31.1_1A",
            "7.3.3-1",
            "6.2.2A.1_1-2",
            "5.2.48B4A10",
            "10.2.97B3B10A",
            "Da",
            "Da.1",
            "A_1",
            "A_1.2",
            "A1",
            "A1.2",
            "AA1",
            "Z1",
            "5.x",
            "5.x.1",
            "8.xx",
            "6.Y.2",
            "5.9.f.2.1",
            "7.a",
            "X.1",
            "x.2",
            "A.x.1",
            "5.3.A1",
            "5.3.1bis",
        ] {
            assert!(is_clause_number(number), "{number}");
        }
    }

    #[test]
    fn words_quantities_and_other_names_are_not() {
        for text in [
            "",
            "Foreword",
            "5.",
            ".5",
            "5..3",
            "a",
            "A.",
            "ABC",
            "e.g",
            "i.e",
            "U.S",
            "4.General",
            "5.3-",
            "5_",
            "0-9",
            "5.3_a",
            "RRC.1",
            "Rel.16",
            "5,3",
            "5.3/1",
            "5.3 1",
            "3GPP2",
            "H264.1a2",
            "1.versions",
            "Abc.1",
            "10.3.6.ab",
            "5.\u{e4}",
        ] {
            assert!(!is_clause_number(text), "{text}");
        }
        assert!(
            !is_clause_number(&"5.".repeat(40))
                && !is_clause_number(&format!("5.{}", "1".repeat(40)))
        );
    }

    #[test]
    fn annexes_are_told_from_clauses() {
        for (number, expected) in
            [("B.2", true), ("Da", true), ("5.3", false), ("1A", false), ("x.2", false)]
        {
            assert_eq!(has_annex_root(number), expected, "{number}");
        }
    }
}
