//! What questions on a meeting need again and again, kept in memory: its decisions from all of its notes, and what
//! its register says.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
};

use super::{
    overview::MeetingOverview,
    record,
    register_outcomes::{self, RegisterDecision},
};
use crate::service::{Service, internal_failure};
use contributions::{MeetingDecisions, TdocCatalog, load_decision_sources};
use domain::{DecisionOutcome, MeetingId, TdocId};
use store::Snapshot;
use wire::{Failure, records::DecisionSourceRecord};

/// Meetings that are kept.
const MAX_CACHED_MEETINGS: usize = 128;

/// A meeting as questions see it.
pub(in crate::service) struct MeetingView {
    /// Its decisions.
    pub(super) decided: Arc<MeetingDecisions>,
    /// What its register says that became of its documents, by number.
    pub(super) register_decisions: Vec<RegisterDecision>,
    /// Notes and reports among its documents that were not read.
    pub(super) missing_sources: Vec<DecisionSourceRecord>,
    /// Its agenda, key documents and counts.
    pub(super) overview: MeetingOverview,
}

/// Views in memory.
#[derive(Default)]
pub(in crate::service) struct MeetingViewCache {
    decided: HashMap<MeetingId, Arc<MeetingDecisions>>,
    /// The state of the registers that the views are of.
    registers: u64,
    views: HashMap<MeetingId, Arc<MeetingView>>,
}

impl Service {
    /// The decisions of a meeting; read when they are first asked for after its notes have changed.
    pub(in crate::service) fn meeting_decisions(
        &self,
        snapshot: &Snapshot,
        meeting: &MeetingId,
    ) -> Result<Arc<MeetingDecisions>, Failure> {
        let notes = load_decision_sources(snapshot, meeting).map_err(internal_failure)?;
        let kept = || self.meeting_views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().decided.get(meeting).filter(|known| known.notes == notes) {
            return Ok(known.clone());
        }
        let read =
            Arc::new(MeetingDecisions::from_snapshot(snapshot, notes).map_err(internal_failure)?);
        insert_bounded(&mut kept().decided, meeting, &read);
        Ok(read)
    }

    /// A meeting of the catalog, by its place there.
    pub(super) fn meeting_view(
        &self,
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        meeting_index: u32,
    ) -> Result<Arc<MeetingView>, Failure> {
        let meeting = &catalog.meetings[meeting_index as usize].id;
        let decided = self.meeting_decisions(snapshot, meeting)?;
        let registers = snapshot.tdocs().tdocs_generation().map_err(internal_failure)?;
        let kept = || self.meeting_views.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let kept = kept();
            let is_of_now = |view: &&Arc<MeetingView>| Arc::ptr_eq(&view.decided, &decided);
            let known = kept.views.get(meeting).filter(|_| kept.registers == registers);
            if let Some(known) = known.filter(is_of_now) {
                return Ok(known.clone());
            }
        }
        let view = Arc::new(MeetingView::load_view(snapshot, catalog, meeting_index, decided)?);
        let mut kept = kept();
        if kept.registers != registers {
            kept.views.clear();
            kept.registers = registers;
        }
        insert_bounded(&mut kept.views, meeting, &view);
        Ok(view)
    }
}

/// Keeps one more. Any goes where there are too many: the others stay.
fn insert_bounded<T>(kept: &mut HashMap<MeetingId, Arc<T>>, meeting: &MeetingId, one: &Arc<T>) {
    if kept.len() >= MAX_CACHED_MEETINGS
        && !kept.contains_key(meeting)
        && let Some(any) = kept.keys().next().cloned()
    {
        kept.remove(&any);
    }
    kept.insert(meeting.clone(), one.clone());
}

impl MeetingView {
    fn load_view(
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        meeting_index: u32,
        decided: Arc<MeetingDecisions>,
    ) -> Result<Self, Failure> {
        let missing =
            record::find_missing_sources(catalog, snapshot, meeting_index, &decided.notes)?;
        let registered = read_register_decisions(snapshot, catalog, meeting_index, &decided)?;
        let overview = MeetingOverview::load_overview(
            snapshot,
            catalog,
            meeting_index,
            &decided,
            &registered,
        )?;
        Ok(Self { decided, register_decisions: registered, missing_sources: missing, overview })
    }
}

fn read_register_decisions(
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    meeting_index: u32,
    decided: &MeetingDecisions,
) -> Result<Vec<RegisterDecision>, Failure> {
    let outcomes = decided.decisions.iter().filter(|decision| !decision.row.kind.is_text());
    let mut noted: HashMap<&TdocId, Vec<DecisionOutcome>> = HashMap::new();
    for row in outcomes.map(|decision| &decision.row) {
        if let (Some(id), Some(outcome)) = (&row.recorded_under, row.outcome) {
            noted.entry(id).or_default().push(outcome);
        }
    }
    let mut found = Vec::new();
    for (entry, outcome) in register_outcomes::find_decided_tdocs(catalog, meeting_index) {
        let title = register_outcomes::read_title(snapshot, entry)?;
        let agrees = |said: &DecisionOutcome| {
            register_outcomes::outcomes_agree(Some(*said), Some(outcome)) == Some(true)
        };
        found.push(RegisterDecision {
            id: entry.id.clone(),
            agenda_item: entry.agenda_item.as_deref().map(str::to_owned),
            kind: register_outcomes::decision_kind_of(entry, &title, outcome),
            title,
            outcome,
            is_in_notes: noted.get(&entry.id).is_some_and(|said| said.iter().any(agrees)),
        });
    }
    Ok(found)
}
