//! A clause as evaluation names it: `38.331#5.3.5`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::QuestionError;
use domain::{DocNumber, SectionNumber};

/// A section of a document, whatever the version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Place {
    /// The document.
    pub document: DocNumber,
    /// The section; its title where it has no number.
    pub section: SectionNumber,
}

/// How near a found section is to the one that answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// It is the section that answers, or lies inside it (grade 2).
    Within,
    /// The section that answers is a direct part of it (grade 1).
    Parent,
}

impl Place {
    /// How near this place is to a gold one; none where it is elsewhere.
    pub fn grade(&self, gold: &Self) -> Option<Grade> {
        if self.document != gold.document {
            return None;
        }
        if self.section.is_within(gold.section.as_str()) {
            return Some(Grade::Within);
        }
        let parent = gold.section.as_str().rsplit_once('.').map(|(parent, _)| parent);
        // The title of an unnumbered section may hold points, and has no parent.
        let numbered = SectionNumber::is_numbered(gold.section.as_str());
        (numbered && parent == Some(self.section.as_str())).then_some(Grade::Parent)
    }

    /// The place as one word, for files whose fields are separated by blanks.
    pub fn to_word(&self) -> String {
        let mut word = String::new();
        for c in self.to_string().chars() {
            match c {
                '%' | ' ' | '\t' | '\n' | '\r' => word.push_str(&format!("%{:02X}", u32::from(c))),
                c if c.is_whitespace() => word.push_str("%20"),
                c => word.push(c),
            }
        }
        word
    }

    /// Reads what [`Self::to_word`] writes, and ids of passages (`38.331#5.3.5#2`).
    pub fn from_word(word: &str) -> Result<Self, QuestionError> {
        let mut text = String::new();
        let mut rest = word;
        while let Some((before, after)) = rest.split_once('%') {
            let code = after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
            text.push_str(before);
            match code {
                Some(code) if code.is_ascii() => text.push(char::from(code)),
                _ => return Err(QuestionError::Place { text: word.to_owned() }),
            }
            rest = &after[2..];
        }
        text.push_str(rest);
        text.parse()
    }
}

impl FromStr for Place {
    type Err = QuestionError;

    /// Reads `38.331#5.3.5` and `TS 38.331#5.3.5`; the number of a passage after a second `#` is
    /// dropped.
    fn from_str(text: &str) -> Result<Self, QuestionError> {
        let error = || QuestionError::Place { text: text.chars().take(80).collect() };
        let (document, section) = text.split_once('#').ok_or_else(error)?;
        let section = match section.rsplit_once('#') {
            Some((section, passage)) if passage.bytes().all(|b| b.is_ascii_digit()) => section,
            _ => section,
        };
        let section = SectionNumber::new(section);
        if section.as_str().is_empty() {
            return Err(error());
        }
        Ok(Self { document: document.parse().map_err(|_| error())?, section })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.document, self.section)
    }
}

impl TryFrom<String> for Place {
    type Error = QuestionError;

    fn try_from(text: String) -> Result<Self, QuestionError> {
        text.parse()
    }
}

impl From<Place> for String {
    fn from(place: Place) -> Self {
        place.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> Place {
        text.parse().expect(text)
    }

    #[test]
    fn places_are_read_as_people_write_them() {
        for (text, printed) in [
            ("38.331#5.3.5", "38.331#5.3.5"),
            ("TS 38.331#5.3.5.", "38.331#5.3.5"),
            ("38.331#5.3.5#0", "38.331#5.3.5"),
            ("38.101-1#A.1", "38.101-1#A.1"),
            ("29.503#Annex D (informative): History#12", "29.503#Annex D (informative): History"),
        ] {
            assert_eq!(place(text).to_string(), printed);
        }
        for text in ["", "38.331", "38.331#", "#5.3", "five#5"] {
            assert!(text.parse::<Place>().is_err(), "{text}");
        }
    }

    #[test]
    fn inside_counts_twice_and_only_the_direct_parent_once() {
        let gold = place("38.331#5.3.5");
        for (found, grade) in [
            ("38.331#5.3.5", Some(Grade::Within)),
            ("38.331#5.3.5.13a", Some(Grade::Within)),
            ("38.331#5.3", Some(Grade::Parent)),
            ("38.331#5", None),
            ("38.331#5.3.5a", None),
            ("38.331#5.3.50", None),
            ("38.331#5.3.4", None),
            ("36.331#5.3.5", None),
        ] {
            assert_eq!(place(found).grade(&gold), grade, "{found}");
        }
        assert_eq!(place("38.331#A").grade(&place("38.331#A.1")), Some(Grade::Parent));
        assert_eq!(place("38.331#TS1").grade(&place("38.331#TS1.yaml")), None);
    }

    #[test]
    fn a_place_survives_as_one_word() {
        for text in ["38.331#5.3.5", "29.503#Annex D: 100% of it", "29.503#a\u{a0}b"] {
            let word = place(text).to_word();
            assert!(!word.contains(char::is_whitespace), "{word}");
            let read = Place::from_word(&word).expect("readable").to_string();
            assert_eq!(read, text.replace('\u{a0}', " "));
        }
        assert!(Place::from_word("38.331#5%zz").is_err());
        assert!(Place::from_word("38.331#5%").is_err());
        assert!(Place::from_word("38.331#5%\u{e9}\u{e9}").is_err());
    }
}
