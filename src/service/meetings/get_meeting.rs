//! `get_meeting`: a meeting with its agenda, its key documents, and where its decisions are written down.

use std::collections::BTreeMap;

use register::Column;

use super::{record, registered, view::Registered};
use crate::service::{Operation, Service, internal, tdocs::asked};
use accounts::Caller;
use contributions::{Catalog, DocKind, MeetingDecisions};
use domain::DecisionKind;
use store::Snapshot;
use wire::{
    Effect, Failure, Route, ToolFacts,
    params::GetMeeting,
    records::{AgendaItemRecord, DecisionCounts, KeyDocument, MeetingDetail},
};

impl Operation for GetMeeting {
    const NAME: &'static str = "get_meeting";
    const ROUTE: Route = Route::get("/meetings/{meeting_id}");
    const STATUSES: &'static [u16] = &[400];
    const TOOL: Option<ToolFacts> = Some(ToolFacts {
        title: "Overview of a meeting",
        advice: "Use this for one meeting: its agenda with counts, its key documents (chair notes, reports, \
            summaries, ways forward), which sources of decisions were read, and how many decisions of \
            each type there are. Use list_meeting_decisions for the decisions themselves.",
        rest: "Use list_tdocs with meeting and agenda_item for the documents, and list_meeting_decisions for \
            the decisions.",
        reads_on: None,
        effect: Effect::Reads,
        is_record: false,
    });
    type Reply = MeetingDetail;

    fn check(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.contributions(&service.store.snapshot())?;
        asked::meeting_named("meeting_id", &catalog, &self.meeting_id).map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<MeetingDetail, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.contributions(&snapshot)?;
        let place = asked::meeting_named("meeting_id", &catalog, &self.meeting_id)?;
        let meeting = &catalog.meetings[place as usize];
        let view = service.meeting_view(&snapshot, &catalog, place)?;
        let decided = &view.decided;
        let read = record::indexed(&catalog, &snapshot)[place as usize];
        let mut sources: Vec<_> = decided.notes.iter().map(record::processed).collect();
        sources.extend(view.missing.iter().cloned());
        let Overview { agenda_items, key_documents, counts } = view.overview.clone();
        let count = decided.decisions.len() as u64;
        Ok(MeetingDetail {
            meeting: record::meeting(meeting, record::today(), read, count),
            agenda_items,
            key_documents,
            decision_sources: sources,
            decisions: counts,
        })
    }
}

/// What is told of a meeting beside its decisions themselves.
#[derive(Clone)]
pub(super) struct Overview {
    agenda_items: Vec<AgendaItemRecord>,
    key_documents: Vec<KeyDocument>,
    counts: DecisionCounts,
}

impl Overview {
    pub(super) fn read(
        snapshot: &Snapshot,
        catalog: &Catalog,
        place: u32,
        decided: &MeetingDecisions,
        registered: &[Registered],
    ) -> Result<Self, Failure> {
        Ok(Self {
            agenda_items: agenda(catalog, snapshot, place, decided)?,
            key_documents: key_documents(catalog, snapshot, place)?,
            counts: counts(decided, registered),
        })
    }
}

/// Items of the agenda, from documents, the register, and decisions.
fn agenda(
    catalog: &Catalog,
    snapshot: &Snapshot,
    place: u32,
    decided: &MeetingDecisions,
) -> Result<Vec<AgendaItemRecord>, Failure> {
    let meeting = &catalog.meetings[place as usize];
    let mut items: BTreeMap<AgendaOrder, AgendaItemRecord> = BTreeMap::new();
    let new = |number: &str| AgendaItemRecord {
        agenda_item: number.to_owned(),
        title: None,
        tdoc_count: 0,
        decision_count: 0,
    };
    for item in meeting.register.iter().flat_map(|register| &register.agenda) {
        let known = items.entry(order(&item.number)).or_insert_with(|| new(&item.number));
        known.title = Some(item.title.clone()).filter(|title| !title.is_empty());
    }
    for entry in catalog.entries().filter(|entry| entry.meeting == place) {
        let Some(number) = entry.agenda_item.as_deref() else { continue };
        let known = items.entry(order(number)).or_insert_with(|| new(number));
        known.tdoc_count += 1;
        if known.title.is_none() {
            let row = snapshot.tdoc(&entry.id).map_err(internal)?;
            let title = row.and_then(|row| row.entry.text(Column::AgendaTitle).map(str::to_owned));
            known.title = title;
        }
    }
    for decision in &decided.decisions {
        let row = &decision.row;
        let Some(number) = row.agenda_item.as_deref() else { continue };
        let known = items.entry(order(number)).or_insert_with(|| new(number));
        known.decision_count += u64::from(row.kind != DecisionKind::Noted);
        known.title = known.title.take().or_else(|| row.heading.clone());
    }
    Ok(items.into_values().collect())
}

/// Numbers of an agenda in their order: `8.2` before `8.10`, numbers before letters.
type AgendaOrder = Vec<(u32, String)>;

fn order(number: &str) -> AgendaOrder {
    let part = |part: &str| {
        let digits = part.bytes().take_while(u8::is_ascii_digit).count();
        let count = part[..digits].parse().unwrap_or(u32::MAX);
        (count, part[digits..].to_lowercase())
    };
    number.split('.').map(part).collect()
}

/// Chair notes, reports, summaries and ways forward.
fn key_documents(
    catalog: &Catalog,
    snapshot: &Snapshot,
    place: u32,
) -> Result<Vec<KeyDocument>, Failure> {
    let mut found = Vec::new();
    for entry in catalog.entries().filter(|entry| entry.meeting == place) {
        let is_key = entry.kind.is_of_others() || entry.kind == DocKind::Agenda;
        let may_be = matches!(entry.kind, DocKind::Contribution);
        if !is_key && !may_be {
            continue;
        }
        let title = registered::title_of(snapshot, entry)?;
        let is_forward = may_be && registered::is_way_forward(&title);
        if !is_key && !is_forward {
            continue;
        }
        let document = record::document(catalog, snapshot, &entry.id)?;
        let kind = if is_forward { "way forward" } else { entry.kind.as_str() };
        found.push(KeyDocument {
            tdoc_id: document.tdoc_id,
            title,
            doc_kind: kind.to_owned(),
            status: document.status.unwrap_or_default(),
            agenda_item: entry.agenda_item.as_deref().map(str::to_owned),
            official_url: document.official_url,
        });
    }
    found.sort_by_key(|key| (rank(&key.doc_kind), key.tdoc_id.clone()));
    Ok(found)
}

/// What says most comes first.
fn rank(kind: &str) -> usize {
    let order = ["meeting report", "chair notes", "agenda", "summary", "way forward"];
    order.iter().position(|known| *known == kind).unwrap_or(order.len())
}

/// Decisions by type: those that are written down, and what registers alone say of documents.
fn counts(decided: &MeetingDecisions, registered: &[Registered]) -> DecisionCounts {
    let mut counts: BTreeMap<String, u64> =
        DecisionKind::all().map(|kind| (kind.as_str().to_owned(), 0)).collect();
    let mut count = |kind: DecisionKind| *counts.entry(kind.as_str().to_owned()).or_default() += 1;
    decided.decisions.iter().for_each(|decision| count(decision.row.kind));
    registered.iter().filter(|said| !said.is_told).for_each(|said| count(said.kind));
    let total = counts.values().sum();
    DecisionCounts { counts, total }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_of_an_agenda_are_in_the_order_of_their_numbers() {
        let mut numbers = ["8.10", "8.2", "8", "10", "8.2.1", "8.2a"];
        numbers.sort_by_key(|number| order(number));
        assert_eq!(numbers, ["8", "8.2", "8.2.1", "8.2a", "8.10", "10"]);
    }
}
