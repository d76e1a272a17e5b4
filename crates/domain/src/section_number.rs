//! Section numbers: `5.3.5`, `5.3.5.13a`, `A`, `B.2.1`, or the title of an unnumbered section.

use std::{cmp::Ordering, fmt};

use serde::{Deserialize, Serialize};

use crate::clause_grammar::{self, has_annex_root, is_clause_number};

/// The number of a section, or its title if it has no number (`Foreword`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SectionNumber(String);

impl SectionNumber {
    /// A number as printed, without surrounding blanks and trailing dots.
    pub fn new(text: &str) -> Self {
        Self(text.trim().trim_end_matches('.').to_owned())
    }

    /// The number in a typed text such as `clause 5.3.5`, `Annex A`, `5.3.5.` or `5.3.5 RRC reconfiguration`; a title
    /// stays as it is.
    pub fn from_typed(text: &str) -> Self {
        let bare = Self::new(strip_clause_word(text));
        if Self::is_numbered(&bare.0) {
            return bare;
        }
        // A letter before a dot is also how the names of standards begin: "E.164 numbers" is a title.
        let first = bare.0.split(char::is_whitespace).next().unwrap_or_default();
        let number = Self::new(first.trim_end_matches(':'));
        let is_clause = number.0.contains('.') && !Self::is_of_annex(&number.0);
        if is_clause && first.len() < bare.0.len() && Self::is_numbered(&number.0) {
            return number;
        }
        let is_announced = bare.0.len() < text.trim().len() && bare.0.len() == 1;
        let capital = bare.0.to_ascii_uppercase();
        if (is_announced || bare.0.contains('.')) && Self::is_numbered(&capital) {
            return Self(capital);
        }
        Self::new(text)
    }

    /// The number as printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `text` has the form of a section number: `5.3.5a`, `A`, `AB.2`, and the rarer `5.2.48B4A10`,
    /// `6.2B.1.3_1`, `Da.1` and `8.x`.
    pub fn is_numbered(text: &str) -> bool {
        is_clause_number(text)
    }

    /// Whether `text` is a number in which a field is not yet known: `5.x`, of a clause that a change adds.
    pub fn has_placeholder(text: &str) -> bool {
        Self::is_numbered(text) && clause_grammar::has_placeholder(text)
    }

    /// Whether `text` is the number of an annex or of a clause in one: `B`, `Da.1`.
    pub fn is_of_annex(text: &str) -> bool {
        is_clause_number(text) && has_annex_root(text)
    }

    /// Whether this is `ancestor` itself or below it: `5.3.5.1` is within `5.3.5`, but `5.3.5a` and `5.3.51`
    /// are not. A title is only within itself: `H.264 video` is not in annex H.
    pub fn is_within(&self, ancestor: &str) -> bool {
        match self.0.strip_prefix(ancestor) {
            Some("") => true,
            Some(rest) => rest.starts_with('.') && Self::is_numbered(&self.0),
            None => false,
        }
    }
}

/// The text after the word that says what a number is of: `clause 5.3.5`, `Annex A`, `\u{a7} 5.3`. A text without
/// such a word stays as it is.
pub fn strip_clause_word(text: &str) -> &str {
    const WORDS: [&str; 7] =
        ["clause", "subclause", "sub-clause", "section", "sec.", "annex", "appendix"];
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('\u{a7}') {
        return rest.trim_start();
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_word = WORDS.iter().any(|name| word.eq_ignore_ascii_case(name));
    if is_word { rest.trim_start() } else { text }
}

/// The runs of digits and of other characters in a field, so that 5.9 < 5.10 < 5.10a and 48B9 < 48B10. Digits are
/// before letters; numbers that are too large for the type are equal.
fn field_key(field: &str) -> impl Iterator<Item = (bool, u64, &str)> {
    let mut rest = field;
    std::iter::from_fn(move || {
        let is_digit = rest.chars().next()?.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        let value = run.parse().unwrap_or(u64::MAX);
        Some((!is_digit, value, if is_digit { "" } else { run }))
    })
}

impl Ord for SectionNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        let (mut ours, mut theirs) = (self.0.split('.'), other.0.split('.'));
        loop {
            let ordering = match (ours.next(), theirs.next()) {
                (None, None) => return self.0.cmp(&other.0),
                (None, Some(_)) => Ordering::Less,
                (Some(_), None) => Ordering::Greater,
                (Some(ours), Some(theirs)) => field_key(ours).cmp(field_key(theirs)),
            };
            if ordering.is_ne() {
                return ordering;
            }
        }
    }
}

impl PartialOrd for SectionNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for SectionNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_a_number_is_left_out() {
        for (text, expected) in [
            (" clause 5.3.7.7 ", "5.3.7.7"),
            ("Subclause 5.3", "5.3"),
            ("\u{a7}5.3", "5.3"),
            ("Annex  A", "A"),
            ("5.3.5", "5.3.5"),
            ("Annexes", "Annexes"),
            ("clause", ""),
        ] {
            assert_eq!(strip_clause_word(text), expected, "{text}");
        }
        for (text, expected) in [
            ("clause 5.3.", "5.3"),
            ("Annex A", "A"),
            ("annex a", "A"),
            ("b.2.1", "B.2.1"),
            ("5.3.5 RRC reconfiguration", "5.3.5"),
            ("clause 5.3.5: RRC", "5.3.5"),
            ("E.164 numbers", "E.164 numbers"),
            ("3GPP PS Data Off", "3GPP PS Data Off"),
            ("Section heads", "Section heads"),
        ] {
            assert_eq!(SectionNumber::from_typed(text).as_str(), expected);
        }
    }

    #[test]
    fn sub_sections_are_within_and_siblings_are_not() {
        let number = SectionNumber::new("5.3.5.1");
        assert!(number.is_within("5.3.5") && number.is_within("5") && number.is_within("5.3.5.1"));
        assert!(!number.is_within("5.3.5.1.1") && !number.is_within("5.3.5.11"));
        assert!(!SectionNumber::new("5.3.5a").is_within("5.3.5"));
        assert!(SectionNumber::new("A.1").is_within("A"));
        assert!(!SectionNumber::new("6.2B.1.3_1").is_within("6.2B.1.3"));
        assert!(SectionNumber::new("6.2B.1.3_1.4").is_within("6.2B.1.3_1"));
        assert!(!SectionNumber::new("H.264 video").is_within("H"));
    }

    #[test]
    fn numbers_sort_in_the_order_of_print() {
        let printed = [
            "4",
            "5.2.48B4A9",
            "5.2.48B4A10",
            "5.9",
            "5.9.1",
            "5.10",
            "5.10_1",
            "5.10_2.1",
            "5.10a",
            "5.x",
            "A.1",
        ];
        let mut numbers: Vec<SectionNumber> =
            printed.iter().rev().map(|n| SectionNumber::new(n)).collect();
        numbers.sort();
        let sorted: Vec<&str> = numbers.iter().map(SectionNumber::as_str).collect();
        assert_eq!(sorted, printed);
    }
}
