//! A clause as evaluation names it: `38.331#5.3.5`.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::QuestionError;
use domain::{DocNumber, SectionNumber};

/// A section of a document, whatever the version.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClauseId {
    /// The document.
    pub document: DocNumber,
    /// The section; its title if it has no number.
    pub section: SectionNumber,
}

/// How close a retrieved clause is to a gold one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grade {
    /// It is the section that answers, or is inside it (grade 2).
    Within,
    /// The section that answers is a direct part of it (grade 1).
    Parent,
}

impl ClauseId {
    /// The grade of this clause against a gold one; `None` if they are unrelated.
    pub fn grade_against(&self, gold: &Self) -> Option<Grade> {
        if self.document != gold.document {
            return None;
        }
        if self.section.is_within(gold.section.as_str()) {
            return Some(Grade::Within);
        }
        let parent = gold.section.as_str().rsplit_once('.').map(|(parent, _)| parent);
        // The title of an unnumbered section may contain points, and has no parent.
        let numbered = SectionNumber::is_numbered(gold.section.as_str());
        (numbered && parent == Some(self.section.as_str())).then_some(Grade::Parent)
    }

    /// The id as one word, for files whose fields are separated by blanks.
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
                _ => return Err(QuestionError::InvalidClause { text: word.to_owned() }),
            }
            rest = &after[2..];
        }
        text.push_str(rest);
        text.parse()
    }
}

impl FromStr for ClauseId {
    type Err = QuestionError;

    /// Reads `38.331#5.3.5` and `TS 38.331#5.3.5`; the number of a passage after a second `#` is
    /// dropped.
    fn from_str(text: &str) -> Result<Self, QuestionError> {
        let error = || QuestionError::InvalidClause { text: text.chars().take(80).collect() };
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

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.document, self.section)
    }
}

impl TryFrom<String> for ClauseId {
    type Error = QuestionError;

    fn try_from(text: String) -> Result<Self, QuestionError> {
        text.parse()
    }
}

impl From<ClauseId> for String {
    fn from(id: ClauseId) -> Self {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_id(text: &str) -> ClauseId {
        text.parse().expect(text)
    }

    #[test]
    fn ids_are_read_as_people_write_them() {
        for (text, printed) in [
            ("38.331#5.3.5", "38.331#5.3.5"),
            ("TS 38.331#5.3.5.", "38.331#5.3.5"),
            ("38.331#5.3.5#0", "38.331#5.3.5"),
            ("38.101-1#A.1", "38.101-1#A.1"),
            ("29.503#Annex D (informative): History#12", "29.503#Annex D (informative): History"),
        ] {
            assert_eq!(parse_id(text).to_string(), printed);
        }
        for text in ["", "38.331", "38.331#", "#5.3", "five#5"] {
            let error = text.parse::<ClauseId>().expect_err(text).to_string();
            assert_eq!(error, format!("'{text}' is not a clause; write it as 38.331#5.3.5"));
        }
    }

    #[test]
    fn inside_counts_twice_and_only_the_direct_parent_once() {
        let gold = parse_id("38.331#5.3.5");
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
            assert_eq!(parse_id(found).grade_against(&gold), grade, "{found}");
        }
        assert_eq!(
            parse_id("38.331#A").grade_against(&parse_id("38.331#A.1")),
            Some(Grade::Parent)
        );
        assert_eq!(parse_id("38.331#TS1").grade_against(&parse_id("38.331#TS1.yaml")), None);
    }

    #[test]
    fn an_id_survives_as_one_word() {
        for text in ["38.331#5.3.5", "29.503#Annex D: 100% of it", "29.503#a\u{a0}b"] {
            let word = parse_id(text).to_word();
            assert!(!word.contains(char::is_whitespace), "{word}");
            let read = ClauseId::from_word(&word).expect("readable").to_string();
            assert_eq!(read, text.replace('\u{a0}', " "));
        }
        for word in ["38.331#5%zz", "38.331#5%", "38.331#5%\u{e9}\u{e9}"] {
            let error = ClauseId::from_word(word).expect_err(word).to_string();
            assert!(error.starts_with(&format!("'{word}' is not a clause")), "{error}");
        }
    }
}
