//! `compare_sections`: what differs in a section between two versions of its document.

use domain::SectionNumber;

use super::{
    heading_only::count_sections_below,
    hunks::list_hunks,
    marked_text::print_hunks,
    summary::{change_kinds, summarize_pair},
    versions::{VersionPair, unknown_section},
};
use crate::service::{Operation, Service, internal_failure};
use accounts::Caller;
use store::{DocumentEntry, Snapshot, StoreError};
use wire::{
    Failure,
    params::CompareSections,
    records::{SectionComparison, SectionDifference},
    values::DifferenceForm,
};

impl Operation for CompareSections {
    fn run(self, service: &Service, _caller: &Caller) -> Result<SectionComparison, Failure> {
        let snapshot = service.store.snapshot();
        let (from, to) = (self.from.as_deref(), self.to.as_deref());
        let versions = VersionPair::find(service, &snapshot, &self.doc_number, from, to)?;
        let alignment =
            service.comparisons.alignment_of(&snapshot, versions).map_err(internal_failure)?;
        let number = SectionNumber::from_typed(&self.section_number);
        let asked = alignment.pairs_of_section(number.as_str(), self.prefix);
        if asked.is_empty() {
            return Err(unknown_section(number.as_str(), &[versions.old, versions.new]));
        }
        let (mut total, mut unchanged, mut sections) = (0, 0, Vec::new());
        let page = u64::from(self.offset)..u64::from(self.offset) + u64::from(self.limit);
        for index in asked {
            let pair = &alignment.pairs[index];
            let change = alignment.change_of(&snapshot, pair).map_err(internal_failure)?;
            let counts = change.as_ref().map(|change| change.counts());
            if change_kinds(pair, counts.as_ref()).is_empty() {
                unchanged += 1;
                continue;
            }
            total += 1;
            if !page.contains(&(total - 1)) {
                continue;
            }
            let hunks = change.map(|change| list_hunks(&change)).unwrap_or_default();
            let summary = summarize_pair(&alignment, pair, counts.as_ref());
            sections.push(match self.form {
                DifferenceForm::Text => {
                    SectionDifference { summary, text: Some(print_hunks(&hunks)), hunks: None }
                }
                DifferenceForm::Hunks => {
                    SectionDifference { summary, text: None, hunks: Some(hunks) }
                }
            });
        }
        let note = if self.prefix {
            None
        } else {
            describe_heading(&snapshot, versions.new, number.as_str()).map_err(internal_failure)?
        };
        Ok(SectionComparison {
            doc_number: versions.new.row.number.to_string(),
            from: versions.old.row.version.to_string(),
            to: versions.new.row.version.to_string(),
            branch_warning: versions.branch_warning(service, &snapshot)?,
            note,
            total,
            unchanged,
            sections,
        })
    }
}

/// Says of a section that is only a heading that what is below it was not compared.
fn describe_heading(
    snapshot: &Snapshot,
    entry: &DocumentEntry,
    number: &str,
) -> Result<Option<String>, StoreError> {
    let heads = snapshot.documents().section_heads(entry.id)?;
    let below = count_sections_below(snapshot, entry, &heads, number)?;
    Ok(below.map(|below| {
        format!(
            "Section {number} of {} is only a heading: its subsections ({below}) were not compared. Set prefix to true to \
             compare them.",
            entry.row.version
        )
    }))
}
