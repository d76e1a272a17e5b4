//! Imports registers into the store.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use register::{AgendaItem, Column, Register, RegisterEntry};
use serde::{Deserialize, Serialize};

use super::{
    change_requests::join_covers,
    identify::{group_of_entries, identify_meeting, meeting_folder_in, own_number_range},
    meetings::estimate_start,
    outcome_statements::{add_revision_outcomes, join_repeated_rows},
};
use domain::{MeetingId, RegisterStatus, TdocId};
use extract::Worker;
use store::{NewRegister, RegisterImportCounts, RegisterNote, Store, StoreError};

/// A register counts as the list of the whole meeting if it has this share of the numbers from its first to its last.
/// Reports are refused if such a register does not list their documents, so that a list of a part must not count.
const FULL_SHARE: f64 = 0.8;

/// The outcome of importing a register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisterReport {
    /// The file.
    pub file: String,
    /// Its meeting.
    pub meeting: String,
    /// Rows that name a document.
    pub rows: usize,
    /// Documents that were unknown.
    pub new: usize,
    /// Documents whose row changed.
    pub changed: usize,
    /// Documents that did not change.
    pub unchanged: usize,
    /// One sentence for each part that could not be read or is unknown.
    pub warnings: Vec<String>,
}

/// A file that was not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRegister {
    /// The file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// The outcome of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportReport {
    /// Registers that were imported.
    pub imported: Vec<RegisterReport>,
    /// Files that were not imported.
    pub refused: Vec<RefusedRegister>,
    /// Files in folders that were not taken for registers.
    #[serde(default)]
    pub skipped: Vec<RefusedRegister>,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
}

/// An import failed; what was imported before stays.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The data folder cannot be read or written.
    #[error("cannot store the data")]
    Store(#[from] StoreError),
}

/// Imports registers.
pub struct RegisterImporter<'a> {
    /// The store to import into.
    pub store: &'a Store,
    /// The worker that reads the files.
    pub worker: &'a mut Worker,
    /// The current time, RFC 3339 in UTC.
    pub now: String,
    /// The meeting of a single file; if none is given, it is read from the file.
    pub meeting: Option<MeetingId>,
}

/// Warnings that are reported for one register: a file of another form could have one for each row.
const MAX_WARNINGS: usize = 50;

impl RegisterImporter<'_> {
    /// Imports one register. The inner error is a sentence for the user who imports it.
    pub fn import_register(
        &mut self,
        path: &Path,
    ) -> Result<Result<RegisterReport, String>, ImportError> {
        let register = match self.worker.read_register(path) {
            Ok(register) => register,
            Err(error) => return Ok(Err(error.to_string())),
        };
        let meeting = match (&self.meeting, identify_meeting(path, &register)) {
            (Some(given), Ok(identified)) if given.is_same_meeting(&identified) => identified,
            (Some(_), Ok(identified)) => {
                return Ok(Err(format!("it belongs to {}", identified.name())));
            }
            (Some(given), Err(_)) if contradicts_entries(given, &register) => {
                return Ok(Err(format!(
                    "most of its documents do not belong to the group of {}",
                    given.name()
                )));
            }
            (Some(given), _) => given.clone(),
            (None, Ok(identified)) => identified,
            (None, Err(unidentified)) => return Ok(Err(unidentified.to_string())),
        };
        let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let (new, mut warnings) = prepare_register(file, self.now.clone(), meeting, register);
        if new.entries.is_empty() {
            return Ok(Err("no row contains a document number".to_owned()));
        }
        let RegisterImportCounts { new: fresh, changed, unchanged } =
            self.store.lock_writer().import_register(&new)?;
        join_covers(self.store, new.entries.iter().map(|(id, _)| id))?;
        let count = warnings.len();
        warnings.truncate(MAX_WARNINGS);
        if count > MAX_WARNINGS {
            warnings.push(format!("and {} more", count - MAX_WARNINGS));
        }
        Ok(Ok(RegisterReport {
            file: new.note.file,
            meeting: new.meeting.to_string(),
            rows: new.entries.len(),
            new: fresh,
            changed,
            unchanged,
            warnings,
        }))
    }
}

/// Whether most documents of a register belong to another group than a meeting.
fn contradicts_entries(meeting: &MeetingId, register: &Register) -> bool {
    group_of_entries(&register.entries).is_some_and(|group| group != meeting.group())
}

/// A register as it is stored, and warnings about it.
fn prepare_register(
    file: String,
    imported_at: String,
    meeting: MeetingId,
    register: Register,
) -> (NewRegister, Vec<String>) {
    let mut warnings = register.faults;
    // Word -> its first row, and the number of rows that contain it.
    let mut unknown_statuses = BTreeMap::new();
    let estimated_start = estimate_start(&register.entries);
    // Some links of a register lead into the folder of another meeting.
    let is_own = |folder: &String| {
        MeetingId::from_folder_name(folder).is_some_and(|id| id.is_same_meeting(&meeting))
    };
    let folder = register
        .entries
        .iter()
        .filter_map(|entry| meeting_folder_in(entry.url.as_deref()?))
        .find(is_own);
    let agenda = if register.agenda.is_empty() {
        collect_agenda(&register.entries)
    } else {
        register.agenda
    };
    let mut entries: Vec<(TdocId, RegisterEntry)> = Vec::with_capacity(register.entries.len());
    for entry in register.entries {
        let id = match entry.tdoc.parse() {
            Ok(id) => id,
            Err(error) => {
                warnings.push(format!("row {}: {error}; skipped", entry.line));
                continue;
            }
        };
        if let (RegisterStatus::Unknown, Some(word)) =
            (entry.status(), entry.column_text(Column::Status))
        {
            let rows = unknown_statuses.entry(word.to_owned()).or_insert((entry.line, 0_usize));
            rows.1 += 1;
        }
        entries.push((id, entry));
    }
    warnings.extend(join_repeated_rows(&mut entries));
    warnings.extend(add_revision_outcomes(&mut entries));
    for (word, (line, rows)) in unknown_statuses {
        let more = match rows {
            0 | 1 => String::new(),
            2 => ", and 1 more row".to_owned(),
            rows => format!(", and {} more rows", rows - 1),
        };
        warnings.push(format!("row {line}{more}: unknown status '{word}'"));
    }
    let ids: Vec<TdocId> = entries.iter().map(|(id, _)| id.clone()).collect();
    let range = own_number_range(&ids);
    let span = range.as_ref().map_or(0, |(first, last)| last.number() - first.number() + 1);
    let is_full = span > 0 && ids.len() as f64 >= FULL_SHARE * f64::from(span);
    let note = RegisterNote {
        file,
        imported_at,
        rows: u32::try_from(entries.len()).unwrap_or(u32::MAX),
        range,
        is_full,
        estimated_start,
        folder,
        agenda,
    };
    let packs = register.packs.into_iter().filter_map(|pack| Some((pack.tdoc.parse().ok()?, pack)));
    let packs = packs.collect();
    (NewRegister { meeting, note, sheet: register.sheet, entries, packs }, warnings)
}

/// The agenda items, in the order of the register's column or otherwise of its rows.
fn collect_agenda(entries: &[RegisterEntry]) -> Vec<AgendaItem> {
    let order = |entry: &RegisterEntry| {
        entry
            .column_text(Column::AgendaOrder)
            .and_then(|order| order.parse::<f64>().ok())
            .unwrap_or(f64::MAX)
    };
    let mut entries: Vec<&RegisterEntry> = entries.iter().collect();
    entries.sort_by(|a, b| order(a).total_cmp(&order(b)));
    let mut agenda: Vec<AgendaItem> = Vec::new();
    let mut seen = HashSet::new();
    for entry in entries {
        let Some(number) = entry.column_text(Column::AgendaItem) else { continue };
        if seen.insert(number) {
            let title = entry.column_text(Column::AgendaTitle).unwrap_or_default().to_owned();
            agenda.push(AgendaItem { number: number.to_owned(), title });
        }
    }
    agenda
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An entry of a register, made by its own reader.
    pub(crate) fn entry(tdoc: &str, texts: &[(Column, &str)]) -> RegisterEntry {
        let headings = [
            (Column::Title, "Title"),
            (Column::Source, "Source"),
            (Column::Type, "Type"),
            (Column::Status, "TDoc Status"),
            (Column::AgendaItem, "Agenda item"),
            (Column::AgendaTitle, "Agenda item description"),
            (Column::Abstract, "Abstract"),
            (Column::WorkItems, "Related WIs"),
            (Column::Spec, "Spec"),
            (Column::Release, "Release"),
            (Column::RevisionOf, "Is revision of"),
            (Column::RevisedTo, "Revised to"),
        ];
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
        let head: String = headings.iter().map(|(_, name)| format!("<td>{name}")).collect();
        let cells: String = headings
            .iter()
            .map(|(column, _)| {
                let text = texts.iter().find(|(of, _)| of == column).map_or("", |(_, text)| *text);
                format!("<td>{}", escaped(text))
            })
            .collect();
        let page = format!("<html><table><tr><td>TDoc{head}<tr><td>{tdoc}{cells}</table>");
        let register = register::read_register(page.as_bytes()).expect("a register");
        register.entries.into_iter().next().expect("an entry")
    }

    #[test]
    fn a_register_is_prepared_with_its_agenda_range_and_warnings() {
        let register = Register {
            entries: vec![
                entry("R1-2400003", &[(Column::AgendaItem, "8.1"), (Column::AgendaTitle, "Beams")]),
                entry("R1-2400001", &[(Column::AgendaItem, "8.1"), (Column::Status, "sleeping")]),
                entry("R1-2400002", &[(Column::AgendaItem, "8.2"), (Column::Status, "sleeping")]),
                entry("not a number", &[]),
            ],
            ..Register::default()
        };
        let meeting: MeetingId = "R1-116".parse().expect("a meeting");
        let (new, warnings) =
            prepare_register("list.xlsx".to_owned(), String::new(), meeting, register);
        assert_eq!((new.entries.len(), new.note.is_full), (3, true));
        let items: Vec<&str> = new.note.agenda.iter().map(|item| item.number.as_str()).collect();
        assert_eq!(items, ["8.1", "8.2"]);
        assert_eq!(new.note.agenda[0].title, "Beams");
        let (first, last) = new.note.range.expect("a range");
        assert_eq!((first.as_str(), last.as_str()), ("R1-2400001", "R1-2400003"));
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("not a number"));
        assert_eq!(warnings[1], "row 2, and 1 more row: unknown status 'sleeping'");
    }
}
