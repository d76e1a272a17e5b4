//! Decisions of notes as they are stored, and the uncertain ones.

use std::collections::HashSet;

use domain::{DecisionDoubt, DecisionType, NotesKind};
use minutes::{ExtractedDecision, Minutes};
use store::{DecisionRow, DoubtfulRow, NotesDoubts};

/// The decisions of notes as they are stored. A summary does not have the meeting's own words: only text in the
/// colour of a decision counts there, and only if the summary shows that its own meeting took it. It also quotes
/// proposals, and the agreements of earlier meetings.
pub fn to_decision_rows(kind: NotesKind, minutes: &Minutes) -> Vec<DecisionRow> {
    let mut row_indexes: Vec<Option<u32>> = Vec::with_capacity(minutes.decisions.len());
    let mut rows: Vec<DecisionRow> = Vec::new();
    for decision in &minutes.decisions {
        let whole =
            decision.part_of.map(|index| row_indexes.get(index as usize).copied().flatten());
        let is_kept = match whole {
            Some(whole) => whole.is_some(),
            None => {
                kind != NotesKind::Summary || is_marked_text(decision) && decision.shows_own_meeting
            }
        };
        row_indexes.push(is_kept.then(|| u32::try_from(rows.len()).unwrap_or(u32::MAX)));
        if is_kept {
            rows.push(DecisionRow {
                agenda_item: agenda_item_of(kind, minutes, decision),
                ..to_decision_row(decision, whole.flatten())
            });
        }
    }
    rows
}

/// Whether a summary marks a text as agreed, by its colour.
fn is_marked_text(decision: &ExtractedDecision) -> bool {
    let is_text = matches!(
        decision.kind,
        DecisionType::Agreement | DecisionType::WorkingAssumption | DecisionType::Conclusion
    );
    is_text && decision.is_coloured
}

/// The agenda item of a decision. The headings of a summary number its own chapters: its cover has the agenda item.
fn agenda_item_of(
    kind: NotesKind,
    minutes: &Minutes,
    decision: &ExtractedDecision,
) -> Option<String> {
    match kind {
        NotesKind::Summary => minutes.cover_agenda_item.clone(),
        _ => decision.agenda_item.clone(),
    }
}

/// The doubtful texts of notes as they are stored, and the `rows` that may end too early. The rows are those of
/// [`to_decision_rows`].
pub fn to_notes_doubts(kind: NotesKind, minutes: &Minutes, rows: &[DecisionRow]) -> NotesDoubts {
    let to_doubtful = |reason, decision: &ExtractedDecision| DoubtfulRow {
        reason,
        decision: DecisionRow {
            agenda_item: agenda_item_of(kind, minutes, decision),
            ..to_decision_row(decision, None)
        },
    };
    let read = minutes.doubtful.iter();
    let read = read.map(|doubtful| to_doubtful(doubtful.reason, &doubtful.decision));
    let quoted = minutes.decisions.iter().filter(|decision| {
        kind == NotesKind::Summary
            && decision.part_of.is_none()
            && is_marked_text(decision)
            && !decision.shows_own_meeting
    });
    let quoted = quoted.map(|decision| to_doubtful(DecisionDoubt::QuotedInSummary, decision));
    let uncertain: HashSet<(&str, DecisionType)> = minutes
        .decisions
        .iter()
        .filter(|decision| decision.end_uncertain && decision.part_of.is_none())
        .map(|decision| (decision.anchor.as_str(), decision.kind))
        .collect();
    let is_uncertain = |row: &DecisionRow| {
        row.part_of.is_none() && uncertain.contains(&(row.anchor.as_str(), row.kind))
    };
    NotesDoubts {
        doubtful: read.chain(quoted).collect(),
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
    use minutes::DoubtfulDecision;

    fn recorded(kind: DecisionType, is_coloured: bool, part_of: Option<u32>) -> ExtractedDecision {
        ExtractedDecision {
            kind,
            outcome: None,
            marker: "Agreement".to_owned(),
            quote: "Support beams".to_owned(),
            is_cut: false,
            end_uncertain: is_coloured,
            is_coloured,
            shows_own_meeting: true,
            anchor: format!("x.docx#p{}", u8::from(is_coloured)),
            last_anchor: "x.docx#p1".to_owned(),
            page: None,
            agenda_item: Some("4.2".to_owned()),
            heading: None,
            recorded_under: None,
            references: Vec::new(),
            session: None,
            part_of,
        }
    }

    fn minutes_of(decisions: Vec<ExtractedDecision>) -> Minutes {
        let cover_agenda_item = Some("10.8.2".to_owned());
        Minutes { decisions, cover_agenda_item, ..Minutes::default() }
    }

    #[test]
    fn decisions_of_a_summary_are_those_it_shows_to_be_of_its_meeting() {
        let quoted = ExtractedDecision {
            shows_own_meeting: false,
            ..recorded(DecisionType::Agreement, true, None)
        };
        let all = minutes_of(vec![
            recorded(DecisionType::Agreement, false, None),
            recorded(DecisionType::OpenItem, false, Some(0)),
            recorded(DecisionType::Agreement, true, None),
            recorded(DecisionType::OpenItem, false, Some(2)),
            recorded(DecisionType::Document, true, None),
            quoted,
        ]);
        let rows = to_decision_rows(NotesKind::Summary, &all);
        let stored: Vec<_> = rows.iter().map(|row| (row.kind, row.part_of)).collect();
        assert_eq!(stored, [(DecisionType::Agreement, None), (DecisionType::OpenItem, Some(0))]);
        let doubts = to_notes_doubts(NotesKind::Summary, &all, &rows);
        let reasons: Vec<_> = doubts.doubtful.iter().map(|doubtful| doubtful.reason).collect();
        assert_eq!(reasons, [DecisionDoubt::QuotedInSummary]);
        assert_eq!(to_decision_rows(NotesKind::ChairNotes, &all).len(), 6);
        assert!(to_notes_doubts(NotesKind::ChairNotes, &all, &rows).doubtful.is_empty());
    }

    #[test]
    fn chapters_of_a_summary_are_no_agenda_items() {
        let all = minutes_of(vec![recorded(DecisionType::Agreement, true, None)]);
        for (kind, item) in [(NotesKind::Summary, "10.8.2"), (NotesKind::SessionNotes, "4.2")] {
            let rows = to_decision_rows(kind, &all);
            assert_eq!(rows[0].agenda_item.as_deref(), Some(item), "{kind:?}");
        }
    }

    #[test]
    fn doubtful_texts_and_uncertain_ends_are_stored_beside_the_decisions() {
        let minutes = Minutes {
            doubtful: vec![DoubtfulDecision {
                reason: DecisionDoubt::ListItem,
                decision: recorded(DecisionType::Conclusion, false, None),
            }],
            ..minutes_of(vec![
                recorded(DecisionType::Agreement, false, None),
                recorded(DecisionType::Agreement, true, None),
            ])
        };
        let rows = to_decision_rows(NotesKind::Summary, &minutes);
        let doubts = to_notes_doubts(NotesKind::Summary, &minutes, &rows);
        assert_eq!((rows.len(), doubts.uncertain_ends), (1, vec![0]));
        let reasons: Vec<_> = doubts.doubtful.iter().map(|doubtful| doubtful.reason).collect();
        assert_eq!(reasons, [DecisionDoubt::ListItem]);
    }
}
