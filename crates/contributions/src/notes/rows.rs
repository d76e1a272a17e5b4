//! Decisions of notes as they are stored, and what of them is uncertain.

use std::collections::HashSet;

use domain::{DecisionKind, NotesKind};
use minutes::{ExtractedDecision, Minutes};
use store::{DecisionRow, DoubtfulRow, NotesDoubts};

/// The decisions of notes as they are stored. In a summary only text in the colour of the meeting's own decisions
/// counts: everything else in it is what companies say.
pub fn to_decision_rows(kind: NotesKind, recorded: &[ExtractedDecision]) -> Vec<DecisionRow> {
    let is_text = |decision: &ExtractedDecision| {
        matches!(
            decision.kind,
            DecisionKind::Agreement | DecisionKind::WorkingAssumption | DecisionKind::Conclusion
        )
    };
    let mut row_indexes: Vec<Option<u32>> = Vec::with_capacity(recorded.len());
    let mut rows: Vec<DecisionRow> = Vec::new();
    for decision in recorded {
        let whole =
            decision.part_of.map(|index| row_indexes.get(index as usize).copied().flatten());
        let is_kept = match whole {
            Some(whole) => whole.is_some(),
            None => kind != NotesKind::Summary || is_text(decision) && decision.is_coloured,
        };
        row_indexes.push(is_kept.then(|| u32::try_from(rows.len()).unwrap_or(u32::MAX)));
        if is_kept {
            rows.push(to_decision_row(decision, whole.flatten()));
        }
    }
    rows
}

/// The doubtful texts of notes as they are stored, and which of the `rows` may end too early. The rows are those of
/// [`to_decision_rows`].
pub fn to_notes_doubts(minutes: &Minutes, rows: &[DecisionRow]) -> NotesDoubts {
    let doubtful = minutes.doubtful.iter().map(|doubtful| DoubtfulRow {
        reason: doubtful.reason,
        decision: to_decision_row(&doubtful.decision, None),
    });
    let uncertain: HashSet<(&str, DecisionKind)> = minutes
        .decisions
        .iter()
        .filter(|decision| decision.end_uncertain && decision.part_of.is_none())
        .map(|decision| (decision.anchor.as_str(), decision.kind))
        .collect();
    let is_uncertain = |row: &DecisionRow| {
        row.part_of.is_none() && uncertain.contains(&(row.anchor.as_str(), row.kind))
    };
    NotesDoubts {
        doubtful: doubtful.collect(),
        uncertain_ends: (0u32..)
            .zip(rows)
            .filter(|(_, row)| is_uncertain(row))
            .map(|(index, _)| index)
            .collect(),
    }
}

fn to_decision_row(decision: &ExtractedDecision, part_of: Option<u32>) -> DecisionRow {
    let decision = decision.clone();
    DecisionRow {
        kind: decision.kind,
        outcome: decision.outcome,
        marker: decision.marker,
        quote: decision.quote,
        is_cut: decision.is_cut,
        anchor: decision.anchor,
        last_anchor: decision.last_anchor,
        page: decision.page,
        agenda_item: decision.agenda_item,
        heading: decision.heading,
        recorded_under: decision.recorded_under,
        references: decision.references,
        session: decision.session,
        part_of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DoubtReason;
    use minutes::DoubtfulDecision;

    fn recorded(kind: DecisionKind, is_coloured: bool, part_of: Option<u32>) -> ExtractedDecision {
        ExtractedDecision {
            kind,
            outcome: None,
            marker: "Agreement".to_owned(),
            quote: "Support beams".to_owned(),
            is_cut: false,
            end_uncertain: is_coloured,
            is_coloured,
            anchor: format!("x.docx#p{}", u8::from(is_coloured)),
            last_anchor: "x.docx#p1".to_owned(),
            page: None,
            agenda_item: None,
            heading: None,
            recorded_under: None,
            references: Vec::new(),
            session: None,
            part_of,
        }
    }

    #[test]
    fn only_coloured_decisions_of_a_summary_are_stored() {
        let all = [
            recorded(DecisionKind::Agreement, false, None),
            recorded(DecisionKind::OpenItem, false, Some(0)),
            recorded(DecisionKind::Agreement, true, None),
            recorded(DecisionKind::OpenItem, false, Some(2)),
            recorded(DecisionKind::Document, true, None),
        ];
        let rows = to_decision_rows(NotesKind::Summary, &all);
        let stored: Vec<_> = rows.iter().map(|row| (row.kind, row.part_of)).collect();
        assert_eq!(stored, [(DecisionKind::Agreement, None), (DecisionKind::OpenItem, Some(0))]);
        assert_eq!(to_decision_rows(NotesKind::ChairNotes, &all).len(), 5);
    }

    #[test]
    fn doubtful_texts_and_uncertain_ends_are_stored_beside_the_decisions() {
        let minutes = Minutes {
            decisions: vec![
                recorded(DecisionKind::Agreement, false, None),
                recorded(DecisionKind::Agreement, true, None),
            ],
            doubtful: vec![DoubtfulDecision {
                reason: DoubtReason::ListItem,
                decision: recorded(DecisionKind::Conclusion, false, None),
            }],
        };
        let rows = to_decision_rows(NotesKind::Summary, &minutes.decisions);
        let doubts = to_notes_doubts(&minutes, &rows);
        assert_eq!((rows.len(), doubts.uncertain_ends), (1, vec![0]));
        let reasons: Vec<_> = doubts.doubtful.iter().map(|doubtful| doubtful.reason).collect();
        assert_eq!(reasons, [DoubtReason::ListItem]);
    }
}
