//! The links between the decisions of a group, cached until its notes change.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, MutexGuard, PoisonError},
};

use super::view::meeting_decisions;
use crate::service::{Service, internal_failure};
use contributions::{DecisionAddress, DecisionLife, LifeLink, TdocCatalog};
use domain::{Group, MeetingId};
use store::{NotesRow, Snapshot};
use wire::{
    Failure,
    records::{QuotedDecision, RelatedDecision},
};

/// Maximum number of later decisions that are put before an earlier one: a chain of decisions is shorter.
const MAX_SUCCESSORS: usize = 16;

/// The links of each group.
pub(in crate::service) type DecisionLifeCache = HashMap<Group, CachedLife>;

/// The links of a group, and the notes that they were found in.
pub(in crate::service) struct CachedLife {
    notes: Vec<NotesRow>,
    life: Arc<DecisionLife>,
}

/// The links between the decisions of a group; found at the first request after its notes have changed.
pub(in crate::service) fn group_life(
    service: &Service,
    snapshot: &Snapshot,
    catalog: &TdocCatalog,
    group: Group,
) -> Result<Arc<DecisionLife>, Failure> {
    let mut notes = snapshot.meetings().all_notes().map_err(internal_failure)?;
    notes.retain(|one| one.meeting.group() == group);
    let is_current = |cached: &&CachedLife| cached.notes == notes;
    if let Some(cached) = lock_lives(service).get(&group).filter(is_current) {
        return Ok(cached.life.clone());
    }
    let named: HashSet<&MeetingId> = notes.iter().map(|one| &one.meeting).collect();
    let mut dated: Vec<_> = named
        .into_iter()
        .map(|id| {
            let meeting = catalog.meetings.iter().find(|meeting| meeting.id == *id);
            (meeting.and_then(|meeting| meeting.dates.start), id.clone())
        })
        .collect();
    // Numbers are in the order of time too; a date orders meetings only if all have one.
    if dated.iter().all(|(start, _)| start.is_some()) {
        dated.sort();
    } else {
        dated.sort_by(|(_, one), (_, other)| one.cmp(other));
    }
    let meetings = dated.into_iter().map(|(_, id)| {
        let decisions = meeting_decisions(service, snapshot, &id)?;
        Ok((id, decisions))
    });
    let meetings = meetings.collect::<Result<Vec<_>, Failure>>()?;
    let life = Arc::new(DecisionLife::from_meetings(&meetings));
    let cached = CachedLife { notes, life: life.clone() };
    lock_lives(service).insert(group, cached);
    Ok(life)
}

/// The links of several groups, each looked up once in a request.
pub(super) struct GroupLives<'a> {
    service: &'a Service,
    snapshot: &'a Snapshot,
    catalog: &'a TdocCatalog,
    known: HashMap<Group, Arc<DecisionLife>>,
}

impl<'a> GroupLives<'a> {
    pub(super) fn new(
        service: &'a Service,
        snapshot: &'a Snapshot,
        catalog: &'a TdocCatalog,
    ) -> Self {
        Self { service, snapshot, catalog, known: HashMap::new() }
    }

    /// The links of a group.
    pub(super) fn find_life(&mut self, group: Group) -> Result<Arc<DecisionLife>, Failure> {
        if let Some(life) = self.known.get(&group) {
            return Ok(life.clone());
        }
        let life = group_life(self.service, self.snapshot, self.catalog, group)?;
        self.known.insert(group, life.clone());
        Ok(life)
    }
}

fn lock_lives(service: &Service) -> MutexGuard<'_, DecisionLifeCache> {
    service.decision_lives.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The links of a decision as records.
pub(super) fn to_related_decisions(links: &[LifeLink]) -> Vec<RelatedDecision> {
    let to_record = |link: &LifeLink| RelatedDecision {
        relation: link.relation,
        meeting_id: link.other.meeting.to_string(),
        decision_id: link.other.decision.clone(),
        words: link.words.clone(),
    };
    links.iter().map(to_record).collect()
}

/// The decision that a text repeats, as a record.
pub(super) fn to_quoted_decision(origin: &DecisionAddress) -> QuotedDecision {
    QuotedDecision { meeting_id: origin.meeting.to_string(), decision_id: origin.decision.clone() }
}

/// Puts a decision that took over before the one that it replaced, if both are listed. Others keep their order.
pub(super) fn put_successors_first<T: Copy>(
    items: &[T],
    id_of: impl Fn(&T) -> String,
    successor_of: impl Fn(&T) -> Option<String>,
) -> Vec<T> {
    let positions: HashMap<String, usize> =
        items.iter().enumerate().map(|(position, item)| (id_of(item), position)).collect();
    let mut is_listed = vec![false; items.len()];
    let mut ordered = Vec::with_capacity(items.len());
    for first in 0..items.len() {
        let mut chain = Vec::new();
        let mut next = Some(first);
        while let Some(position) = next
            && !is_listed[position]
            && chain.len() <= MAX_SUCCESSORS
        {
            is_listed[position] = true;
            chain.push(items[position]);
            next = successor_of(&items[position]).and_then(|id| positions.get(&id).copied());
        }
        ordered.extend(chain.into_iter().rev());
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_over_is_before_what_it_replaced() {
        let successors: HashMap<u32, u32> = [(2, 5), (5, 4), (7, 9)].into();
        let order = |items: &[u32]| {
            put_successors_first(items, u32::to_string, |item| {
                successors.get(item).map(u32::to_string)
            })
        };
        assert_eq!(order(&[1, 2, 3, 4, 5]), [1, 4, 5, 2, 3]);
        assert_eq!(order(&[7, 8]), [7, 8]);
        assert_eq!(order(&[4, 5, 2]), [4, 5, 2]);
    }

    #[test]
    fn a_circle_of_successors_ends() {
        let order =
            put_successors_first(&[1, 2], u32::to_string, |item| Some((3 - item).to_string()));
        assert_eq!(order.len(), 2);
    }
}
