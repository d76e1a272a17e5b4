//! Importing what registers and calendars say of meetings and their documents (TDocs).

use std::collections::{BTreeMap, HashSet};

use redb::{ReadableTable, WriteTransaction};
use register::{ChangeRequestPackEntry, Column, RegisterEntry};

use crate::{
    CalendarNote, JournalEntry, MeetingRow, RegisterNote, RegisterPosition, ReportedMeeting,
    StoreError, TdocRow, Writer,
    journal::write_entry,
    tables::{
        codec::Packed,
        definitions::{
            COUNTERS, MEETING_REPORTS, MEETINGS, TDOC_PACKS, TDOC_POSITIONS, TDOCS,
            TDOCS_GENERATION, TDOCS_UNLISTED,
        },
    },
};
use domain::{MeetingId, TdocId};

/// A register to be stored.
#[derive(Debug, Clone)]
pub struct NewRegister {
    /// The meeting it is of.
    pub meeting: MeetingId,
    /// What it says as a whole.
    pub note: RegisterNote,
    /// The sheet or table that its rows are in.
    pub sheet: String,
    /// Its documents.
    pub entries: Vec<(TdocId, RegisterEntry)>,
    /// Change requests in packs.
    pub packs: Vec<(TdocId, ChangeRequestPackEntry)>,
}

/// How the documents of a register changed by its import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RegisterImportCounts {
    /// Documents that were not known.
    pub new: usize,
    /// Documents whose row changed.
    pub changed: usize,
    /// Documents that stay as they were.
    pub unchanged: usize,
}

impl Writer<'_> {
    /// Stores a register, whole or not at all. Documents that it does not list stay.
    pub fn import_register(
        &mut self,
        new: &NewRegister,
    ) -> Result<RegisterImportCounts, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let (counts, tdocs) = insert_entries(&txn, new)?;
            if !tdocs.is_empty() {
                write_entry(&txn, &JournalEntry::Tdocs { ids: tdocs })?;
            }
            update_meeting(&txn, &new.meeting, |row| {
                if !row.register.as_ref().is_some_and(|known| is_fuller(known, &new.note)) {
                    row.register = Some(new.note.clone());
                }
            })?;
            bump_generation(&txn)?;
            writer.commit_metadata(txn)?;
            Ok(counts)
        })
    }

    /// Records the folders of meetings whose folder is not known yet. Returns how many meetings had no
    /// calendar before.
    pub fn record_meeting_folders(
        &mut self,
        folders: &[(MeetingId, String)],
    ) -> Result<usize, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let mut new = 0;
            for (id, folder) in folders {
                update_meeting(&txn, id, |row| {
                    let note = row.calendar.get_or_insert_with(|| {
                        new += 1;
                        CalendarNote::default()
                    });
                    note.folder.get_or_insert_with(|| folder.clone());
                })?;
            }
            bump_generation(&txn)?;
            writer.commit_metadata(txn)?;
            Ok(new)
        })
    }

    /// Records what the file of a document says of it, if no register lists the document.
    pub fn record_unlisted_tdoc(
        &mut self,
        id: &TdocId,
        meeting: &MeetingId,
        entry: &RegisterEntry,
    ) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            {
                let mut unlisted = txn.open_table(TDOCS_UNLISTED)?;
                let mut table = txn.open_table(TDOCS)?;
                let is_listed =
                    table.get(id.as_str())?.is_some() && unlisted.get(id.as_str())?.is_none();
                // A register says more of a document than the document itself.
                if is_listed {
                    return Ok(());
                }
                let row = TdocRow { meeting: meeting.clone(), entry: entry.clone() };
                table.insert(id.as_str(), Packed::of(&row))?;
                unlisted.insert(id.as_str(), ())?;
            }
            write_entry(&txn, &JournalEntry::Tdocs { ids: vec![id.clone()] })?;
            bump_generation(&txn)?;
            writer.commit_metadata(txn)
        })
    }

    /// Fills columns that the rows of documents leave out; a column that a row has stays. Returns how many rows
    /// changed.
    pub fn complete_tdocs(
        &mut self,
        columns: &[(TdocId, BTreeMap<Column, String>)],
    ) -> Result<usize, StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let ids = fill_missing_columns(&txn, columns)?;
            let changed = ids.len();
            if changed > 0 {
                write_entry(&txn, &JournalEntry::Tdocs { ids })?;
                bump_generation(&txn)?;
                writer.commit_metadata(txn)?;
            }
            Ok(changed)
        })
    }

    /// Records what the report of a meeting says of it; replaces what an earlier report said.
    pub fn record_reported_meeting(
        &mut self,
        id: &MeetingId,
        reported: &ReportedMeeting,
    ) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            let row = Packed::of(reported);
            let is_same = {
                let mut table = txn.open_table(MEETING_REPORTS)?;
                let known = table.insert(id.to_string().as_str(), &row)?;
                known.is_some_and(|known| known.value() == row)
            };
            if is_same {
                return Ok(());
            }
            bump_generation(&txn)?;
            writer.commit_metadata(txn)
        })
    }

    /// Stores the meetings of a calendar; replaces what an earlier one said of them.
    pub fn import_calendar(
        &mut self,
        meetings: &[(MeetingId, CalendarNote)],
    ) -> Result<(), StoreError> {
        self.make_change(|writer| {
            let txn = writer.index.metadata.begin_write()?;
            for (id, note) in meetings {
                update_meeting(&txn, id, |row| row.calendar = Some(note.clone()))?;
            }
            bump_generation(&txn)?;
            writer.commit_metadata(txn)
        })
    }
}

/// Writes the documents of a register and its packs. Also returns the documents whose rows changed.
fn insert_entries(
    txn: &WriteTransaction,
    new: &NewRegister,
) -> Result<(RegisterImportCounts, Vec<TdocId>), StoreError> {
    let mut counts = RegisterImportCounts::default();
    let mut touched = Vec::new();
    let mut table = txn.open_table(TDOCS)?;
    let mut positions = txn.open_table(TDOC_POSITIONS)?;
    for (id, entry) in &new.entries {
        let position = RegisterPosition {
            file: new.note.file.clone(),
            sheet: new.sheet.clone(),
            row: entry.line,
        };
        let says_status = entry.column_text(Column::Status).is_some();
        // The line of a row in its file is not a property of the document: after an insertion above it, every row
        // would count as changed.
        let entry = RegisterEntry { line: 0, ..entry.clone() };
        let mut row = TdocRow { meeting: new.meeting.clone(), entry };
        let known = table.get(id.as_str())?.map(|value| value.value().decode("TDoc"));
        let known: Option<TdocRow> = known.transpose()?;
        if let Some(known) = &known {
            inherit_missing_fields(&mut row.entry, &known.entry);
        }
        if known.as_ref().is_some_and(|known| is_guest_listing(id, known, &row)) {
            counts.unchanged += 1;
            continue;
        }
        // A row without a status keeps the status of an earlier register and its position, because pages have fewer
        // columns than workbooks.
        if says_status || known.is_none() {
            positions.insert(id.as_str(), Packed::of(&position))?;
        }
        match &known {
            None => counts.new += 1,
            Some(known) if *known == row => {
                counts.unchanged += 1;
                continue;
            }
            Some(_) => counts.changed += 1,
        }
        table.insert(id.as_str(), Packed::of(&row))?;
        touched.push(id.clone());
    }
    mark_listed(txn, new.entries.iter().map(|(id, _)| id))?;
    let mut packs = txn.open_table(TDOC_PACKS)?;
    for (id, pack) in &new.packs {
        let pack = Packed::of(pack);
        let known = packs.insert(id.as_str(), &pack)?;
        if known.is_none_or(|known| known.value() != pack) {
            touched.push(id.clone());
        }
    }
    // What a pack says of a document of the same register is reported with it.
    let mut seen = HashSet::new();
    touched.retain(|id| seen.insert(id.clone()));
    Ok((counts, touched))
}

/// Fills columns that rows leave out; returns the documents whose rows changed.
fn fill_missing_columns(
    txn: &WriteTransaction,
    columns: &[(TdocId, BTreeMap<Column, String>)],
) -> Result<Vec<TdocId>, StoreError> {
    let mut changed = Vec::new();
    let mut table = txn.open_table(TDOCS)?;
    for (id, texts) in columns {
        let known = table.get(id.as_str())?.map(|value| value.value().decode("TDoc"));
        let known: Option<TdocRow> = known.transpose()?;
        let Some(mut row) = known else { continue };
        let before = row.entry.texts.len();
        inherit_missing_texts(&mut row.entry, texts);
        if row.entry.texts.len() > before {
            table.insert(id.as_str(), Packed::of(&row))?;
            changed.push(id.clone());
        }
    }
    Ok(changed)
}

/// Marks documents as listed by a register.
fn mark_listed<'a>(
    txn: &WriteTransaction,
    ids: impl Iterator<Item = &'a TdocId>,
) -> Result<(), StoreError> {
    let mut table = txn.open_table(TDOCS_UNLISTED)?;
    for id in ids {
        table.remove(id.as_str())?;
    }
    Ok(())
}

/// Counts a change of registers or meetings.
pub(crate) fn bump_generation(txn: &WriteTransaction) -> Result<(), StoreError> {
    let mut counters = txn.open_table(COUNTERS)?;
    let generation = counters.get(TDOCS_GENERATION)?.map_or(0, |value| value.value());
    counters.insert(TDOCS_GENERATION, generation + 1)?;
    Ok(())
}

/// Keeps fields of an earlier register that this one leaves out: pages have fewer columns than workbooks.
pub(crate) fn inherit_missing_fields(entry: &mut RegisterEntry, known: &RegisterEntry) {
    inherit_missing_texts(entry, &known.texts);
    entry.url = entry.url.take().or_else(|| known.url.clone());
    entry.reserved = entry.reserved.or(known.reserved);
    entry.uploaded = entry.uploaded.or(known.uploaded);
}

fn inherit_missing_texts(entry: &mut RegisterEntry, texts: &BTreeMap<Column, String>) {
    // What an earlier register stated of the outcome is of no use where this one has a status.
    let has_status = entry.texts.contains_key(&Column::Status);
    for (column, text) in texts {
        if *column == Column::OutcomeStatements && has_status {
            continue;
        }
        entry.texts.entry(*column).or_insert_with(|| text.clone());
    }
}

/// Whether a stored register says more about the meeting than a new one: a list of some documents says less than a full one.
pub(crate) fn is_fuller(known: &RegisterNote, new: &RegisterNote) -> bool {
    known.rows / 2 > new.rows
}

/// Whether a document is known from a meeting of its own group, and now listed as a guest of another's: the register
/// of the other group says less of it.
pub(crate) fn is_guest_listing(id: &TdocId, known: &TdocRow, row: &TdocRow) -> bool {
    let own = id.group();
    own.is_some() && own == Some(known.meeting.group()) && own != Some(row.meeting.group())
}

/// Records a meeting that is not known yet; returns whether it was new.
pub(crate) fn record_meeting(txn: &WriteTransaction, id: &MeetingId) -> Result<bool, StoreError> {
    if txn.open_table(MEETINGS)?.get(id.to_string().as_str())?.is_some() {
        return Ok(false);
    }
    update_meeting(txn, id, |_| {})?;
    Ok(true)
}

fn update_meeting(
    txn: &WriteTransaction,
    id: &MeetingId,
    change: impl FnOnce(&mut MeetingRow),
) -> Result<(), StoreError> {
    let mut table = txn.open_table(MEETINGS)?;
    let key = id.to_string();
    let known = table.get(key.as_str())?.map(|value| value.value().decode("meeting"));
    let unknown = MeetingRow { id: id.clone(), calendar: None, register: None };
    let mut row: MeetingRow = known.transpose()?.unwrap_or(unknown);
    change(&mut row);
    table.insert(key.as_str(), Packed::of(&row))?;
    Ok(())
}

#[cfg(test)]
mod tests;
