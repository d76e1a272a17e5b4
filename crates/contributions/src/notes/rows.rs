//! Decisions of notes as they are stored, and the uncertain ones.

use std::collections::HashSet;

use domain::{DecisionDoubt, DecisionType, NotesKind, RecordedDecision};
use minutes::{ExtractedDecision, Minutes, RuleBasis};
use store::{DoubtfulRow, NotesBases, NotesDoubts};

/// The decisions of notes as they are stored. A summary does not have the meeting's own words: only text in the
/// colour of a decision counts there, and only if the summary shows that its own meeting took it. It also quotes
/// proposals, and the agreements of earlier meetings.
pub fn to_decision_rows(kind: NotesKind, minutes: &Minutes) -> Vec<RecordedDecision> {
    let mut row_indexes: Vec<Option<u32>> = Vec::with_capacity(minutes.decisions.len());
    let mut rows: Vec<RecordedDecision> = Vec::new();
    for read in &minutes.decisions {
        let decision = &read.decision;
        let whole =
            decision.part_of.map(|index| row_indexes.get(index as usize).copied().flatten());
        let is_kept = match whole {
            Some(whole) => whole.is_some(),
            None => kind != NotesKind::Summary || is_marked_text(read) && read.shows_own_meeting,
        };
        row_indexes.push(is_kept.then(|| u32::try_from(rows.len()).unwrap_or(u32::MAX)));
        if is_kept {
            rows.push(RecordedDecision {
                agenda_item: agenda_item_of(kind, minutes, decision),
                part_of: whole.flatten(),
                ..decision.clone()
            });
        }
    }
    rows
}

/// How many decisions of notes come from rules of each origin. The rows are those of [`to_decision_rows`].
pub fn to_notes_bases(minutes: &Minutes, rows: &[RecordedDecision]) -> NotesBases {
    let mut bases = NotesBases::default();
    let mut read = minutes.decisions.iter();
    for row in rows {
        // Rows are decisions in their order; some are left out.
        let found = read.find(|read| {
            let decision = &read.decision;
            decision.anchor == row.anchor
                && decision.kind == row.kind
                && decision.quote == row.quote
        });
        match found.map(|read| read.basis) {
            Some(RuleBasis::RealFile) => bases.real_file += 1,
            Some(RuleBasis::PublicDescription) => bases.public_description += 1,
            Some(RuleBasis::OwnKnowledge) | None => bases.own_knowledge += 1,
        }
    }
    bases
}

/// Whether a summary marks a text as agreed, by its colour.
fn is_marked_text(read: &ExtractedDecision) -> bool {
    let is_text = matches!(
        read.decision.kind,
        DecisionType::Agreement | DecisionType::WorkingAssumption | DecisionType::Conclusion
    );
    is_text && read.is_coloured
}

/// The agenda item of a decision. The headings of a summary number its own chapters: its cover has the agenda item.
fn agenda_item_of(
    kind: NotesKind,
    minutes: &Minutes,
    decision: &RecordedDecision,
) -> Option<String> {
    match kind {
        NotesKind::Summary => minutes.cover_agenda_item.clone(),
        _ => decision.agenda_item.clone(),
    }
}

/// The doubtful texts of notes as they are stored, and the `rows` that may end too early. The rows are those of
/// [`to_decision_rows`].
pub fn to_notes_doubts(
    kind: NotesKind,
    minutes: &Minutes,
    rows: &[RecordedDecision],
) -> NotesDoubts {
    let to_doubtful = |reason, decision: &RecordedDecision| DoubtfulRow {
        reason,
        decision: RecordedDecision {
            agenda_item: agenda_item_of(kind, minutes, decision),
            part_of: None,
            ..decision.clone()
        },
    };
    let read = minutes.doubtful.iter();
    let read = read.map(|doubtful| to_doubtful(doubtful.reason, &doubtful.read.decision));
    let quoted = minutes.decisions.iter().filter(|read| {
        kind == NotesKind::Summary
            && read.decision.part_of.is_none()
            && is_marked_text(read)
            && !read.shows_own_meeting
    });
    let quoted = quoted.map(|read| to_doubtful(DecisionDoubt::QuotedInSummary, &read.decision));
    // A decision and its first part begin in the same paragraph.
    let identity = |row: &RecordedDecision| (row.anchor.clone(), row.kind, row.part_of.is_some());
    let uncertain = minutes.decisions.iter().filter(|read| read.end_uncertain);
    let uncertain: HashSet<(String, DecisionType, bool)> =
        uncertain.map(|read| identity(&read.decision)).collect();
    let is_uncertain = |row: &RecordedDecision| uncertain.contains(&identity(row));
    NotesDoubts {
        doubtful: read.chain(quoted).collect(),
        uncertain_ends: (0u32..)
            .zip(rows)
            .filter(|(_, row)| is_uncertain(row))
            .map(|(index, _)| index)
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use minutes::DoubtfulDecision;

    fn recorded(kind: DecisionType, is_coloured: bool, part_of: Option<u32>) -> ExtractedDecision {
        let decision = RecordedDecision {
            kind,
            outcome: None,
            marker: "Agreement".to_owned(),
            quote: "Support beams".to_owned(),
            is_cut: false,
            anchor: format!("x.docx#p{}", u8::from(is_coloured)),
            last_anchor: "x.docx#p1".to_owned(),
            page: None,
            agenda_item: Some("4.2".to_owned()),
            heading: None,
            recorded_under: None,
            references: Vec::new(),
            session: None,
            part_of,
        };
        ExtractedDecision {
            decision,
            end_uncertain: is_coloured,
            is_coloured,
            shows_own_meeting: true,
            basis: if is_coloured { RuleBasis::RealFile } else { RuleBasis::OwnKnowledge },
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
        let of_summary = NotesBases { real_file: 1, own_knowledge: 1, ..NotesBases::default() };
        assert_eq!(to_notes_bases(&all, &rows), of_summary);
        let rows = to_decision_rows(NotesKind::ChairNotes, &all);
        assert_eq!(rows.len(), 6);
        let of_notes = NotesBases { real_file: 3, own_knowledge: 3, ..NotesBases::default() };
        assert_eq!(to_notes_bases(&all, &rows), of_notes);
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
                read: recorded(DecisionType::Conclusion, false, None),
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
