//! The version in a file name: the code of the archive, or what a person typed.

use crate::{Release, Version};

/// What follows the number in a name.
pub(super) struct NamedVersion<'a> {
    /// The version, if one is named.
    pub(super) version: Option<Version>,
    /// Whether it is a code as the archive writes it: `i10`, or six digits.
    pub(super) is_code: bool,
    /// What follows it.
    pub(super) suffix: &'a str,
}

/// Signs between the words of a name.
const SEPARATORS: [char; 5] = ['-', '_', ' ', '(', '.'];
/// Highest field that a code of three characters can have.
const MAX_CODE_FIELD: u16 = 35;
/// Words that follow a code without a separator: `050cl`, `i00cm`.
const GLUED_WORDS: [&str; 9] = ["cl", "clean", "cm", "rm", "rev", "tc", "cb", "marked", "revmarks"];

/// Splits the version off the front of what follows the number: `-i10`, `_330`, `-184600`, `-v2010`, ` v18.1.0`.
pub(super) fn take_version(rest: &str) -> NamedVersion<'_> {
    let body = rest.trim_start_matches(SEPARATORS);
    let is_separated = body.len() < rest.len();
    let length = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (word, suffix) = body.split_at(length);
    let is_apart = is_separated || word.bytes().any(|b| b.is_ascii_alphabetic());
    if let (Some(version), true) = (read_code(word), is_apart) {
        return NamedVersion { version: Some(version), is_code: true, suffix };
    }
    if let Some((version, suffix)) = take_fields(body) {
        return NamedVersion { version: Some(version), is_code: false, suffix };
    }
    if let Some((version, suffix)) = take_glued(body, word) {
        return NamedVersion { version: Some(version), is_code: false, suffix };
    }
    let version = read_long_code(word);
    // A word that is no version is part of the suffix: `38331-i00` but `38331_cover`.
    let suffix = if version.is_some() { suffix } else { rest };
    NamedVersion { version, is_code: false, suffix }
}

/// A version code. Not a word, `old`, `2nd`, `v18`: no version has two-digit technical and editorial numbers, or a
/// release that does not exist yet. Not a date, `240315`: six digits are used only if a field needs them.
fn read_code(code: &str) -> Option<Version> {
    let version = Version::from_code(code).ok()?;
    let fields = [version.major, version.technical, version.editorial];
    let is_written_so = match code.len() {
        3 => !code.bytes().skip(1).all(|b| b.is_ascii_alphabetic()),
        _ => fields.into_iter().any(|field| field > MAX_CODE_FIELD),
    };
    (is_written_so && Release::is_known_major(version.major)).then_some(version)
}

/// `v2010` is 20.1.0, `v1810` is 18.1.0, and ETSI's `v180100` is 18.1.0.
fn read_long_code(word: &str) -> Option<Version> {
    let digits = word.strip_prefix(['v', 'V'])?;
    let field = |range: std::ops::Range<usize>| digits.get(range)?.parse().ok();
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let version = match digits.len() {
        4 => Version { major: field(0..2)?, technical: field(2..3)?, editorial: field(3..4)? },
        6 => Version { major: field(0..2)?, technical: field(2..4)?, editorial: field(4..6)? },
        _ => return None,
    };
    Some(version)
}

/// `v18.1.0`, `18.1.0`, `v18_1_0`, `18-1-0`.
fn take_fields(body: &str) -> Option<(Version, &str)> {
    let bare = body.strip_prefix(['v', 'V']).unwrap_or(body);
    let is_marked = bare.len() < body.len();
    let mut rest = bare.trim_start_matches([' ', '.', '_']);
    let mut fields = [0; 3];
    for (index, field) in fields.iter_mut().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(['.', '_', '-'])?;
        }
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // `15.03.24` is a date.
        let is_padded = digits > 1 && rest.starts_with('0');
        if !matches!(digits, 1 | 2) || (is_padded && !is_marked) {
            return None;
        }
        *field = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
    }
    let [major, technical, editorial] = fields;
    // `15.11.24` is a date too.
    let is_date = !is_marked && editorial > 9;
    let continues = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    (!is_date && !continues).then_some((Version { major, technical, editorial }, rest))
}

/// `050cl`, `i00cm`: a code, and a word that says what the copy is.
fn take_glued<'a>(body: &'a str, word: &str) -> Option<(Version, &'a str)> {
    let (code, glued) = word.split_at_checked(3)?;
    if !GLUED_WORDS.contains(&glued.to_ascii_lowercase().as_str()) {
        return None;
    }
    Some((read_code(code)?, body.get(3..)?))
}
