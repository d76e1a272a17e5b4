//! A catalog entry: the properties of a document that filters use.

use std::sync::LazyLock;

use domain::{RegisterStatus, SourceRole};
use regex::Regex;
use serde::{Deserialize, Serialize};

use domain::DocKind;
use domain::{DocNumber, Release, TdocId};

/// A document with the properties that filters use.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TdocEntry {
    /// Its number.
    pub id: TdocId,
    /// Its meeting, by a number that stays the same when meetings are added;
    /// [`TdocCatalog::meeting_index_of`](super::TdocCatalog::meeting_index_of) gives its index.
    pub(super) meeting_key: u32,
    /// Its kind.
    pub kind: DocKind,
    /// What became of it.
    pub status: RegisterStatus,
    /// Its item of the agenda.
    pub agenda_item: Option<Box<str>>,
    /// Its sources, in the order of the register.
    pub parties: Box<[PartyEntry]>,
    /// Codes of work items, in upper case, with commas between them.
    pub(super) work_items: Box<str>,
    pub(super) spec: Option<DocNumber>,
    pub(super) release: Option<Release>,
    /// The number of the change request, without leading zeros.
    pub(super) change_number: Option<Box<str>>,
    /// The clauses that a change request names.
    pub(super) clauses: Option<Box<str>>,
}

/// The properties of a document that most filters test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TdocTraits {
    pub(super) meeting_key: u32,
    pub(super) kind: DocKind,
    pub(super) status: RegisterStatus,
    pub(super) release: Option<Release>,
}

impl TdocEntry {
    /// The properties that most filters test.
    pub(super) fn traits(&self) -> TdocTraits {
        let Self { meeting_key, kind, status, release, .. } = *self;
        TdocTraits { meeting_key, kind, status, release }
    }

    /// Whether it is for a work item; `code` is in upper case.
    pub fn has_work_item(&self, code: &str) -> bool {
        self.work_items.split(',').any(|of| of == code)
    }

    /// The codes of its work items.
    pub fn work_item_codes(&self) -> impl Iterator<Item = &str> {
        self.work_items.split(',').filter(|code| !code.is_empty())
    }

    /// The specification that it changes or is about.
    pub fn spec(&self) -> Option<&DocNumber> {
        self.spec.as_ref()
    }

    /// The clauses that it changes, from its register or otherwise its cover; only for change requests.
    pub fn clauses(&self) -> Option<&str> {
        self.clauses.as_deref()
    }

    /// Whether any of its work items is known.
    pub fn names_work_items(&self) -> bool {
        !self.work_items.is_empty()
    }
}

/// The roles that an organization has in a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartyRoles(u8);

impl PartyRoles {
    /// All roles of a list.
    pub fn of(roles: &[SourceRole]) -> Self {
        Self(roles.iter().fold(0, |bits, role| bits | 1 << *role as u8))
    }

    /// One bit for each role.
    pub(super) fn bits(self) -> u8 {
        self.0
    }

    /// Whether a role is among them.
    pub fn contains(self, role: SourceRole) -> bool {
        self.0 & 1 << role as u8 != 0
    }

    /// Adds the roles of another list.
    pub(super) fn extend(&mut self, others: Self) {
        self.0 |= others.0;
    }

    /// Whether one of them is in another list.
    pub(super) fn has_some_of(self, others: Self) -> bool {
        self.0 & others.0 != 0
    }
}

/// An organization and its role in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartyEntry {
    /// Its number in [`TdocCatalog::directory`](super::TdocCatalog::directory).
    pub organization: u32,
    /// Its role.
    pub role: SourceRole,
}

/// The number of a change request or of its revision without leading zeros, in lower case: registers write `0123` and
/// `123`.
pub fn plain_change_number(text: &str) -> String {
    let trimmed = text.trim().trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_lowercase() }
}

/// What cells have in place of a work item, in upper case without signs.
const NO_WORK_ITEM: [&str; 7] = ["NA", "TBD", "TBC", "NONE", "NIL", "XXX", "NOTAPPLICABLE"];

/// The codes of work items in a cell. Signs alone (`/`, `-`) and words for none (`N/A`, `TBD`) are no codes.
pub fn work_items(cell: &str) -> impl Iterator<Item = &str> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase()
    };
    let is_code = move |code: &&str| {
        let plain = plain(code);
        !plain.is_empty() && !NO_WORK_ITEM.contains(&plain.as_str())
    };
    // "not applicable" has a blank.
    let cell = if NO_WORK_ITEM.contains(&plain(cell).as_str()) { "" } else { cell };
    cell.split([',', ';', ' ', '\n', '\t']).map(str::trim).filter(is_code)
}

/// The number of an agenda item and its title, as documents write them: `10.8.3 - Waveform`, `AI 8.1.2.3 (Beams)`,
/// `8.1.2.3/8.1.2.4`, `10.8.3.`. `None` if the text does not begin with a number.
pub(super) fn split_agenda_item(text: &str) -> Option<(String, Option<String>)> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || "[](){}#:*".contains(c));
    let found = AGENDA_NUMBER.captures(text)?;
    let number = found.name("number")?;
    let written: String =
        number.as_str().chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let number_text = written.replace(['&', '+'], "/").replace(',', "/");
    let title = text[number.end()..]
        .trim_matches(|c: char| c.is_whitespace() || ".:;,-\u{2013}\u{2014}()[]|".contains(c));
    Some((number_text, (!title.is_empty()).then(|| title.to_owned())))
}

/// A number of an agenda item, or several with signs between them; letters only at its end: `7.2.A`, `6.1a`.
static AGENDA_NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let number = r"\d{1,2}[a-z]?(?:\.(?:\d{1,3}[A-Za-z]?|[A-Z]))*";
    let text = format!(
        r"^(?i:agenda\s*(?:item)?|a\.?i\.?|item)?\s*[:#]?\s*(?P<number>{number}(?:\s*[/,&+]\s*{number})*)(?:[^\w]|$)"
    );
    Regex::new(&text).expect("a constant pattern; a test uses it")
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_words_for_none_are_no_work_items() {
        for (cell, expected) in [
            ("TEI18, 5GS_Ph1", &["TEI18", "5GS_Ph1"][..]),
            ("NR_newRAT-Core; LTE_eMTC", &["NR_newRAT-Core", "LTE_eMTC"]),
            ("/", &[]),
            ("-", &[]),
            ("--", &[]),
            ("N/A", &[]),
            ("n.a.", &[]),
            ("TBD", &[]),
            ("Not applicable", &[]),
            ("None", &[]),
            ("TEI18 / TBD", &["TEI18"]),
            ("", &[]),
        ] {
            assert_eq!(work_items(cell).collect::<Vec<_>>(), expected, "{cell}");
        }
    }

    #[test]
    fn the_number_of_an_agenda_item_is_apart_from_its_title() {
        for (text, number, title) in [
            ("10.8.3 - Waveform for sensing", "10.8.3", Some("Waveform for sensing")),
            ("10.8.3 \u{2013} Waveform", "10.8.3", Some("Waveform")),
            ("AI 8.1.2.3 (Beams)", "8.1.2.3", Some("Beams")),
            ("A.I. 8.1", "8.1", None),
            ("Agenda item: 10.8.3", "10.8.3", None),
            ("#8.1", "8.1", None),
            ("8.1.2.3/8.1.2.4", "8.1.2.3/8.1.2.4", None),
            ("8.1.2 and beams", "8.1.2", Some("and beams")),
            ("8.1, 8.2", "8.1/8.2", None),
            ("10.8.3.", "10.8.3", None),
            ("[8.1.2]", "8.1.2", None),
            ("7.2.A", "7.2.A", None),
            ("6.1a Corrections", "6.1a", Some("Corrections")),
            ("5 Beams", "5", Some("Beams")),
        ] {
            let read = split_agenda_item(text);
            assert_eq!(read, Some((number.to_owned(), title.map(str::to_owned))), "{text}");
        }
        for text in ["Beams", "", "TBD", "R1-2405780", "2024", "5G beams and 6G"] {
            assert_eq!(split_agenda_item(text), None, "{text}");
        }
    }
}
