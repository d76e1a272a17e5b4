//! The file names of specifications: number, version, and part of the text.
//!
//! The form is `<NNNNN[-part]>-<version code>[_section range]`; the exceptions handled here are
//! names of real files (`26.258-i00`, `27002_330`, `33512-v2010`, `38.401-010-cl`).

use serde::{Deserialize, Serialize};

use super::{DocNumber, ParseError, Version};
use version_in_name::take_version;

/// The order of the files of a multi-part version, which is the order of their texts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartOrder {
    /// `_cover`.
    Cover,
    /// No suffix: the whole text, or its main part.
    Main,
    /// `_s07-12`: sections from the first number on.
    Sections(u16, String),
    /// `_sAnnexes`, `_AnnexB5`, or any other suffix, by its text.
    Annexes(String),
}

/// The parsed name of a specification file or archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecFileName {
    /// Document number with its part.
    pub number: DocNumber,
    /// Version, if the name has a version code.
    pub version: Option<Version>,
    /// Its order among the files of the same version.
    pub order: PartOrder,
    /// Whether it is a copy with tracked changes (`_rm`, `-rev`), which is skipped if there is a clean one.
    pub revision_marked: bool,
    /// Whether it has the form of the 3GPP archive, `38331-i00` or `38101-1-i20_s00-05`. Such a name takes precedence
    /// over the cover; any other is what a person typed, and the cover takes precedence over it.
    pub is_archive_name: bool,
}

/// Words for a copy with tracked changes.
const MARKING_WORDS: [&str; 17] = [
    "rm",
    "rev",
    "revs",
    "wrevs",
    "revmarks",
    "marked",
    "marks",
    "cm",
    "cb",
    "tc",
    "track",
    "tracked",
    "changebars",
    "changemarks",
    "redline",
    "redlined",
    "markup",
];

impl SpecFileName {
    /// Reads a file name, with or without extension and folders.
    pub fn parse_name(name: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(name, "the file name of a specification, such as 38331-i00");
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = strip_extension(base).trim();
        let (digits, rest) = take_number(stem).ok_or_else(error)?;
        let (part, rest) = take_part(rest);
        let number = DocNumber::from_digits(&digits, part).map_err(|_| error())?;
        let named = take_version(rest);
        // A number that goes on with letters is the name of something else.
        if named.version.is_none() && !is_suffix(rest) {
            return Err(error());
        }
        let lower = named.suffix.to_ascii_lowercase();
        let is_marking = |word: &&str| MARKING_WORDS.contains(word);
        let words = || lower.split(['_', '-', '~', ' ', '(', ')']);
        let unmarked: Vec<&str> = words().filter(|word| !is_marking(word)).collect();
        let order = part_order(&unmarked.join("_"));
        let is_part = order != PartOrder::Main;
        // `38331-i00`, `38101-1-i20_s00-05`: nothing else is in front of the number or behind the version.
        let starts_plainly = stem.starts_with(|c: char| c.is_ascii_digit())
            && digits.len() == stem.bytes().take_while(u8::is_ascii_digit).count();
        let is_archive_name = starts_plainly
            && named.is_code
            && rest.starts_with('-')
            && (lower.is_empty() || is_part);
        Ok(Self {
            number,
            version: named.version,
            revision_marked: words().any(|word| is_marking(&word)),
            order,
            is_archive_name,
        })
    }
}

/// The name without its extension. Digits alone are not an extension, so that `38.331` keeps its number; nor are more
/// than five characters, so that `26.258-i00` keeps its version.
fn strip_extension(base: &str) -> &str {
    match base.rsplit_once('.') {
        Some((stem, ext))
            if (2..=5).contains(&ext.len())
                && ext.bytes().all(|b| b.is_ascii_alphanumeric())
                && !ext.bytes().all(|b| b.is_ascii_digit()) =>
        {
            stem
        }
        _ => base,
    }
}

/// Words that people put in front of a number.
const WORDS_BEFORE_NUMBER: [&str; 6] = ["3gpp", "ts", "tr", "draft", "copy of", "copy"];

/// Splits the digits of the number off the front, after words such as `TS` and `Copy of`.
fn take_number(stem: &str) -> Option<(String, &str)> {
    let mut rest = stem;
    let mut is_named = false;
    while let Some(after) = WORDS_BEFORE_NUMBER.iter().find_map(|word| strip_word(rest, word)) {
        (rest, is_named) = (after, true);
    }
    take_digits(rest, is_named)
}

/// What follows a word and its separators, if a separator or a digit follows it.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(word.len())?;
    let is_whole = rest.starts_with(|c: char| c.is_ascii_digit() || " _-.".contains(c));
    (head.eq_ignore_ascii_case(word) && is_whole)
        .then(|| rest.trim_start_matches([' ', '_', '-', '.']))
}

/// Splits `38331` or `38.331` off the front; after `TS`, also `38_331`.
fn take_digits(stem: &str, is_named: bool) -> Option<(String, &str)> {
    let run = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = run(stem);
    if matches!(first, 4 | 5) {
        return Some((stem[..first].to_owned(), &stem[first..]));
    }
    if first != 2 {
        return None;
    }
    let rest = stem.get(2..)?;
    let separators: &[char] = if is_named { &['.', '_', '-', ' '] } else { &['.'] };
    let rest = rest.strip_prefix(separators)?;
    let second = run(rest);
    matches!(second, 2 | 3).then(|| (format!("{}{}", &stem[..2], &rest[..second]), &rest[second..]))
}

/// Splits `-1` or `-04-1` off the front: groups of one or two digits before a separator. A group of three
/// characters is a version code, never a part, as in `32153-031-rev`. Three groups are a version, `38331-18-1-0`.
fn take_part(rest: &str) -> (Option<&str>, &str) {
    let mut ends = vec![0];
    while let Some(group) = ends.last().and_then(|end| rest[*end..].strip_prefix('-')) {
        let digits = group.bytes().take_while(u8::is_ascii_digit).count();
        let after = group.as_bytes().get(digits);
        let ended = after.is_none_or(|b| matches!(b, b'-' | b'_' | b' ' | b'~' | b'('));
        if !matches!(digits, 1 | 2) || !ended || ends.len() > MAX_NUMBER_GROUPS {
            break;
        }
        ends.push(rest.len() - group.len() + digits);
    }
    let groups = ends.len() - 1;
    let parts = if groups >= VERSION_FIELDS { groups - VERSION_FIELDS } else { groups };
    match ends.get(parts) {
        Some(0) | None => (None, rest),
        Some(end) => (Some(&rest[1..*end]), &rest[*end..]),
    }
}

/// The fields of a version.
const VERSION_FIELDS: usize = 3;
/// Groups of digits after a number: a part has up to two, `29198-04-1`, and a version three.
const MAX_NUMBER_GROUPS: usize = 5;

fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['_', '~', '-', ' ', '('])
}

/// Reads the lower-case rest of a name after its version.
fn part_order(suffix: &str) -> PartOrder {
    let words = suffix.trim_start_matches(['_', '-', ' ']);
    if words.starts_with("cover") {
        return PartOrder::Cover;
    }
    let range = words.strip_prefix("section").or_else(|| words.strip_prefix('s')).unwrap_or("");
    // `_sA.1-A.3`, `_sB`: a letter alone is an annex.
    let mut letters = range.chars();
    let is_letter = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next().is_none_or(|c| !c.is_alphanumeric());
    if words.contains("annex") || is_letter {
        return PartOrder::Annexes(pad_numbers(words));
    }
    let digits: String = range.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse() {
        Ok(first) => PartOrder::Sections(first, words.to_owned()),
        Err(_) => PartOrder::Main,
    }
}

/// Width to which numbers are padded. Section numbers in file names are shorter; a longer number stays as it is.
const MAX_PADDED_DIGITS: usize = 4;

/// A text whose numbers all have the same width, so that `a.4` comes before `a.10`.
fn pad_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_digit).count();
        let number = &rest[start..start + digits];
        out.push_str(&rest[..start]);
        out.extend(std::iter::repeat_n('0', MAX_PADDED_DIGITS.saturating_sub(digits)));
        out.push_str(number);
        rest = &rest[start + digits..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
mod version_in_name;
