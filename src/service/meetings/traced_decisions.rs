//! Decisions that lead from a document or a clause to what a meeting said.

use super::decision_records::first_decision_source;
use crate::service::Service;
use contributions::{MeetingDecisions, MergedDecision};
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
    let to_record =
        |decision| to_traced_decision(&decisions, meeting, decision, DecisionLink::ChangeRequest);
    Ok(decisions.decisions.iter().filter(is_under).map(to_record).collect())
}

/// A decision as a record.
pub(super) fn to_traced_decision(
    decisions: &MeetingDecisions,
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
        via,
    }
}
