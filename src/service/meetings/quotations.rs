//! Which decisions of a meeting only repeat one of an earlier meeting.

use contributions::{DecisionLife, MeetingDecisions};

/// Whether a decision of a meeting only repeats one of an earlier meeting.
pub(super) fn is_quotation(
    decisions: &MeetingDecisions,
    life: &DecisionLife,
    index: usize,
) -> bool {
    let all = &decisions.decisions;
    all.get(index).is_some_and(|decision| {
        let whole = decision.part_of.and_then(|whole| all.get(whole));
        life.is_quotation(decision, whole)
    })
}

/// The decisions of a meeting that only repeat one of an earlier meeting, by their indexes.
pub(super) fn quotation_indexes(decisions: &MeetingDecisions, life: &DecisionLife) -> Vec<usize> {
    let all = 0..decisions.decisions.len();
    all.filter(|index| is_quotation(decisions, life, *index)).collect()
}
