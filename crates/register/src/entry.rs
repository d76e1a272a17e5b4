//! The contents of a register: documents, change request packs and agenda items.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};

use crate::{column::Column, links::parse_linking_status, status::parse_status};
use domain::RegisterStatus;

/// A register.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// The sheet of the workbook that lists the documents; of a page the table, such as `table2` for its second.
    pub sheet: String,
    /// The meeting as the page names it above its documents: the text after "List for Meeting:". Empty if it does not.
    pub meeting: String,
    /// The documents, in the order of the file.
    pub entries: Vec<RegisterEntry>,
    /// Change requests in the packs that went to a TSG, in workbooks that have a sheet of them.
    pub packs: Vec<ChangeRequestPackEntry>,
    /// Items of the agenda, on pages that list them between their documents.
    pub agenda: Vec<AgendaItem>,
    /// The cells that could not be read, a sentence for each.
    pub faults: Vec<String>,
}

/// One document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterEntry {
    /// Row of the sheet or table, from 1, as a spreadsheet or a browser counts it.
    pub line: u32,
    /// Its number, as written.
    pub tdoc: String,
    /// The URL of its file; `None` while it has no file.
    pub url: Option<String>,
    /// When its number was reserved; registers do not name a time zone.
    pub reserved: Option<DateTime>,
    /// When it was uploaded.
    pub uploaded: Option<DateTime>,
    /// The text of its other columns.
    pub texts: BTreeMap<Column, String>,
}

impl RegisterEntry {
    /// The text of a column, if it is not empty.
    pub fn column_text(&self, column: Column) -> Option<&str> {
        self.texts.get(&column).map(String::as_str)
    }

    /// The status in the vocabulary of all years; `Unknown` if the register has another word, or none.
    pub fn status(&self) -> RegisterStatus {
        let word = self.column_text(Column::Status);
        let status =
            word.and_then(|word| parse_status(word).or_else(|| parse_linking_status(word)));
        status.unwrap_or(RegisterStatus::Unknown)
    }
}

/// A change request in a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangeRequestPackEntry {
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
