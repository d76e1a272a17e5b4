//! Numbers of meeting documents (TDocs): `R1-2405780`, `S2-2209002`, `R5s250123`, `6GWS-250001`.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Group, ParseError};

/// Underscores at which the name of a file is cut: the first may be in the number, the next follows it.
const MAX_CUTS: usize = 2;
/// How the names of the files of TDocs end.
const FILE_ENDS: [&str; 10] =
    ["zip", "doc", "docx", "docm", "pdf", "ppt", "pptx", "xls", "xlsx", "txt"];

/// The number of a meeting document, without the suffix of a revision in the inbox.
///
/// A prefix (usually the code of the group), two digits of the year, and a number within the year.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TdocId(Box<str>);

impl TdocId {
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before year and number: `R1-`, `R5s`.
    pub fn prefix(&self) -> &str {
        self.parts().0
    }

    /// The year in which it was assigned.
    pub fn year(&self) -> u16 {
        self.parts().1
    }

    /// The number within prefix and year.
    pub fn number(&self) -> u32 {
        self.parts().2
    }

    /// Prefix, year and number.
    fn parts(&self) -> (&str, u16, u32) {
        let digits = self.0.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (prefix, digits) = self.0.split_at(self.0.len() - digits);
        // Five to eight digits, as `from_str` ensures: two of the year, then the number.
        let value = digits.bytes().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        let of_number = 10u32.pow(digits.len() as u32 - 2);
        let year = (value / of_number) as u16;
        // 3GPP began in 1998.
        let century = if year >= 98 { 1900 } else { 2000 };
        (prefix, century + year, value % of_number)
    }

    /// The group it belongs to; `None` for TDocs of joint workshops.
    pub fn group(&self) -> Option<Group> {
        self.0.get(..2)?.parse().ok()
    }

    /// The TDoc that a text means, and its revision in the inbox: its number, the name of its file, or the address of the
    /// file on a server.
    pub fn from_typed(text: &str) -> Option<(Self, Option<u32>)> {
        let path = text.trim().split(['?', '#']).next()?.trim_end_matches(['/', '\\']);
        let name = path.rsplit(['/', '\\']).next()?.replace("%20", " ");
        let has_known_end =
            |(_, end): &(&str, &str)| FILE_ENDS.iter().any(|known| end.eq_ignore_ascii_case(known));
        let stem =
            name.rsplit_once('.').filter(has_known_end).map_or(name.as_str(), |(stem, _)| stem);
        // A title may follow the number in the name of a file: "R1-2405780 Discussion on ...".
        let first = stem.split_whitespace().next()?;
        let cuts = first.match_indices('_').take(MAX_CUTS).map(|(at, _)| &first[..at]);
        [stem, first].into_iter().chain(cuts).find_map(|text| {
            Self::split_revision(text).or_else(|| Self::split_revision(&text.replacen('_', "-", 1)))
        })
    }

    /// Splits the suffix of a revision in the inbox off a name: `S2-2407386r02` is revision 2.
    pub fn split_revision(text: &str) -> Option<(Self, Option<u32>)> {
        if let Ok(id) = text.parse() {
            return Some((id, None));
        }
        let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (before, number) = text.split_at_checked(text.len() - digits)?;
        let before = before.trim_end_matches("ev").trim_end_matches("EV");
        let before = before.strip_suffix(['r', 'R'])?.trim_end_matches(['_', '-', ' ']);
        Some((before.parse().ok()?, Some(number.parse().ok()?)))
    }
}

impl TryFrom<String> for TdocId {
    type Error = ParseError;

    /// Accepts only a number as printed: stored numbers are normalized already, and another spelling is damage.
    fn try_from(text: String) -> Result<Self, ParseError> {
        let id: Self = text.parse()?;
        if *id.0 == *text {
            Ok(id)
        } else {
            Err(ParseError::new(&text, "a TDoc number as printed"))
        }
    }
}

impl From<TdocId> for String {
    fn from(id: TdocId) -> Self {
        id.0.into()
    }
}

impl FromStr for TdocId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a TDoc number such as R1-2405780");
        let trimmed = text.trim();
        // Some are written with a non-breaking hyphen or a dash.
        let plain = trimmed.replace(['\u{2010}', '\u{2011}', '\u{2013}'], "-");
        // The number is split by bytes below.
        if !plain.is_ascii() {
            return Err(error());
        }
        let digits = plain.bytes().rev().take_while(u8::is_ascii_digit).count();
        let prefix = &plain[..plain.len() - digits];
        let letters = prefix.strip_suffix('-').unwrap_or(prefix);
        let has_letters = letters.bytes().any(|byte| byte.is_ascii_alphabetic());
        let plain_letters = letters.bytes().all(|byte| byte.is_ascii_alphanumeric());
        // Only numbers of sub-groups have no hyphen: a letter, a digit, and one or two more letters.
        let is_separated = prefix.ends_with('-') || (3..=4).contains(&letters.len());
        let is_prefix =
            has_letters && plain_letters && is_separated && (2..=6).contains(&letters.len());
        if !is_prefix || !(5..=8).contains(&digits) {
            return Err(error());
        }
        let mut id = plain.clone();
        if prefix.ends_with('-') {
            id.make_ascii_uppercase();
        } else {
            // The letters after the group's code name a sub-group: `R5s`, `S4aA`.
            id[..2].make_ascii_uppercase();
            id[2..3].make_ascii_lowercase();
            id[3..4].make_ascii_uppercase();
        }
        Ok(Self(id.into()))
    }
}

impl fmt::Display for TdocId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The order of lists, newest first: by year, then by prefix, then by number, highest first.
impl Ord for TdocId {
    fn cmp(&self, other: &Self) -> Ordering {
        let (our_prefix, our_year, our_number) = self.parts();
        let (their_prefix, their_year, their_number) = other.parts();
        let newest = their_year.cmp(&our_year);
        newest
            .then_with(|| our_prefix.cmp(their_prefix))
            .then_with(|| their_number.cmp(&our_number))
            // The same number with more or fewer leading zeros.
            .then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for TdocId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_groups_and_years_are_read() {
        for (text, id, year, number, group) in [
            ("R1-2405780", "R1-2405780", 2024, 5780, Some("R1")),
            (" r1-160235 ", "R1-160235", 2016, 235, Some("R1")),
            ("R1-99001", "R1-99001", 1999, 1, Some("R1")),
            ("rp-250123", "RP-250123", 2025, 123, Some("RP")),
            ("R5s250123", "R5s250123", 2025, 123, Some("R5")),
            ("R5w260007", "R5w260007", 2026, 7, Some("R5")),
            ("r5S250123", "R5s250123", 2025, 123, Some("R5")),
            ("6gws-250001", "6GWS-250001", 2025, 1, None),
            ("S3i240502", "S3i240502", 2024, 502, Some("S3")),
            ("S4aA220001", "S4aA220001", 2022, 1, Some("S4")),
            ("6GWS-250001", "6GWS-250001", 2025, 1, None),
            ("sws-240012", "SWS-240012", 2024, 12, None),
            ("R1\u{2011}2405780", "R1-2405780", 2024, 5780, Some("R1")),
        ] {
            let read: TdocId = text.parse().expect(text);
            assert_eq!(read.as_str(), id);
            let known = (read.year(), read.number(), read.group().map(Group::code));
            assert_eq!(known, (year, number, group), "{text}");
        }
        for text in [
            "",
            "R1-",
            "R1-12",
            "2405780",
            "R1-24057801234",
            "R1 2405780",
            "R1240578x",
            "-24057",
            "R1240578",
        ] {
            let expected = "a TDoc number such as R1-2405780";
            assert_eq!(text.parse::<TdocId>(), Err(ParseError::new(text, expected)));
        }
    }

    #[test]
    fn revision_suffixes_are_split_off() {
        for (text, id, revision) in [
            ("S2-2407386", "S2-2407386", None),
            ("S2-2407386r02", "S2-2407386", Some(2)),
            ("S2-2407386_r1", "S2-2407386", Some(1)),
            ("S2-2407386rev3", "S2-2407386", Some(3)),
        ] {
            let (base, split) = TdocId::split_revision(text).expect(text);
            assert_eq!((base.as_str(), split), (id, revision));
        }
        assert!(TdocId::split_revision("S2-24073r").is_none());
        assert!(TdocId::split_revision("r1").is_none());
        assert!(TdocId::split_revision("").is_none());
    }

    #[test]
    fn lists_begin_with_the_newest() {
        let mut ids: Vec<TdocId> =
            ["R1-160235", "S2-2401000", "R1-2405780", "R1-2405781", "R1-99001"]
                .iter()
                .map(|text| text.parse().expect(text))
                .collect();
        ids.sort();
        let sorted: Vec<&str> = ids.iter().map(TdocId::as_str).collect();
        assert_eq!(sorted, ["R1-2405781", "R1-2405780", "S2-2401000", "R1-160235", "R1-99001"]);
    }

    #[test]
    fn the_file_of_a_tdoc_means_the_tdoc() {
        for (text, id, revision) in [
            ("R1-2405780", "R1-2405780", None),
            ("R1-2405780.zip", "R1-2405780", None),
            ("R1_2405780", "R1-2405780", None),
            ("r1-2405780.docx", "R1-2405780", None),
            (
                "https://www.3gpp.org/ftp/tsg_ran/WG1_RL1/TSGR1_118/Docs/R1-2405780.zip",
                "R1-2405780",
                None,
            ),
            ("TSGR1_118\\Docs\\R1-2405780.ZIP", "R1-2405780", None),
            ("R1-2405780 Discussion on a case.docx", "R1-2405780", None),
            ("R1-2405780_Company_Discussion.docx", "R1-2405780", None),
            ("S2-2407386r02.zip", "S2-2407386", Some(2)),
        ] {
            let found = TdocId::from_typed(text).map(|(id, revision)| (id.to_string(), revision));
            assert_eq!(found, Some((id.to_owned(), revision)), "{text}");
        }
        for text in ["", "38.331", "https://www.3gpp.org/", "a.zip", "Discussion R1"] {
            assert_eq!(TdocId::from_typed(text), None, "{text}");
        }
    }
}
