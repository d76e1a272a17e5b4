//! Meetings: `R1-118`, `R1-104b-e`, also written `RAN1#118`, `TSGR1_104b-e`, `SA2#127-BIS`.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Group, ParseError};

/// A meeting of a group.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MeetingId {
    group: Group,
    /// What tells it from the group's others: a number, `b` for "bis", `-AH` for ad hoc, `-e` for
    /// electronic; for workshops and the like, their name.
    label: String,
}

/// Longest label.
const MOST_LABEL: usize = 40;

impl MeetingId {
    /// The group.
    pub fn group(&self) -> Group {
        self.group
    }

    /// The name that people write: `RAN1#104b-e`.
    pub fn name(&self) -> String {
        format!("{}#{}", self.group.name(), self.label)
    }

    /// The number; 0 for a meeting without.
    fn number(&self) -> u32 {
        let digits = self.label.bytes().take_while(u8::is_ascii_digit).count();
        self.label[..digits].parse().unwrap_or(0)
    }

    /// The meeting of a folder on the file server: `TSGR1_104b-e`, `TSGS2_176_Prague_2026-08`,
    /// `TSGR5__112_Maastricht`.
    pub fn of_folder(name: &str) -> Option<Self> {
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
            // A workshop: its folder's own name is the only one it has.
            return Self::new(group.ok()?, &parts.join("-"));
        }
        // After the number come marks, and then where and when it is.
        let marks = rest.iter().take_while(|part| is_mark(part));
        let label: Vec<&str> = [first].into_iter().chain(marks).copied().collect();
        Self::new(group.ok()?, &label.join("-"))
    }

    /// A meeting by group and label.
    pub fn new(group: Group, label: &str) -> Option<Self> {
        let label = numbered(label).or_else(|| named(label))?;
        Some(Self { group, label })
    }
}

fn is_mark(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    let part = part.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(part, "e" | "electronic" | "b" | "bis" | "ter" | "ah" | "ahe" | "adhoc" | "ad" | "hoc")
}

/// `104bis-e`, `104b_e`, `136-AH` in one form.
fn numbered(label: &str) -> Option<String> {
    let lower = label.trim().to_ascii_lowercase();
    let digits = lower.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = lower.split_at_checked(digits)?;
    let is_plain = rest.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' '));
    if !(1..=4).contains(&digits) || !is_plain {
        return None;
    }
    let number = number.trim_start_matches('0');
    let mut rest: String = rest.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let mut form = if number.is_empty() { "0".to_owned() } else { number.to_owned() };
    for (mark, printed) in [
        ("bis", "b"),
        ("ter", "t"),
        ("b", "b"),
        ("adhoc", "-AH"),
        ("ah", "-AH"),
        ("electronic", "-e"),
        ("e", "-e"),
    ] {
        if let Some(after) = rest.strip_prefix(mark) {
            form.push_str(printed);
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            form.push_str(&after[..digits]);
            rest = after[digits..].to_owned();
        }
    }
    rest.is_empty().then_some(form)
}

/// A name of letters, digits and hyphens.
fn named(label: &str) -> Option<String> {
    let words: Vec<&str> =
        label.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    let usable = (2..=MOST_LABEL).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    usable.then_some(name)
}

impl FromStr for MeetingId {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let error = || ParseError::new(text, "a meeting such as R1-118 or RAN1#118");
        let plain = text.trim();
        if let Some(meeting) = Self::of_folder(plain) {
            return Ok(meeting);
        }
        let plain = plain.strip_prefix("3GPP").unwrap_or(plain).trim_start();
        let plain = plain.replace(" WG", "").replace("TSG ", "");
        let (group, rest) = Group::leading(&plain).ok_or_else(error)?;
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
        for text in ["", "118", "RAN1", "RAN1#", "X1-118", "R1-", "TSG", "TSGR1", "R1-12345-x"] {
            assert!(text.parse::<MeetingId>().is_err(), "{text}");
        }
    }

    #[test]
    fn meetings_of_a_group_come_in_the_order_of_their_numbers() {
        let mut meetings: Vec<MeetingId> = ["R1-100", "R1-99", "R1-100b-e", "R1-84", "R1-100-e"]
            .map(|m| m.parse().expect(m))
            .into();
        meetings.sort();
        let sorted: Vec<String> = meetings.iter().map(ToString::to_string).collect();
        assert_eq!(sorted, ["R1-84", "R1-99", "R1-100", "R1-100-e", "R1-100b-e"]);
    }
}
