//! One row for each decision that notes and reports of meetings record.

use arrow_array::RecordBatch;
use domain::RecordedDecision;
use store::{NotesRow, Snapshot};

use crate::{TableError, columns::Columns};

/// The rows of `decisions`.
pub(crate) fn rows(snapshot: &Snapshot) -> Result<RecordBatch, TableError> {
    let mut decisions: Vec<(NotesRow, RecordedDecision)> = Vec::new();
    for notes in snapshot.meetings().all_notes()? {
        let found = snapshot.meetings().notes_decisions(&notes)?;
        decisions.extend(found.into_iter().map(|decision| (notes.clone(), decision)));
    }
    let each = |value: &dyn Fn(&NotesRow, &RecordedDecision) -> Option<String>| {
        decisions.iter().map(|(notes, decision)| value(notes, decision)).collect::<Vec<_>>()
    };
    let always = |value: &dyn Fn(&NotesRow, &RecordedDecision) -> String| {
        decisions.iter().map(|(notes, decision)| value(notes, decision)).collect::<Vec<_>>()
    };
    let references = |decision: &RecordedDecision| {
        decision.references.iter().map(|tdoc| tdoc.as_str().to_owned()).collect::<Vec<_>>()
    };
    Columns::default()
        .text("meeting_id", always(&|notes, _| notes.meeting.to_string()))
        .text("source", always(&|notes, _| notes.file.clone()))
        .flag("is_final", decisions.iter().map(|(notes, _)| notes.is_final).collect())
        .text("kind", always(&|_, decision| decision.kind.as_str().to_owned()))
        .optional_text(
            "outcome",
            each(&|_, decision| decision.outcome.map(|outcome| outcome.as_str().to_owned())),
        )
        .text("text", always(&|_, decision| decision.quote.clone()))
        .text("anchor", always(&|_, decision| decision.anchor.clone()))
        .optional_number("page", decisions.iter().map(|(_, decision)| decision.page).collect())
        .optional_text("agenda_item", each(&|_, decision| decision.agenda_item.clone()))
        .optional_text(
            "recorded_under",
            each(&|_, decision| {
                decision.recorded_under.as_ref().map(|tdoc| tdoc.as_str().to_owned())
            }),
        )
        .texts("references", decisions.iter().map(|(_, decision)| references(decision)).collect())
        .finish()
}
