//! The file names of specifications: number, version, and part of the text.
//!
//! The form is `<NNNNN[-part]>-<version code>[_section range]`; the exceptions handled here are
//! names of real files (`26.258-i00`, `27002_330`, `33512-v2010`, `38.401-010-cl`).

use serde::{Deserialize, Serialize};

use super::{DocNumber, ParseError, Version};

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
}

impl SpecFileName {
    /// Reads a file name, with or without extension and folders.
    pub fn parse_name(name: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(name, "the file name of a specification, such as 38331-i00");
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = strip_extension(base).trim();
        let stem = strip_doc_type(stem);
        let (digits, rest) = take_digits(stem).ok_or_else(error)?;
        let (part, rest) = take_part(rest);
        let number = DocNumber::from_digits(&digits, part).map_err(|_| error())?;
        let (version, suffix) = take_version(rest);
        // A number that goes on with letters is the name of something else.
        if version.is_none() && !is_suffix(rest) {
            return Err(error());
        }
        let lower = suffix.to_ascii_lowercase();
        let words: Vec<&str> = lower.split(['_', '-', '~', ' ']).collect();
        let revision_marked =
            words.iter().any(|w| matches!(*w, "rm" | "rev" | "revmarks" | "marked"));
        Ok(Self { number, version, order: part_order(&lower), revision_marked })
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

fn strip_doc_type(stem: &str) -> &str {
    let prefix =
        stem.get(..2).is_some_and(|p| p.eq_ignore_ascii_case("ts") || p.eq_ignore_ascii_case("tr"));
    if prefix { stem[2..].trim_start_matches([' ', '_', '-']) } else { stem }
}

/// Splits `38331` or `38.331` off the front.
fn take_digits(stem: &str) -> Option<(String, &str)> {
    let run = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let first = run(stem);
    if matches!(first, 4 | 5) {
        return Some((stem[..first].to_owned(), &stem[first..]));
    }
    if first != 2 {
        return None;
    }
    let rest = stem.get(2..)?.strip_prefix('.')?;
    let second = run(rest);
    matches!(second, 2 | 3).then(|| (format!("{}{}", &stem[..2], &rest[..second]), &rest[second..]))
}

/// Splits `-1` or `-04-1` off the front: groups of one or two digits before a separator. A group of three
/// characters is a version code, never a part, as in `32153-031-rev`.
fn take_part(rest: &str) -> (Option<&str>, &str) {
    let mut end = 0;
    while let Some(group) = rest[end..].strip_prefix('-') {
        let digits = group.bytes().take_while(u8::is_ascii_digit).count();
        let after = group.as_bytes().get(digits);
        let ended = after.is_none_or(|b| matches!(b, b'-' | b'_' | b' ' | b'~'));
        if !matches!(digits, 1 | 2) || !ended {
            break;
        }
        end += 1 + digits;
    }
    if end == 0 { (None, rest) } else { (Some(&rest[1..end]), &rest[end..]) }
}

/// Splits `-i10`, `_330`, `-184600`, `-v2010` off the front.
fn take_version(rest: &str) -> (Option<Version>, &str) {
    let Some(body) = rest.strip_prefix(['-', '_', ' ']) else { return (None, rest) };
    let length = body.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (code, suffix) = body.split_at(length);
    (parse_version_code(code), suffix)
}

fn parse_version_code(code: &str) -> Option<Version> {
    match (code.len(), code.strip_prefix(['v', 'V'])) {
        (5, Some(digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => {
            let (major, minor) = digits.split_at(2);
            let digit = |index: usize| minor[index..=index].parse().ok();
            Some(Version { major: major.parse().ok()?, technical: digit(0)?, editorial: digit(1)? })
        }
        (3 | 6, _) => Version::from_code(code).ok(),
        _ => None,
    }
}

fn is_suffix(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['_', '~', '-', ' '])
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
        && letters.next().is_none_or(|c| !c.is_alphabetic());
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
mod tests {
    use super::*;

    fn parsed(name: &str) -> (String, Option<String>) {
        let name = SpecFileName::parse_name(name).expect(name);
        (name.number.to_string(), name.version.map(|v| v.to_string()))
    }

    #[test]
    fn names_of_every_kind_are_read() {
        for (name, number, version) in [
            ("38331-i00.docx", "38.331", Some("18.0.0")),
            ("38101-1-i20_s00-05.docx", "38.101-1", Some("18.2.0")),
            ("23700-28-i10.docx", "23.700-28", Some("18.1.0")),
            ("29198-04-1-900.zip", "29.198-04-1", Some("9.0.0")),
            ("26.258-i00.docx", "26.258", Some("18.0.0")),
            ("26.258-i00", "26.258", Some("18.0.0")),
            ("22.101", "22.101", None),
            ("22101.docx", "22.101", None),
            ("23894-A00.docx", "23.894", Some("10.0.0")),
            ("27002_330.doc", "27.002", Some("3.3.0")),
            ("38.401-010-cl.doc", "38.401", Some("0.1.0")),
            ("32153-031-rev", "32.153", Some("0.3.1")),
            ("33512-v2010.docx", "33.512", Some("20.1.0")),
            ("38859-i00~2.docx", "38.859", Some("18.0.0")),
            ("archive/38_series/38.331/38331-j00.zip", "38.331", Some("19.0.0")),
            ("36413-174600.doc", "36.413", Some("17.46.0")),
        ] {
            assert_eq!(parsed(name), (number.to_owned(), version.map(str::to_owned)), "{name}");
        }
    }

    #[test]
    fn foreign_names_are_refused() {
        for name in
            ["rel_16.docx", "~$331-i00.docx", "readme.txt", "R1-2505202.zip", "S2-1813311.doc", ""]
        {
            assert!(SpecFileName::parse_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn annexes_by_letter_are_parts_of_their_own_in_natural_order() {
        let names = [
            "38133-i40_s00-09.docx",
            "38133-i40_sA.1-A.3.docx",
            "38133-i40_sA.4-A.9",
            "38133-i40_sA.10-A.12.docx",
            "38133-i40_sB.1-XX",
        ];
        let orders = names.map(|name| SpecFileName::parse_name(name).expect(name).order);
        assert!(orders.is_sorted_by(|a, b| a < b), "{orders:?}");
        let whole = SpecFileName::parse_name("38331-i00_something.docx").expect("a name");
        assert_eq!(whole.order, PartOrder::Main);
    }

    #[test]
    fn parts_are_in_the_order_of_the_text() {
        let mut names = [
            "38101-1-i20_sAnnexes.docx",
            "38101-1-i20_s07-XX.docx",
            "38101-1-i20_s00-05.docx",
            "38101-1-i20_cover.docx",
            "38101-1-i20_s06-06.docx",
        ];
        names.sort_by_key(|name| SpecFileName::parse_name(name).expect("valid").order);
        let order: Vec<&str> = names.iter().map(|n| &n[12..n.len() - 5]).collect();
        assert_eq!(order, ["cover", "s00-05", "s06-06", "s07-XX", "sAnnexes"]);
    }

    #[test]
    fn revision_marked_copies_are_distinguished_from_clean_ones() {
        assert!(SpecFileName::parse_name("23854-130_rm.docx").expect("valid").revision_marked);
        assert!(!SpecFileName::parse_name("23854-130_cl.docx").expect("valid").revision_marked);
    }
}
