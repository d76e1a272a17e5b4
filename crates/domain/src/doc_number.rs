//! Document numbers: `38.331`, and with their part `38.101-1`, `23.700-28`.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::ParseError;

const EXPECTED: &str = "a document number such as 38.331 or 38.101-1";

/// A document number: two digits of series, two or three digits of number, an optional part.
///
/// The part belongs to the number: 38.101-1 and 38.101-2 are different documents.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocNumber {
    /// Always `dd.ddd`, `dd.dd` or either with `-part`.
    text: Box<str>,
}

impl DocNumber {
    /// Builds a number from the digits of a file name (`38101`) and an optional part (`1`).
    pub fn from_digits(digits: &str, part: Option<&str>) -> Result<Self, ParseError> {
        let valid_digits =
            matches!(digits.len(), 4 | 5) && digits.bytes().all(|b| b.is_ascii_digit());
        let valid_part = part.is_none_or(is_part);
        if !valid_digits || !valid_part {
            return Err(ParseError::new(digits, EXPECTED));
        }
        let (series, number) = digits.split_at(2);
        let text = match part {
            Some(part) => format!("{series}.{number}-{part}"),
            None => format!("{series}.{number}"),
        };
        Ok(Self { text: text.into() })
    }

    /// The two digits before the dot.
    pub fn series(&self) -> &str {
        &self.text[..2]
    }

    /// The number as printed, `38.101-1`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    fn sort_key(&self) -> (&str, Vec<u32>) {
        let (base, part) = self.text.split_once('-').unwrap_or((&self.text, ""));
        let parts = part.split('-').filter_map(|p| p.parse().ok()).collect();
        (base, parts)
    }
}

/// A part is one or more groups of one to three letters or digits: `1`, `28`, `1-2`. A longer group belongs to
/// something else, such as a TDoc number.
fn is_part(part: &str) -> bool {
    part.split('-').all(|group| {
        matches!(group.len(), 1..=3) && group.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}

/// The text after a word and what separates it: `3GPP TS 38.331`, `ts_38331`.
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (first, rest) = text.split_at_checked(word.len())?;
    let is_gap = |c: char| c.is_whitespace() || matches!(c, '_' | '.' | '-');
    first.eq_ignore_ascii_case(word).then(|| rest.trim_start_matches(is_gap))
}

impl FromStr for DocNumber {
    type Err = ParseError;

    /// Reads `38.331`, `TS 38.331`, `38331`, `38.101-1`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        // Some are written with a non-breaking hyphen or a dash.
        let plain = text.trim().replace(['\u{2010}', '\u{2011}', '\u{2013}'], "-");
        let bare = strip_word(&plain, "3GPP").unwrap_or(&plain);
        let bare = strip_word(bare, "TS").or_else(|| strip_word(bare, "TR")).unwrap_or(bare);
        let (base, part) = match bare.split_once('-') {
            Some((base, part)) => (base, Some(part)),
            None => (bare, None),
        };
        let digits = match base.split_once('.') {
            Some((series, number)) if series.len() == 2 => format!("{series}{number}"),
            Some(_) => return Err(ParseError::new(text, EXPECTED)),
            None => base.to_owned(),
        };
        Self::from_digits(&digits, part).map_err(|_| ParseError::new(text, EXPECTED))
    }
}

impl Ord for DocNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key()).then_with(|| self.text.cmp(&other.text))
    }
}

impl PartialOrd for DocNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for DocNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for DocNumber {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl From<DocNumber> for String {
    fn from(number: DocNumber) -> Self {
        number.text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_part_and_series() {
        for (input, printed, series) in [
            ("38.331", "38.331", "38"),
            ("TS 38.101-1", "38.101-1", "38"),
            ("23700-28", "23.700-28", "23"),
            ("TR21.905", "21.905", "21"),
            ("3GPP TS 38.331", "38.331", "38"),
            ("ts 38.331", "38.331", "38"),
            ("3gpp_tr_38.901", "38.901", "38"),
            ("TS\u{a0}38.101\u{2011}1", "38.101-1", "38"),
            ("03.40", "03.40", "03"),
        ] {
            let number: DocNumber = input.parse().expect(input);
            assert_eq!((number.as_str(), number.series()), (printed, series));
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for input in ["", "38", "38.", "3.8331", "38.331-", "38.33a", "S2-123456", "38.331-12345"] {
            assert_eq!(input.parse::<DocNumber>(), Err(ParseError::new(input, EXPECTED)));
        }
    }

    #[test]
    fn parts_are_ordered_as_numbers() {
        let mut numbers: Vec<DocNumber> = ["38.101-10", "38.331", "38.101-2", "38.101"]
            .iter()
            .map(|n| n.parse().expect("valid"))
            .collect();
        numbers.sort();
        let printed: Vec<&str> = numbers.iter().map(DocNumber::as_str).collect();
        assert_eq!(printed, ["38.101", "38.101-2", "38.101-10", "38.331"]);
        let texts: Vec<String> = numbers.into_iter().map(String::from).collect();
        assert_eq!(texts, ["38.101", "38.101-2", "38.101-10", "38.331"]);
    }
}
