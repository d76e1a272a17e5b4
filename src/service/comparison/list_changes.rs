//! `list_changes`: the change requests that a document's annex "Change history" records.

use std::collections::{HashMap, HashSet};

use change_history::{ChangeHistory, HistoryRow, is_history_title, read_history};
use register::Column;

use super::versions::{choose_version, find_versions};
use crate::service::{
    Operation, Service, internal_failure, tdocs::record_values::to_register_status,
};
use accounts::Caller;
use contributions::{TdocCatalog, TdocEntry, TdocFilter, TdocKind, read_completed_row};
use domain::{DocNumber, Version};
use store::{DocumentEntry, SectionKey, Snapshot, StoreError};
use wire::{
    Failure, Route, ToolEffect, ToolFacts,
    params::ListChanges,
    records::{ChangeList, RecordedChange, RegisteredChange},
};

impl Operation for ListChanges {
    const NAME: &'static str = "list_changes";
    const ROUTE: Route = Route::get("/documents/changes");
    const STATUSES: &'static [u16] = &[400, 404];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "List the recorded changes of a document",
        advice: "Use this for which change requests went into a document and into which version: the annex \
            \"Change history\" as data, with the meeting documents behind each. For what they changed in a \
            clause use compare_sections, for who proposed it get_tdoc.",
        rest: "Narrow the list with from, to, subject or cr_number, or ask for the next ones with offset.",
        continuable_field: None,
        effect: ToolEffect::Reads,
        is_record: false,
    });
    type Reply = ChangeList;

    fn run(self, service: &Service, _caller: &Caller) -> Result<ChangeList, Failure> {
        let snapshot = service.store.snapshot();
        let versions = find_versions(&snapshot, &self.doc_number)?;
        let entry = choose_version(&versions, "to", self.to.as_deref())?;
        let after = match &self.from {
            Some(_) => Some(choose_version(&versions, "from", self.from.as_deref())?.row.version),
            None => None,
        };
        let (section_number, history) =
            read_recorded_changes(&snapshot, entry).map_err(internal_failure)?;
        let words: Vec<String> = self.subject.iter().flat_map(|text| to_words(text)).collect();
        let cr_number = self.cr_number.as_deref().map(plain_number);
        let is_asked = |row: &&HistoryRow| {
            after.is_none_or(|after| row.new_version.is_some_and(|version| version > after))
                && cr_number.as_ref().is_none_or(|number| {
                    row.cr.as_deref().is_some_and(|cr| plain_number(cr) == *number)
                })
                && has_words(row.subject.as_deref().unwrap_or_default(), &words)
        };
        let mut rows: Vec<&HistoryRow> = history.rows.iter().filter(is_asked).collect();
        // Annexes go from old to new; of one version the order of the annex stays.
        rows.reverse();
        rows.sort_by_key(|row| std::cmp::Reverse(row.new_version.unwrap_or(LOWEST_VERSION)));
        let total = rows.len() as u64;
        let page: Vec<&HistoryRow> =
            rows.into_iter().skip(self.offset as usize).take(self.limit as usize).collect();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let registered = RegisteredChanges::read(&snapshot, &catalog, &entry.row.number, &page)
            .map_err(internal_failure)?;
        let changes = page.into_iter().map(|row| to_recorded_change(row, &registered)).collect();
        Ok(ChangeList {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            section_number,
            total,
            unread_rows: history.unread as u64,
            changes,
        })
    }
}

/// That of rows that print none.
const LOWEST_VERSION: Version = Version { major: 0, technical: 0, editorial: 0 };

/// The history in a document version, and the section that holds it. Documents that were stored before there was a
/// model have none that could be read.
fn read_recorded_changes(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
) -> Result<(Option<String>, ChangeHistory), StoreError> {
    let heads = snapshot.documents().section_heads(entry.id)?;
    let mut found = (None, ChangeHistory::default());
    for (ordinal, head) in (0..heads.len() as u32).zip(&heads).rev() {
        if !is_history_title(&head.title) {
            continue;
        }
        let key = SectionKey { document: entry.id, ordinal };
        let body = snapshot.documents().section_body(key)?.unwrap_or_default();
        let history = read_history(&body.blocks);
        if !history.rows.is_empty() {
            return Ok((Some(head.number.clone()), history));
        }
        found = (Some(head.number.clone()), history);
    }
    Ok(found)
}

/// The words of a text in lower case.
fn to_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

fn has_words(subject: &str, words: &[String]) -> bool {
    let of_subject = to_words(subject);
    words.iter().all(|word| of_subject.iter().any(|of| of.starts_with(word.as_str())))
}

/// A number of a change request or revision without leading zeros.
fn plain_number(text: &str) -> String {
    let trimmed = text.trim().trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_lowercase() }
}

fn to_recorded_change(row: &HistoryRow, registered: &RegisteredChanges) -> RecordedChange {
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
        registered: registered.of_row(row),
    }
}

/// The change requests to a specification that registers list, by their numbers.
#[derive(Default)]
struct RegisteredChanges(HashMap<String, Vec<RegisteredChange>>);

impl RegisteredChanges {
    /// Those whose numbers the rows have.
    fn read(
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        spec: &DocNumber,
        rows: &[&HistoryRow],
    ) -> Result<Self, StoreError> {
        let wanted: HashSet<String> =
            rows.iter().filter_map(|row| Some(plain_number(row.cr.as_deref()?))).collect();
        let mut changes = Self::default();
        if wanted.is_empty() {
            return Ok(changes);
        }
        let filter = TdocFilter {
            spec: Some(spec.clone()),
            kinds: vec![TdocKind::Cr],
            ..TdocFilter::default()
        };
        for entry in catalog.matching_entries(&filter) {
            let Some(row) = read_completed_row(snapshot, &entry.id)? else { continue };
            let Some(number) = row.entry.column_text(Column::Cr).map(plain_number) else {
                continue;
            };
            if wanted.contains(&number) {
                let change = to_registered_change(catalog, entry, &row);
                changes.0.entry(number).or_default().push(change);
            }
        }
        Ok(changes)
    }

    fn of_row(&self, row: &HistoryRow) -> Vec<RegisteredChange> {
        let number = row.cr.as_deref().map(plain_number);
        let mut found = number.and_then(|number| self.0.get(&number).cloned()).unwrap_or_default();
        let revision = |text: Option<&str>| match text {
            Some(text) => plain_number(text),
            None => "0".to_owned(),
        };
        let recorded = revision(row.revision.as_deref());
        for change in &mut found {
            change.is_recorded_revision = revision(change.cr_revision.as_deref()) == recorded;
        }
        found
    }
}

fn to_registered_change(
    catalog: &TdocCatalog,
    entry: &TdocEntry,
    row: &store::TdocRow,
) -> RegisteredChange {
    let text = |column| row.entry.column_text(column).map(str::to_owned);
    RegisteredChange {
        tdoc_id: entry.id.to_string(),
        title: text(Column::Title).unwrap_or_default(),
        sources: text(Column::Source),
        status: to_register_status(entry.status),
        meeting_id: catalog.meeting_of(entry).id.to_string(),
        work_items: text(Column::WorkItems),
        cr_revision: text(Column::CrRevision).filter(|text| text.trim() != "-"),
        is_recorded_revision: false,
    }
}
