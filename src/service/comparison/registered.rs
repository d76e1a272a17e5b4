//! Recorded changes joined with the registers of meetings.

use std::collections::{BTreeSet, HashMap};

use change_history::HistoryRow;
use register::Column;

use contributions::{
    TdocCatalog, TdocEntry, plain_change_number, read_clauses, read_completed_row,
};
use domain::{DocNumber, MeetingId, TdocId};
use store::{Snapshot, StoreError, TdocRow};
use wire::records::{RecordedChange, RegisteredChange};

/// A change request that a register lists.
#[derive(Clone)]
pub(super) struct RegisteredEntry {
    pub(super) id: TdocId,
    pub(super) meeting: MeetingId,
    /// The clauses that the register or else its cover names.
    pub(super) clauses: Option<String>,
    pub(super) record: RegisteredChange,
}

/// The change requests to a specification that registers list, by their numbers.
#[derive(Default)]
pub(super) struct RegisteredChanges(HashMap<String, Vec<RegisteredEntry>>);

impl RegisteredChanges {
    /// Those whose numbers the rows have, the newest meeting first.
    pub(super) fn read(
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        spec: &DocNumber,
        rows: &[&HistoryRow],
    ) -> Result<Self, StoreError> {
        let mut changes = Self::default();
        let wanted: BTreeSet<String> =
            rows.iter().filter_map(|row| Some(plain_change_number(row.cr.as_deref()?))).collect();
        if wanted.is_empty() {
            return Ok(changes);
        }
        for (number, entry) in catalog.change_requests_to(spec) {
            if !wanted.contains(number) {
                continue;
            }
            let Some(row) = read_completed_row(snapshot, &entry.id)? else { continue };
            changes.0.entry(number.to_owned()).or_default().push(RegisteredEntry {
                id: entry.id.clone(),
                meeting: catalog.meeting_of(entry).id.clone(),
                clauses: read_clauses(snapshot, &entry.id, &row)?,
                record: to_registered_change(snapshot, catalog, entry, &row)?,
            });
        }
        Ok(changes)
    }

    /// The entries of a row's change request. If the revision that the annex records is among them, it comes first.
    pub(super) fn of_row(&self, row: &HistoryRow) -> Vec<RegisteredEntry> {
        let number = row.cr.as_deref().map(plain_change_number);
        let mut found = number.and_then(|number| self.0.get(&number).cloned()).unwrap_or_default();
        let revision =
            |text: Option<&str>| text.map_or_else(|| "0".to_owned(), plain_change_number);
        let recorded = revision(row.revision.as_deref());
        for entry in &mut found {
            let of_entry = revision(entry.record.cr_revision.as_deref());
            entry.record.is_recorded_revision = of_entry == recorded;
        }
        found.sort_by_key(|entry| !entry.record.is_recorded_revision);
        found
    }
}

/// A row as a record.
pub(super) fn to_recorded_change(
    row: &HistoryRow,
    registered: &[RegisteredEntry],
) -> RecordedChange {
    RecordedChange {
        date: row.date.clone(),
        meeting: row.meeting.clone(),
        meeting_tdocs: row.tdocs.clone(),
        working_group_tdoc: row.group_tdoc.clone(),
        cr_number: row.cr.clone(),
        cr_revision: row.revision.clone(),
        category: row.category.clone(),
        subject: row.subject.clone(),
        old_version: row.old_version.map(|version| version.to_string()),
        new_version: row.new_version.map(|version| version.to_string()),
        registered: registered.iter().map(|entry| entry.record.clone()).collect(),
    }
}

fn to_registered_change(
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    entry: &TdocEntry,
    row: &TdocRow,
) -> Result<RegisteredChange, StoreError> {
    let text = |column| row.entry.column_text(column).map(str::to_owned);
    let pack = snapshot.tdocs().tdoc_pack(&entry.id)?;
    Ok(RegisteredChange {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        sources: text(Column::Source),
        status: entry.status,
        meeting_id: catalog.meeting_of(entry).id.to_string(),
        work_items: text(Column::WorkItems),
        cr_revision: text(Column::CrRevision).filter(|text| text.trim() != "-"),
        is_recorded_revision: false,
        tsg_decision: pack.and_then(|pack| pack.tsg_decision),
    })
}
