//! Decisions that lead from a document or a clause to what a meeting said.

use super::{decision_records::first_decision_source, life::to_related_decisions};
use crate::service::Service;
use contributions::{DecisionLife, MeetingDecisions, MergedDecision};
use domain::{MeetingId, TdocId};
use store::Snapshot;
use wire::{Failure, records::TracedDecision, values::DecisionLink};

/// The decisions of a meeting that were recorded under a document; empty if its notes are not known.
pub(in crate::service) fn decisions_recorded_under(
    service: &Service,
    snapshot: &Snapshot,
    meeting: &MeetingId,
    id: &TdocId,
) -> Result<Vec<TracedDecision>, Failure> {
    let decisions = crate::service::meetings::meeting_decisions(service, snapshot, meeting)?;
    let is_under = |decision: &&MergedDecision| {
        decision.part_of.is_none() && decision.row.recorded_under.as_ref() == Some(id)
    };
    if !decisions.decisions.iter().any(|decision| is_under(&decision)) {
        return Ok(Vec::new());
    }
    let catalog = service.tdoc_catalog(snapshot)?;
    let life = super::group_life(service, snapshot, &catalog, meeting.group())?;
    let to_record = |decision| {
        to_traced_decision((&decisions, &life), meeting, decision, DecisionLink::ChangeRequest)
    };
    Ok(decisions.decisions.iter().filter(is_under).map(to_record).collect())
}

/// A decision as a record.
pub(super) fn to_traced_decision(
    (decisions, life): (&MeetingDecisions, &DecisionLife),
    meeting: &MeetingId,
    decision: &MergedDecision,
    via: DecisionLink,
) -> TracedDecision {
    let row = &decision.row;
    TracedDecision {
        decision_id: decision.id.clone(),
        meeting_id: meeting.to_string(),
        decision_type: row.kind,
        outcome: row.outcome,
        quote: row.quote.clone(),
        source: first_decision_source(decisions, decision),
        recorded_under: row.recorded_under.as_ref().map(TdocId::to_string),
        standing: life.standing_of(decision, None),
        links: to_related_decisions(life.links_of(&decision.id)),
        via,
    }
}
