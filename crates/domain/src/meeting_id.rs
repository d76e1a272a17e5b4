//! Meetings: `R1-118`, `R1-104b-e`, also written `RAN1#118`, `TSGR1_104b-e`, `SA2#127-BIS`.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Group, ParseError};

/// A meeting of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MeetingId {
    group: Group,
    /// What identifies it within the group: a number, `b` for "bis", `-AH` for ad hoc, `-e` for electronic;
    /// for workshops and the like, their name.
    label: String,
}

/// How the label of an electronic meeting ends.
const ELECTRONIC: &str = "-e";
/// Maximum length of a label that is a name. Names come from folders and registers, and may be of any length; the label
/// is part of every ID of the meeting.
const MAX_LABEL_CHARS: usize = 40;

impl MeetingId {
    /// The group.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The name that people write: `RAN1#104b-e`.
    pub fn name(&self) -> String {
        format!("{}#{}", self.group.name(), self.label)
    }

    /// The number; 0 for a meeting without one.
    fn number(&self) -> u32 {
        let digits = self.label.bytes().take_while(u8::is_ascii_digit).count();
        self.label[..digits].parse().unwrap_or(0)
    }

    /// The meeting of a folder on the file server: `TSGR1_104b-e`, `TSGS2_176_Prague_2026-08`,
    /// `TSGR5__112_Maastricht`.
    pub fn from_folder_name(name: &str) -> Option<Self> {
        let rest =
            name.get(..3).filter(|start| start.eq_ignore_ascii_case("TSG")).and(name.get(3..))?;
        let (code, rest) = rest.split_at_checked(rest.find(['_', '-'])?)?;
        let group = match code.to_ascii_uppercase().as_str() {
            "R" | "RAN" => "RP".parse(),
            "S" | "SA" => "SP".parse(),
            "C" | "CT" => "CP".parse(),
            code => code.parse(),
        };
        let parts: Vec<&str> = rest.split(['_', '-']).filter(|part| !part.is_empty()).collect();
        let (first, rest) = parts.split_first()?;
        if !first.starts_with(|c: char| c.is_ascii_digit()) {
            // A workshop has no number, only the name of its folder.
            return Self::new(group.ok()?, &parts.join("-"));
        }
        // After the number come suffixes, and then town and date.
        let suffixes = rest.iter().take_while(|part| is_folder_suffix(part));
        let label: Vec<&str> = [first].into_iter().chain(suffixes).copied().collect();
        Self::new(group.ok()?, &label.join("-"))
    }

    /// The same number with or without the mark of an electronic meeting: `R1-104-e` of `R1-104`, and the other way
    /// round. A group holds only one of them; reports, registers and people name it either way. `None` if the meeting
    /// has no number.
    pub fn electronic_twin(&self) -> Option<Self> {
        if !self.label.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let label = match self.label.strip_suffix(ELECTRONIC) {
            Some(label) => label.to_owned(),
            None => format!("{}{ELECTRONIC}", self.label),
        };
        Some(Self { group: self.group, label })
    }

    /// Whether two IDs name one meeting: they are equal except for the mark of an electronic meeting.
    pub fn is_same_meeting(&self, other: &Self) -> bool {
        self == other || self.electronic_twin().as_ref() == Some(other)
    }

    /// A meeting by group and label.
    pub fn new(group: Group, label: &str) -> Option<Self> {
        let label = normalize_numbered_label(label).or_else(|| normalize_named_label(label))?;
        Some(Self { group, label })
    }
}

fn is_folder_suffix(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    matches!(part.as_str(), "ad" | "hoc") || MeetingSuffix::parse_suffix(&part).is_some()
}

/// What distinguishes meetings with the same number.
#[derive(Default)]
struct MeetingSuffix {
    /// `b` (bis) or `t` (ter): the first or second meeting between two numbers.
    repetition: Option<char>,
    /// Ad hoc, with a number if there were several.
    ad_hoc: Option<String>,
    is_electronic: bool,
}

impl MeetingSuffix {
    /// Parses a suffix of lower-case letters and digits; `None` for an empty or unknown one.
    fn parse_suffix(mut rest: &str) -> Option<Self> {
        const WORDS: [(&str, char); 8] = [
            ("electronic", 'e'),
            ("emeeting", 'e'),
            ("adhoc", 'a'),
            ("bis", 'b'),
            ("ter", 't'),
            ("ah", 'a'),
            ("b", 'b'),
            ("e", 'e'),
        ];
        let mut suffix = Self::default();
        if rest.is_empty() {
            return None;
        }
        while !rest.is_empty() {
            let strip = |(word, mark): &(&str, char)| Some((rest.strip_prefix(word)?, *mark));
            let (after, mark) = match WORDS.iter().find_map(strip) {
                Some(stripped) => stripped,
                None if rest == "t" => ("", 't'),
                None => return None,
            };
            rest = after;
            match mark {
                'e' => suffix.is_electronic = true,
                'a' => {
                    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                    suffix.ad_hoc = Some(rest[..digits].to_owned());
                    rest = &rest[digits..];
                }
                mark => suffix.repetition = Some(mark),
            }
        }
        Some(suffix)
    }
}

/// `104bis-e`, `104b_e`, `136-AH` in one form. Five or more digits are not a meeting but a TDoc, such as `R1-99001`.
fn normalize_numbered_label(label: &str) -> Option<String> {
    let lower = label.trim().to_ascii_lowercase();
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = lower.split_at_checked(digits)?;
    let is_plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '));
    if !(1..=4).contains(&digits) || !is_plain {
        return None;
    }
    let number = number.trim_start_matches('0');
    let mut form = if number.is_empty() { "0".to_owned() } else { number.to_owned() };
    let rest: String = rest.chars().filter(char::is_ascii_alphanumeric).collect();
    if rest.is_empty() {
        return Some(form);
    }
    let suffix = MeetingSuffix::parse_suffix(&rest)?;
    form.extend(suffix.repetition);
    if let Some(number) = suffix.ad_hoc {
        form.push_str("-AH");
        form.push_str(&number);
    }
    form.push_str(if suffix.is_electronic { ELECTRONIC } else { "" });
    Some(form)
}

/// A name of letters, digits and hyphens. It has a digit: names without one are folders of many meetings.
fn normalize_named_label(label: &str) -> Option<String> {
    let words: Vec<&str> =
        label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    let usable = (2..=MAX_LABEL_CHARS).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().any(|byte| byte.is_ascii_digit());
    usable.then_some(name)
}

impl FromStr for MeetingId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a meeting such as R1-118 or RAN1#118");
        let plain = text.trim();
        if let Some(meeting) = Self::from_folder_name(plain) {
            return Ok(meeting);
        }
        let plain = plain.strip_prefix("3GPP").unwrap_or(plain).trim_start();
        let plain = plain.replace(" WG", "").replace("TSG ", "");
        let (group, rest) = Group::parse_leading(&plain).ok_or_else(error)?;
        let label = rest.trim_start().strip_prefix(['#', '-', '_']).ok_or_else(error)?;
        Self::new(group, label.trim_start_matches(['#', '-', '_', ' '])).ok_or_else(error)
    }
}

impl fmt::Display for MeetingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.group, self.label)
    }
}

impl Ord for MeetingId {
    fn cmp(&self, other: &Self) -> Ordering {
        let group = self.group.cmp(&other.group);
        let number = self.number().cmp(&other.number());
        group.then(number).then_with(|| self.label.cmp(&other.label))
    }
}

impl PartialOrd for MeetingId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Serialize for MeetingId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MeetingId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_is_the_same_with_and_without_the_mark_of_an_electronic_one() {
        let meeting = |text: &str| text.parse::<MeetingId>().expect(text);
        for (one, other, is_same) in [
            ("R1-104", "R1-104-e", true),
            ("R1-104b-e", "RAN1#104bis", true),
            ("R1-104", "R1-104", true),
            ("R1-104", "R1-104b-e", false),
            ("R1-104", "R2-104-e", false),
            ("R5--TTCN Workshop#74", "R5-74", false),
        ] {
            assert_eq!(meeting(one).is_same_meeting(&meeting(other)), is_same, "{one} {other}");
            assert_eq!(meeting(other).is_same_meeting(&meeting(one)), is_same, "{other} {one}");
        }
    }

    #[test]
    fn meetings_are_known_in_all_spellings() {
        for (text, id, name) in [
            ("R1-118", "R1-118", "RAN1#118"),
            ("RAN1#118", "R1-118", "RAN1#118"),
            ("ran1#118bis", "R1-118b", "RAN1#118b"),
            ("R1-104b-e", "R1-104b-e", "RAN1#104b-e"),
            ("RAN1#104bis-e", "R1-104b-e", "RAN1#104b-e"),
            ("TSGR1_100b_e", "R1-100b-e", "RAN1#100b-e"),
            ("TSGR1_100_e", "R1-100-e", "RAN1#100-e"),
            ("TSGR1_104b-e", "R1-104b-e", "RAN1#104b-e"),
            ("TSGR2_131bis", "R2-131b", "RAN2#131b"),
            ("TSGS2_176_Prague_2026-08", "S2-176", "SA2#176"),
            ("TSGR5__112_Maastricht", "R5-112", "RAN5#112"),
            ("TSGR_105", "RP-105", "RAN#105"),
            ("TSGR5_95_Electronic", "R5-95-e", "RAN5#95-e"),
            ("TSGS3_104-e_ad_hoc", "S3-104-AH-e", "SA3#104-AH-e"),
            ("TSGS3_108e-AdHoc", "S3-108-AH-e", "SA3#108-AH-e"),
            ("TSGS2_139e_Electronic", "S2-139-e", "SA2#139-e"),
            ("TSGR4_94_eBis", "R4-94b-e", "RAN4#94b-e"),
            ("RAN4#94-e-bis", "R4-94b-e", "RAN4#94b-e"),
            ("R1-118ter", "R1-118t", "RAN1#118t"),
            ("SA2#136AH2", "S2-136-AH2", "SA2#136-AH2"),
            ("TSGS2_127BIS_Newport_Beach", "S2-127b", "SA2#127b"),
            ("SA2#136-AH", "S2-136-AH", "SA2#136-AH"),
            ("SA2#136AH", "S2-136-AH", "SA2#136-AH"),
            ("SA2-164", "S2-164", "SA2#164"),
            ("SA WG2#125", "S2-125", "SA2#125"),
            ("3GPPRAN5#121", "R5-121", "RAN5#121"),
            ("RP-105", "RP-105", "RAN#105"),
            ("R5--TTCN Workshop#74", "R5-TTCN-Workshop-74", "RAN5#TTCN-Workshop-74"),
        ] {
            let meeting: MeetingId = text.parse().expect(text);
            assert_eq!((meeting.to_string().as_str(), meeting.name().as_str()), (id, name));
            assert_eq!(meeting.to_string().parse::<MeetingId>().as_ref(), Ok(&meeting));
            assert_eq!(meeting.name().parse::<MeetingId>().as_ref(), Ok(&meeting));
        }
        for text in [
            "",
            "118",
            "RAN1",
            "RAN1#",
            "X1-118",
            "R1-",
            "TSG",
            "TSGR1",
            "R1-12345-x",
            "R1-list",
            "TSGR1_AH",
            "TSGS3_LI",
            "R1-104b-e1",
        ] {
            let expected = "a meeting such as R1-118 or RAN1#118";
            assert_eq!(text.parse::<MeetingId>(), Err(ParseError::new(text, expected)));
        }
    }

    #[test]
    fn meetings_of_a_group_are_sorted_by_their_numbers() {
        let mut meetings: Vec<MeetingId> = ["R1-100", "R1-99", "R1-100b-e", "R1-84", "R1-100-e"]
            .map(|m| m.parse().expect(m))
            .into();
        meetings.sort();
        let sorted: Vec<String> = meetings.iter().map(ToString::to_string).collect();
        assert_eq!(sorted, ["R1-84", "R1-99", "R1-100", "R1-100-e", "R1-100b-e"]);
    }
}
