//! `list_changes`: the change requests that a document's annex "Change history" records.

use change_history::HistoryRow;

use super::{
    registered::{RegisteredChanges, to_recorded_change},
    split_words,
    versions::{choose_version, find_versions},
};
use crate::service::{
    Operation, Service,
    diagnosis::{DiagnosisContext, Reasons, diagnose_filters, diagnose_page},
    internal_failure, require_definitions,
};
use accounts::Caller;
use contributions::plain_change_number;
use domain::Version;
use wire::{Failure, params::ListChanges, records::ChangeList};

impl Operation for ListChanges {
    fn run(self, service: &Service, _caller: &Caller) -> Result<ChangeList, Failure> {
        let snapshot = service.store.snapshot();
        let versions = find_versions(&snapshot, &self.doc_number)?;
        let entry = choose_version(&versions, "to", self.to.as_deref())?;
        let after = match &self.from {
            Some(_) => Some(choose_version(&versions, "from", self.from.as_deref())?.row.version),
            None => None,
        };
        require_definitions(&snapshot, entry)?;
        let recorded =
            service.comparisons.history_of(&snapshot, entry).map_err(internal_failure)?;
        let history = &recorded.history;
        let words: Vec<String> = self.subject.iter().flat_map(|text| to_words(text)).collect();
        let cr_number = self.cr_number.as_deref().map(plain_change_number);
        let is_asked = |row: &&HistoryRow| {
            after.is_none_or(|after| row.new_version.is_some_and(|version| version > after))
                && cr_number.as_ref().is_none_or(|number| {
                    row.cr.as_deref().is_some_and(|cr| plain_change_number(cr) == *number)
                })
                && has_words(row.subject.as_deref().unwrap_or_default(), &words)
        };
        let mut rows: Vec<&HistoryRow> = history.rows.iter().filter(is_asked).collect();
        // Annexes are ordered from old to new, so their last rows come first.
        rows.reverse();
        rows.sort_by_key(|row| std::cmp::Reverse(row.new_version.unwrap_or(LOWEST_VERSION)));
        let total = rows.len() as u64;
        let page: Vec<&HistoryRow> =
            rows.into_iter().skip(self.offset as usize).take(self.limit as usize).collect();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let registered = RegisteredChanges::read(&snapshot, &catalog, &entry.row.number, &page)
            .map_err(internal_failure)?;
        let to_record = |row: &HistoryRow| to_recorded_change(row, &registered.of_row(row));
        let changes = page.into_iter().map(to_record).collect();
        Ok(ChangeList {
            doc_number: entry.row.number.to_string(),
            version: entry.row.version.to_string(),
            section_number: recorded.section_number.clone(),
            total,
            unread_rows: history.unread as u64,
            changes,
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &ChangeList,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.changes.is_empty()
            || diagnose_page("offset", self.offset.into(), reply.total, reasons)
        {
            return Ok(());
        }
        diagnose_filters(self, &["from", "subject", "cr_number"], "change", reasons, |asked| {
            Ok(asked.clone().run(context.service, context.caller)?.total)
        })
    }
}

/// The version of rows that print none: they come last.
const LOWEST_VERSION: Version = Version { major: 0, technical: 0, editorial: 0 };

/// The words of a text in lower case.
fn to_words(text: &str) -> Vec<String> {
    split_words(text).map(str::to_lowercase).collect()
}

fn has_words(subject: &str, words: &[String]) -> bool {
    let of_subject = to_words(subject);
    words.iter().all(|word| of_subject.iter().any(|of| of.starts_with(word.as_str())))
}
