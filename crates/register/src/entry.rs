//! What a register says of a document.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use crate::{column::Column, status::Status};

/// A register.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// The documents, in the order of the file.
    pub entries: Vec<Entry>,
    /// Change requests in the packs that went to a TSG, in workbooks that have a sheet of them.
    pub packs: Vec<Pack>,
    /// Items of the agenda, on pages that list them between their documents.
    pub agenda: Vec<AgendaItem>,
    /// Cells that could not be read, a sentence for each.
    pub faults: Vec<String>,
}

/// One document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Row of the file, from 1.
    pub line: u32,
    /// Its number, as written.
    pub tdoc: String,
    /// Where its file is; none while there is none.
    pub url: Option<String>,
    /// When its number was reserved; registers name no time zone.
    pub reserved: Option<DateTime>,
    /// When it was uploaded.
    pub uploaded: Option<DateTime>,
    /// What its other columns say.
    pub texts: BTreeMap<Column, String>,
}

impl Entry {
    /// What a column says, where it says something.
    pub fn text(&self, column: Column) -> Option<&str> {
        self.texts.get(&column).map(String::as_str)
    }

    /// The status in the vocabulary of all years; none where the register has another word, or none.
    pub fn status(&self) -> Option<Status> {
        self.text(Column::Status).and_then(Status::of)
    }
}

/// A change request in a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pack {
    /// Number of the pack.
    pub pack: String,
    /// Number of the change request's document.
    pub tdoc: String,
    /// What the group decided.
    pub group_decision: Option<String>,
    /// What the TSG decided.
    pub tsg_decision: Option<String>,
}

/// An item of the agenda.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgendaItem {
    /// Its number.
    pub number: String,
    /// Its title.
    pub title: String,
}
