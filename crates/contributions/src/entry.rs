//! A catalog entry: the properties of a document that filters use.

use domain::{RegisterStatus, SourceRole};
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

/// The codes of work items in a cell.
pub fn work_items(cell: &str) -> impl Iterator<Item = &str> {
    cell.split([',', ';', ' ', '\n']).map(str::trim).filter(|code| !code.is_empty())
}
