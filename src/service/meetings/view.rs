//! What questions on a meeting need again and again, kept in memory: its decisions from all of its notes, and what
//! its register says.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
};

use super::{get_meeting::Overview, record, registered};
use crate::service::{Service, internal};
use contributions::{Catalog, MeetingDecisions, sources_of};
use domain::{DecisionKind, MeetingId, Outcome, TdocId};
use store::Snapshot;
use wire::{Failure, records::DecisionSourceRecord};

/// Meetings that are kept.
const MOST_KEPT: usize = 128;

/// A meeting as questions see it.
pub(in crate::service) struct MeetingView {
    /// Its decisions.
    pub(super) decided: Arc<MeetingDecisions>,
    /// What its register says that became of its documents, by number.
    pub(super) registered: Vec<Registered>,
    /// Notes and reports among its documents that were not read.
    pub(super) missing: Vec<DecisionSourceRecord>,
    /// Its agenda, key documents and counts.
    pub(super) overview: Overview,
}

/// What a register says that became of a document.
pub(super) struct Registered {
    pub(super) id: TdocId,
    pub(super) title: String,
    pub(super) agenda_item: Option<String>,
    pub(super) kind: DecisionKind,
    pub(super) outcome: Outcome,
    /// Whether notes say the same of it: then they say it for the register too.
    pub(super) is_told: bool,
}

/// Views in memory.
#[derive(Default)]
pub(in crate::service) struct KeptViews {
    decided: HashMap<MeetingId, Arc<MeetingDecisions>>,
    /// The state of the registers that the views are of.
    registers: u64,
    views: HashMap<MeetingId, Arc<MeetingView>>,
}

impl Service {
    /// The decisions of a meeting; read when they are first asked for after its notes have changed.
    pub(in crate::service) fn decisions_of(
        &self,
        snapshot: &Snapshot,
        meeting: &MeetingId,
    ) -> Result<Arc<MeetingDecisions>, Failure> {
        let notes = sources_of(snapshot, meeting).map_err(internal)?;
        let kept = || self.meetings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().decided.get(meeting).filter(|known| known.notes == notes) {
            return Ok(known.clone());
        }
        let read = Arc::new(MeetingDecisions::load(snapshot, notes).map_err(internal)?);
        keep(&mut kept().decided, meeting, &read);
        Ok(read)
    }

    /// A meeting of the catalog, by its place there.
    pub(super) fn meeting_view(
        &self,
        snapshot: &Snapshot,
        catalog: &Catalog,
        place: u32,
    ) -> Result<Arc<MeetingView>, Failure> {
        let meeting = &catalog.meetings[place as usize].id;
        let decided = self.decisions_of(snapshot, meeting)?;
        let registers = snapshot.tdocs_generation().map_err(internal)?;
        let kept = || self.meetings.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let kept = kept();
            let is_of_now = |view: &&Arc<MeetingView>| Arc::ptr_eq(&view.decided, &decided);
            let known = kept.views.get(meeting).filter(|_| kept.registers == registers);
            if let Some(known) = known.filter(is_of_now) {
                return Ok(known.clone());
            }
        }
        let view = Arc::new(MeetingView::read(snapshot, catalog, place, decided)?);
        let mut kept = kept();
        if kept.registers != registers {
            kept.views.clear();
            kept.registers = registers;
        }
        keep(&mut kept.views, meeting, &view);
        Ok(view)
    }
}

/// Keeps one more. Any goes where there are too many: the others stay.
fn keep<T>(kept: &mut HashMap<MeetingId, Arc<T>>, meeting: &MeetingId, one: &Arc<T>) {
    if kept.len() >= MOST_KEPT
        && !kept.contains_key(meeting)
        && let Some(any) = kept.keys().next().cloned()
    {
        kept.remove(&any);
    }
    kept.insert(meeting.clone(), one.clone());
}

impl MeetingView {
    fn read(
        snapshot: &Snapshot,
        catalog: &Catalog,
        place: u32,
        decided: Arc<MeetingDecisions>,
    ) -> Result<Self, Failure> {
        let missing = record::missing(catalog, snapshot, place, &decided.notes)?;
        let registered = said_by_register(snapshot, catalog, place, &decided)?;
        let overview = Overview::read(snapshot, catalog, place, &decided, &registered)?;
        Ok(Self { decided, registered, missing, overview })
    }
}

fn said_by_register(
    snapshot: &Snapshot,
    catalog: &Catalog,
    place: u32,
    decided: &MeetingDecisions,
) -> Result<Vec<Registered>, Failure> {
    let outcomes = decided.decisions.iter().filter(|decision| !decision.row.kind.is_text());
    let mut told: HashMap<&TdocId, Vec<Outcome>> = HashMap::new();
    for row in outcomes.map(|decision| &decision.row) {
        if let (Some(id), Some(outcome)) = (&row.recorded_under, row.outcome) {
            told.entry(id).or_default().push(outcome);
        }
    }
    let mut found = Vec::new();
    for (entry, outcome) in registered::decided(catalog, place) {
        let title = registered::title_of(snapshot, entry)?;
        let agrees = |said: &Outcome| registered::agree(Some(*said), Some(outcome)) == Some(true);
        found.push(Registered {
            id: entry.id.clone(),
            agenda_item: entry.agenda_item.as_deref().map(str::to_owned),
            kind: registered::kind_of(entry, &title, outcome),
            title,
            outcome,
            is_told: told.get(&entry.id).is_some_and(|said| said.iter().any(agrees)),
        });
    }
    Ok(found)
}
