//! Which numbers the headings so far lead one to expect: `E.1 General` is a clause of annex E, `E.164 numbers` is a title.

use std::collections::{HashMap, HashSet};

use domain::SectionNumber;

use crate::heading::Heading;

/// How many numbers may be left out before a clause of an annex: clauses are removed from drafts.
const MAX_GAP: u32 = 3;
/// The highest number of a clause in an annex whose heading has not been seen. Standards of ITU-T have higher ones:
/// `G.722.2 speech`.
const MAX_SECOND: u32 = 99;

/// The numbers of the headings of a text so far.
#[derive(Debug, Default)]
pub(crate) struct ExpectedNumbers {
    /// The highest second field of each first field; `A` of `A.3.1` leads to 3.
    second_fields: HashMap<String, u32>,
    /// Numbers of one field.
    roots: HashSet<String>,
}

impl ExpectedNumbers {
    /// A heading as the ones before it show it to be: a number before a blank that is not expected is part of the title,
    /// and `5A General` after clause 5 has a number. `style_level` is the level of its style.
    pub(crate) fn settle_number(&mut self, heading: Heading, style_level: u8) -> Heading {
        let settled = match &heading.number {
            Some(number) if heading.spaced && !self.is_expected(number, style_level) => Heading {
                title: heading.printed.clone(),
                printed: heading.printed,
                ..Heading::default()
            },
            None if !heading.dashed => self.split_inserted_root(heading, style_level),
            _ => heading,
        };
        if let Some(number) = &settled.number {
            self.add_number(number);
        }
        settled
    }

    fn add_number(&mut self, number: &str) {
        let mut fields = number.split('.');
        let root = fields.next().unwrap_or_default();
        self.roots.insert(root.to_owned());
        let second = fields.next().map_or(0, read_digits);
        let highest = self.second_fields.entry(root.to_owned()).or_default();
        *highest = second.max(*highest);
    }

    /// Whether a number before a blank can be that of a clause here.
    fn is_expected(&self, number: &str, style_level: u8) -> bool {
        let mut fields = number.split('.');
        let root = fields.next().unwrap_or_default();
        let Some(second) = fields.next() else {
            // "2 Tx antennas" below a clause is a title.
            return style_level <= 1 || !self.roots.contains(root);
        };
        let highest = self.second_fields.get(root).copied();
        if SectionNumber::is_of_annex(number) {
            let Some(highest) = highest else {
                // A part of a document may begin within an annex: "B.2.1 Codes".
                let last = if fields.next().is_some() { MAX_SECOND } else { 1 };
                let is_lettered = root.bytes().all(|byte| byte.is_ascii_alphabetic());
                return is_lettered && read_digits(second) <= last;
            };
            return read_digits(second) <= highest.saturating_add(MAX_GAP);
        }
        // "38.331 impacts" is about a specification, unless the text has a clause 38.
        let is_specification = root.len() == 2 && second.len() >= 3 && fields.next().is_none();
        highest.is_some() || !is_specification
    }

    /// `5A General`: a letter after a number that another clause has, in the order of the alphabet. "5G core" needs a
    /// clause 5F before it.
    fn split_inserted_root(&self, heading: Heading, style_level: u8) -> Heading {
        let Some((number, title)) = heading.printed.split_once(' ') else { return heading };
        let digits = number.trim_end_matches(|c: char| c.is_ascii_uppercase());
        let Some(letter) = number.strip_prefix(digits).and_then(single_byte) else {
            return heading;
        };
        let before = match letter {
            b'A' => digits.to_owned(),
            _ => format!("{digits}{}", char::from(letter - 1)),
        };
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if style_level > 1 || !is_number || !self.roots.contains(&before) {
            return heading;
        }
        Heading {
            number: Some(number.to_owned()),
            title: title.to_owned(),
            spaced: true,
            unknown: false,
            ..heading.clone()
        }
    }
}

fn single_byte(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [byte] => Some(*byte),
        _ => None,
    }
}

/// The digits at the beginning of a field; 0 without any.
fn read_digits(field: &str) -> u32 {
    let end = field.find(|c: char| !c.is_ascii_digit()).unwrap_or(field.len());
    match &field[..end] {
        "" => 0,
        digits => digits.parse().unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heading::parse_heading;

    fn settle_all(headings: &[(&str, u8)]) -> Vec<Option<String>> {
        let mut expected = ExpectedNumbers::default();
        let settle =
            |(text, level): &(&str, u8)| expected.settle_number(parse_heading(text), *level).number;
        headings.iter().map(settle).collect()
    }

    #[test]
    fn the_headings_before_tell_numbers_from_names() {
        let headings = [
            ("1\tScope", 1, Some("1")),
            ("E.164 numbers", 2, None),
            ("N1.5 interface", 2, None),
            ("X.509 certificates", 2, None),
            ("38.331 impacts", 2, None),
            ("2 Terms", 1, Some("2")),
            ("2 Tx antennas", 3, None),
            ("5 Procedures", 1, Some("5")),
            ("5G core", 1, None),
            ("5A More procedures", 1, Some("5A")),
            ("5.3 General", 2, Some("5.3")),
            ("Annex E:\nFlows", 8, Some("E")),
            ("E.1 General", 1, Some("E.1")),
            ("E.2.1 Details", 2, Some("E.2.1")),
            ("E.164 numbers", 2, None),
            ("H.1 First of an annex", 1, Some("H.1")),
            ("H.264 video", 2, None),
            ("N1.5", 2, None),
            ("G.722.2 speech", 2, None),
            ("J.7.1 Part of an annex", 3, Some("J.7.1")),
            ("X.509\tWith a tab", 2, Some("X.509")),
        ];
        let texts: Vec<(&str, u8)> =
            headings.iter().map(|(text, level, _)| (*text, *level)).collect();
        for (number, (text, _, expected)) in settle_all(&texts).iter().zip(&headings) {
            assert_eq!(number.as_deref(), *expected, "{text}");
        }
    }
}
