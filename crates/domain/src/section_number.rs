//! Section numbers: `5.3.5`, `5.3.5.13a`, `A`, `B.2.1`, or the title of an unnumbered section.

use std::{cmp::Ordering, fmt};

use serde::{Deserialize, Serialize};

/// Maximum bytes of a number. Printed numbers are shorter; callers also pass whole titles, which are longer.
const MAX_BYTES: usize = 48;

/// The number of a section, or its title if it has no number (`Foreword`).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SectionNumber(String);

impl SectionNumber {
    /// A number as printed, without surrounding blanks and trailing dots.
    pub fn new(text: &str) -> Self {
        Self(text.trim().trim_end_matches('.').to_owned())
    }

    /// The number in a typed text such as `clause 5.3.5`, `Annex A` or `5.3.5.`; a title stays as it is.
    pub fn from_typed(text: &str) -> Self {
        let bare = Self::new(strip_clause_word(text));
        if Self::is_numbered(&bare.0) { bare } else { Self::new(text) }
    }

    /// The number as printed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `text` has the form of a section number: `5.3.5a`, `A`, `AB.2`, and the rarer
    /// `5.1.2.5B1` and `F10.3`.
    pub fn is_numbered(text: &str) -> bool {
        text.len() <= MAX_BYTES && (is_plain(text) || is_rare(text))
    }

    /// Whether this is `ancestor` itself or below it: `5.3.5.1` is within `5.3.5`, but `5.3.5a` and `5.3.51`
    /// are not.
    pub fn is_within(&self, ancestor: &str) -> bool {
        match self.0.strip_prefix(ancestor) {
            Some(rest) => rest.is_empty() || rest.starts_with('.'),
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

/// Fields of digits with a suffix of letters; the first may be the letters of an annex, the last a letter.
fn is_plain(text: &str) -> bool {
    let mut fields = text.split('.');
    let first = fields.next().unwrap_or("");
    let annex = matches!(first.len(), 1..=2) && first.bytes().all(|b| b.is_ascii_uppercase());
    let mut digits = usize::from(!annex);
    (annex || is_number_field(first))
        && fields.all(|field| {
            // "10.3.6.a": a single letter after three numbers.
            let is_letter = digits >= 3 && matches!(field.as_bytes(), [b'a'..=b'z']);
            digits = if is_letter { 0 } else { digits + 1 };
            is_letter || is_number_field(field)
        })
}

/// At least two fields that may mix digits and letters.
fn is_rare(text: &str) -> bool {
    let is_field = |(index, field): (usize, &str)| {
        let digit_first = field.starts_with(|c: char| c.is_ascii_digit());
        let letter_first = field.starts_with(|c: char| c.is_ascii_uppercase());
        let plain = field.bytes().all(|b| b.is_ascii_alphanumeric()) && field.len() <= 6;
        plain && (digit_first || letter_first && (index == 0 || field.len() == 1))
    };
    text.contains('.')
        && text.bytes().any(|b| b.is_ascii_digit())
        && text.split('.').enumerate().all(is_field)
}

/// Digits with an optional suffix of letters: `5`, `13a`, `1A`, `5bis`.
fn is_number_field(field: &str) -> bool {
    let letters = field.trim_start_matches(|c: char| c.is_ascii_digit());
    letters.len() < field.len()
        && letters.len() <= 4
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
}

/// A field compares by its number first, then by its letters, so that 5.9 < 5.10 < 5.10a.
fn field_key(field: &str) -> (bool, u64, &str) {
    let letters = field.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &field[..field.len() - letters.len()];
    (digits.is_empty(), digits.parse().unwrap_or(u64::MAX), letters)
}

impl Ord for SectionNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        let ours = self.0.split('.').map(field_key);
        ours.cmp(other.0.split('.').map(field_key)).then_with(|| self.0.cmp(&other.0))
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
        for (text, expected) in
            [("clause 5.3.", "5.3"), ("Annex A", "A"), ("Section heads", "Section heads")]
        {
            assert_eq!(SectionNumber::from_typed(text).as_str(), expected);
        }
    }

    #[test]
    fn numbers_are_distinguished_from_titles() {
        for number in [
            "5",
            "5.3.5.13a",
            "4.10.1a",
            "1A",
            "A",
            "B.2.1",
            "AA.1",
            "5.1.2.5B1",
            "F10.3",
            "10.3.6.a",
        ] {
            assert!(SectionNumber::is_numbered(number), "{number}");
        }
        for title in ["", "Foreword", "5.", ".5", "5..3", "a", "A.", "5.3-1", "ABC", "1.a", "5.3.x"]
        {
            assert!(!SectionNumber::is_numbered(title), "{title}");
        }
    }

    #[test]
    fn sub_sections_are_within_and_siblings_are_not() {
        let number = SectionNumber::new("5.3.5.1");
        assert!(number.is_within("5.3.5") && number.is_within("5") && number.is_within("5.3.5.1"));
        assert!(!number.is_within("5.3.5.1.1") && !number.is_within("5.3.5.11"));
        assert!(!SectionNumber::new("5.3.5a").is_within("5.3.5"));
        assert!(SectionNumber::new("A.1").is_within("A"));
    }

    #[test]
    fn numbers_sort_in_the_order_of_print() {
        let mut numbers: Vec<SectionNumber> = ["5.10", "A.1", "5.9", "5.10a", "5.9.1", "4"]
            .iter()
            .map(|n| SectionNumber::new(n))
            .collect();
        numbers.sort();
        let printed: Vec<&str> = numbers.iter().map(SectionNumber::as_str).collect();
        assert_eq!(printed, ["4", "5.9", "5.9.1", "5.10", "5.10a", "A.1"]);
    }
}
