//! The cached view of a meeting: its decisions merged from all of its notes, the outcomes in its register, and its
//! overview.

use std::{
    collections::HashMap,
    sync::{Arc, MutexGuard, OnceLock, PoisonError},
};

use super::{
    overview::MeetingOverview,
    record,
    register_outcomes::{self, RegisterDecision},
};
use crate::service::{Service, internal_failure};
use contributions::{MeetingDecisions, TdocCatalog, load_decision_sources};
use domain::{DocumentOutcome, MeetingId, TdocId};
use store::Snapshot;
use wire::{Failure, records::DecisionSourceRecord};

/// Maximum number of cached meetings. `search_decisions` and `trace_clause` read all meetings with notes: beyond this
/// number, each request reads the decisions of some of them again.
const MAX_CACHED_MEETINGS: usize = 128;

/// What the operations on a meeting read of it.
pub(in crate::service) struct MeetingView {
    /// Its decisions.
    pub(super) decisions: Arc<MeetingDecisions>,
    /// The outcomes of its documents in its register, by number.
    pub(super) register_decisions: Vec<RegisterDecision>,
    /// Notes and reports among its documents that were not read.
    pub(super) missing_sources: Vec<DecisionSourceRecord>,
    /// Its agenda, key documents and counts.
    pub(super) overview: MeetingOverview,
    /// The titles of `register_decisions`; read on the first question about a topic.
    register_titles: OnceLock<Vec<String>>,
}

/// The cached decisions and views, by meeting.
#[derive(Default)]
pub(in crate::service) struct MeetingViewCache {
    decisions: HashMap<MeetingId, Arc<MeetingDecisions>>,
    /// The generation of registers and notes that `views` were made from.
    tdocs_generation: u64,
    views: HashMap<MeetingId, Arc<MeetingView>>,
}

/// The decisions of a meeting; loaded at the first request after its notes have changed.
pub(in crate::service) fn meeting_decisions(
    service: &Service,
    snapshot: &Snapshot,
    meeting: &MeetingId,
) -> Result<Arc<MeetingDecisions>, Failure> {
    let sources = load_decision_sources(snapshot, meeting).map_err(internal_failure)?;
    let is_current = |cached: &&Arc<MeetingDecisions>| cached.are_from(&sources);
    if let Some(cached) = lock_meeting_views(service).decisions.get(meeting).filter(is_current) {
        return Ok(cached.clone());
    }
    let loaded =
        Arc::new(MeetingDecisions::from_snapshot(snapshot, sources).map_err(internal_failure)?);
    insert_bounded(&mut lock_meeting_views(service).decisions, meeting, &loaded);
    Ok(loaded)
}

/// The view of a meeting of the catalog, by its index.
pub(super) fn meeting_view(
    service: &Service,
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    meeting_index: u32,
) -> Result<Arc<MeetingView>, Failure> {
    let meeting = &catalog.meetings[meeting_index as usize].id;
    let decisions = meeting_decisions(service, snapshot, meeting)?;
    let generation = snapshot.tdocs().tdocs_generation().map_err(internal_failure)?;
    {
        let cache = lock_meeting_views(service);
        let is_current = |view: &&Arc<MeetingView>| {
            cache.tdocs_generation == generation && Arc::ptr_eq(&view.decisions, &decisions)
        };
        if let Some(cached) = cache.views.get(meeting).filter(is_current) {
            return Ok(cached.clone());
        }
    }
    let view = Arc::new(MeetingView::load_view(snapshot, catalog, meeting_index, decisions)?);
    let mut cache = lock_meeting_views(service);
    if cache.tdocs_generation != generation {
        cache.views.clear();
        cache.tdocs_generation = generation;
    }
    insert_bounded(&mut cache.views, meeting, &view);
    Ok(view)
}

fn lock_meeting_views(service: &Service) -> MutexGuard<'_, MeetingViewCache> {
    service.meeting_views.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Inserts a value; a full cache first evicts an arbitrary meeting.
fn insert_bounded<T>(cache: &mut HashMap<MeetingId, Arc<T>>, meeting: &MeetingId, value: &Arc<T>) {
    if cache.len() >= MAX_CACHED_MEETINGS
        && !cache.contains_key(meeting)
        && let Some(evicted) = cache.keys().next().cloned()
    {
        cache.remove(&evicted);
    }
    cache.insert(meeting.clone(), value.clone());
}

impl MeetingView {
    fn load_view(
        snapshot: &Snapshot,
        catalog: &TdocCatalog,
        meeting_index: u32,
        decisions: Arc<MeetingDecisions>,
    ) -> Result<Self, Failure> {
        let missing_sources =
            record::find_missing_sources(catalog, snapshot, meeting_index, &decisions.notes)?;
        let ways_forward = register_outcomes::find_ways_forward(snapshot, catalog, meeting_index)?;
        let register_decisions =
            find_register_decisions(catalog, meeting_index, &decisions, &ways_forward);
        let overview = MeetingOverview::load_overview(
            snapshot,
            catalog,
            meeting_index,
            &decisions,
            &register_decisions,
            &ways_forward,
        )?;
        let register_titles = OnceLock::new();
        Ok(Self { decisions, register_decisions, missing_sources, overview, register_titles })
    }

    /// The titles of `register_decisions`, in their order.
    pub(super) fn register_titles(&self, snapshot: &Snapshot) -> Result<&[String], Failure> {
        if let Some(titles) = self.register_titles.get() {
            return Ok(titles);
        }
        let all = self.register_decisions.iter();
        let titles = all.map(|decision| register_outcomes::read_title(snapshot, &decision.id));
        let titles = titles.collect::<Result<Vec<_>, _>>()?;
        Ok(self.register_titles.get_or_init(|| titles))
    }
}

fn find_register_decisions(
    catalog: &TdocCatalog,
    meeting_index: u32,
    meeting_decisions: &MeetingDecisions,
    ways_forward: &HashMap<TdocId, String>,
) -> Vec<RegisterDecision> {
    let all = meeting_decisions.decisions.iter();
    let mut outcomes_in_notes: HashMap<&TdocId, Vec<DocumentOutcome>> = HashMap::new();
    for row in all.map(|decision| &decision.row).filter(|row| !row.kind.is_text()) {
        if let (Some(id), Some(outcome)) = (&row.recorded_under, row.outcome) {
            outcomes_in_notes.entry(id).or_default().push(outcome);
        }
    }
    let mut found = Vec::new();
    for (entry, outcome) in register_outcomes::find_decided_tdocs(catalog, meeting_index) {
        let agrees = |in_notes: &DocumentOutcome| {
            register_outcomes::outcomes_agree(Some(*in_notes), Some(outcome)) == Some(true)
        };
        found.push(RegisterDecision {
            id: entry.id.clone(),
            agenda_item: entry.agenda_item.as_deref().map(str::to_owned),
            kind: register_outcomes::decision_kind_of(entry, outcome, ways_forward),
            outcome,
            is_in_notes: outcomes_in_notes
                .get(&entry.id)
                .is_some_and(|outcomes| outcomes.iter().any(agrees)),
        });
    }
    found
}
