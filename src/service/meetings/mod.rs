//! Meetings: when they are, what is before them, and what they decided.

mod adopted;
mod get_meeting;
mod list_decisions;
mod list_meetings;
mod notes_import;
mod record;
mod registered;
mod trace_clause;

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError},
};

pub use notes_import::{MeetingsReport, TakenNotes};

use crate::{
    contributions::MeetingDecisions,
    model::MeetingId,
    service::{Service, internal},
    store::Snapshot,
    wire::Failure,
};

/// Meetings whose decisions are kept in memory.
const MOST_KEPT: usize = 64;

/// Decisions of meetings in memory, and the state of the store that they are of.
#[derive(Default)]
pub(super) struct KeptDecisions {
    /// By decisions and by registers.
    generation: (u64, u64),
    meetings: HashMap<MeetingId, Arc<MeetingDecisions>>,
}

impl Service {
    /// The decisions of a meeting; read when they are first asked for after a change.
    pub(crate) fn decisions_of(
        &self,
        snapshot: &Snapshot,
        meeting: &MeetingId,
    ) -> Result<Arc<MeetingDecisions>, Failure> {
        let generation = (
            snapshot.decisions_generation().map_err(internal)?,
            snapshot.tdocs_generation().map_err(internal)?,
        );
        let kept = || self.decisions.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let kept = kept();
            let known = kept.meetings.get(meeting).filter(|_| kept.generation == generation);
            if let Some(known) = known {
                return Ok(known.clone());
            }
        }
        let read = Arc::new(MeetingDecisions::load(snapshot, meeting).map_err(internal)?);
        let mut kept = kept();
        if kept.generation != generation {
            kept.meetings.clear();
            kept.generation = generation;
        }
        // Any goes where there are too many: the others stay.
        if kept.meetings.len() >= MOST_KEPT
            && let Some(one) = kept.meetings.keys().next().cloned()
        {
            kept.meetings.remove(&one);
        }
        kept.meetings.insert(meeting.clone(), read.clone());
        Ok(read)
    }
}
