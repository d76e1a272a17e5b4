//! The overview of a meeting: its agenda with counts, its key documents, its decisions by type.

use std::collections::{BTreeMap, HashMap};

use register::Column;

use super::{record, register_outcomes, register_outcomes::RegisterDecision};
use crate::service::internal_failure;
use contributions::{MeetingDecisions, TdocCatalog};
use domain::DocKind;
use domain::TdocId;
use store::Snapshot;
use wire::{
    Failure,
    records::{AgendaItemRecord, DecisionCounts, KeyDocument},
    values::{DecisionType, KeyDocumentKind},
};

/// A meeting without its decisions: agenda, key documents, counts.
#[derive(Clone)]
pub(super) struct MeetingOverview {
    pub(super) agenda_items: Vec<AgendaItemRecord>,
    pub(super) key_documents: Vec<KeyDocument>,
    pub(super) counts: DecisionCounts,
}

impl MeetingOverview {
    pub(super) fn load_overview(
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        meeting_index: u32,
        meeting_decisions: &MeetingDecisions,
        register_decisions: &[RegisterDecision],
        ways_forward: &HashMap<TdocId, String>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            agenda_items: collect_agenda_items(
                catalog,
                snapshot,
                meeting_index,
                meeting_decisions,
            )?,
            key_documents: find_key_documents(catalog, snapshot, meeting_index, ways_forward)?,
            counts: count_decisions(meeting_decisions, register_decisions),
        })
    }

    /// Leaves decisions out of the counts: those that the notes only quote, by their indexes.
    pub(super) fn leave_out_decisions(
        &mut self,
        indexes: &[usize],
        decisions: &MeetingDecisions,
        catalog: &TdocCatalog,
        meeting_index: u32,
    ) {
        for decision in indexes.iter().filter_map(|index| decisions.decisions.get(*index)) {
            let kind = decision.row.kind;
            if let Some(count) = self.counts.counts.get_mut(&kind) {
                *count = count.saturating_sub(1);
            }
            let Some(number) = decisions.agenda_item(decision, catalog, meeting_index) else {
                continue;
            };
            let key = agenda_sort_key(number);
            let same = |item: &&mut AgendaItemRecord| agenda_sort_key(&item.agenda_item) == key;
            if let Some(item) = self.agenda_items.iter_mut().find(same) {
                let counted = u64::from(kind != DecisionType::Noted);
                item.decision_count = item.decision_count.saturating_sub(counted);
            }
        }
        self.counts.total = self.counts.counts.values().sum();
    }
}

/// The items of the agenda that the register, documents or decisions name.
fn collect_agenda_items(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    meeting_index: u32,
    meeting_decisions: &MeetingDecisions,
) -> Result<Vec<AgendaItemRecord>, Failure> {
    let meeting = &catalog.meetings[meeting_index as usize];
    let mut items = AgendaItems::default();
    for row in meeting.register.iter().flat_map(|register| &register.agenda) {
        let number = row.number.as_str();
        let item = items.item(number);
        item.title = Some(row.title.clone()).filter(|title| !title.is_empty());
    }
    for entry in catalog.meeting_entries(meeting_index) {
        let Some(number) = entry.agenda_item.as_deref() else { continue };
        let item = items.item(number);
        item.tdoc_count += 1;
        if item.title.is_none() {
            let row = snapshot.tdocs().tdoc_row(&entry.id).map_err(internal_failure)?;
            let title =
                row.and_then(|row| row.entry.column_text(Column::AgendaTitle).map(str::to_owned));
            item.title = title;
        }
    }
    for decision in &meeting_decisions.decisions {
        let row = &decision.row;
        let item = meeting_decisions.agenda_item(decision, catalog, meeting_index);
        let Some(number) = item else { continue };
        let item = items.item(number);
        item.decision_count += u64::from(row.kind != DecisionType::Noted);
        item.title = item.title.take().or_else(|| row.heading.clone());
    }
    Ok(items.into_ordered())
}

/// The items of an agenda; `8.A` and `8.a` are the same.
#[derive(Default)]
struct AgendaItems {
    items: Vec<AgendaItemRecord>,
    /// Their positions, in the order of the agenda.
    by_key: BTreeMap<AgendaSortKey, usize>,
    /// Their positions by their numbers as they are written: thousands of documents name a hundred items.
    by_number: HashMap<String, usize>,
}

impl AgendaItems {
    /// The item of a number; a new one if there is none.
    fn item(&mut self, number: &str) -> &mut AgendaItemRecord {
        let position = match self.by_number.get(number) {
            Some(position) => *position,
            None => self.add_number(number),
        };
        &mut self.items[position]
    }

    fn add_number(&mut self, number: &str) -> usize {
        let position = *self.by_key.entry(agenda_sort_key(number)).or_insert(self.items.len());
        if position == self.items.len() {
            self.items.push(AgendaItemRecord {
                agenda_item: number.to_owned(),
                title: None,
                tdoc_count: 0,
                decision_count: 0,
            });
        }
        self.by_number.insert(number.to_owned(), position);
        position
    }

    fn into_ordered(self) -> Vec<AgendaItemRecord> {
        let mut items: Vec<_> = self.items.into_iter().map(Some).collect();
        self.by_key.into_values().filter_map(|position| items[position].take()).collect()
    }
}

/// Orders the numbers of agenda items: `8.2` before `8.10`, numbers before letters.
type AgendaSortKey = Vec<(u32, String)>;

fn agenda_sort_key(number: &str) -> AgendaSortKey {
    let part = |part: &str| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let count = part[..digits].parse().unwrap_or(u32::MAX);
        (count, part[digits..].to_lowercase())
    };
    number.split('.').map(part).collect()
}

/// Meeting reports, chair notes, agendas, summaries and ways forward.
fn find_key_documents(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    meeting_index: u32,
    ways_forward: &HashMap<TdocId, String>,
) -> Result<Vec<KeyDocument>, Failure> {
    let mut found = Vec::new();
    for entry in catalog.meeting_entries(meeting_index) {
        let Some(kind) = key_document_kind(entry.kind) else { continue };
        let title = match (kind, ways_forward.get(&entry.id)) {
            (_, Some(title)) => title.clone(),
            (KeyDocumentKind::WayForward, None) => continue,
            (_, None) => register_outcomes::read_title(snapshot, &entry.id)?,
        };
        let document = record::read_decision_tdoc(catalog, snapshot, &entry.id)?;
        found.push(KeyDocument {
            tdoc_id: document.tdoc_id,
            title,
            doc_kind: kind,
            status: entry.status,
            agenda_item: entry.agenda_item.as_deref().map(str::to_owned),
            official_url: document.official_url,
        });
    }
    // The order of the kinds is by how much they usually say.
    found.sort_by_key(|key| (key.doc_kind, key.tdoc_id.clone()));
    Ok(found)
}

/// The kind of key document that a kind of document is; a contribution is a way forward only if its title says so.
fn key_document_kind(kind: DocKind) -> Option<KeyDocumentKind> {
    match kind {
        DocKind::MeetingReport => Some(KeyDocumentKind::MeetingReport),
        DocKind::ChairNotes => Some(KeyDocumentKind::ChairNotes),
        DocKind::Agenda => Some(KeyDocumentKind::Agenda),
        DocKind::Summary => Some(KeyDocumentKind::Summary),
        DocKind::Contribution => Some(KeyDocumentKind::WayForward),
        DocKind::Cr
        | DocKind::DraftCr
        | DocKind::PCr
        | DocKind::LiaisonStatement
        | DocKind::Report
        | DocKind::WorkPlan
        | DocKind::StatusReport
        | DocKind::WorkItemDescription
        | DocKind::StudyItemDescription
        | DocKind::DraftSpecification
        | DocKind::SpecificationCover
        | DocKind::CrPack
        | DocKind::WorkItemSummary
        | DocKind::ExceptionRequest
        | DocKind::TermsOfReference => None,
    }
}

/// Decisions by type: those of the notes, and those that only the register has.
fn count_decisions(
    meeting_decisions: &MeetingDecisions,
    register_decisions: &[RegisterDecision],
) -> DecisionCounts {
    let mut counts: BTreeMap<DecisionType, u64> =
        DecisionType::ALL.into_iter().map(|kind| (kind, 0)).collect();
    let mut count = |kind: DecisionType| *counts.entry(kind).or_default() += 1;
    meeting_decisions.decisions.iter().for_each(|decision| count(decision.row.kind));
    let only_in_register = register_decisions.iter().filter(|decision| !decision.is_in_notes);
    only_in_register.for_each(|decision| count(decision.kind));
    let total = counts.values().sum();
    DecisionCounts { counts, total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_an_agenda_are_in_the_order_of_their_numbers() {
        let mut numbers = ["8.10", "8.2", "8", "10", "8.2.1", "8.2a"];
        numbers.sort_by_key(|number| agenda_sort_key(number));
        assert_eq!(numbers, ["8", "8.2", "8.2.1", "8.2a", "8.10", "10"]);
    }
}
