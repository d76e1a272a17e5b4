//! Events of decisions that notes and reports of meetings record.

use super::{
    ActiveWatch, News,
    patterns::FoldedText,
    sink::EventSink,
    subject::WatchSubject,
    tdocs::{WatchedTdoc, names_document},
};
use crate::service::Service;
use accounts::{EventTarget, WatchEventKind};
use contributions::{MergedDecision, mentions_clause_within};
use domain::MeetingId;
use store::Snapshot;
use wire::Failure;

/// Characters of a decision that an event quotes.
const MAX_QUOTE_CHARS: usize = 1_000;

/// Finds the events of a meeting whose notes were stored.
pub(super) fn find_decision_events(
    service: &Service,
    snapshot: &Snapshot,
    meeting: &MeetingId,
    watches: &[&ActiveWatch],
    sink: &mut EventSink<'_>,
) -> Result<(), Failure> {
    let decisions = crate::service::meetings::meeting_decisions(service, snapshot, meeting)?;
    let catalog = service.tdoc_catalog(snapshot)?;
    for decision in decisions.decisions.iter().filter(|decision| decision.part_of.is_none()) {
        let tdoc = match &decision.row.recorded_under {
            Some(id) => WatchedTdoc::read(&catalog, snapshot, id)?,
            None => None,
        };
        let words = FoldedText::new([decision.row.quote.as_str()]);
        let is_meant = |watch: &&&ActiveWatch| {
            is_decision_meant(meeting, decision, tdoc.as_ref(), &words, &watch.subject)
        };
        for watch in watches.iter().filter(is_meant) {
            sink.push(watch, WatchEventKind::Decision, describe(meeting, decision));
        }
    }
    Ok(())
}

fn is_decision_meant(
    meeting: &MeetingId,
    decision: &MergedDecision,
    tdoc: Option<&WatchedTdoc<'_>>,
    words: &FoldedText,
    subject: &WatchSubject,
) -> bool {
    let row = &decision.row;
    match subject {
        WatchSubject::Document(number) => {
            tdoc.is_some_and(|tdoc| tdoc.spec.as_ref() == Some(number))
                || names_document(words, number)
        }
        WatchSubject::Clause(number, clause) => {
            tdoc.is_some_and(|tdoc| tdoc.changes_clause(number, clause))
                || mentions_clause_within(&row.quote, number.as_str(), clause.as_str())
        }
        subject if subject.is_text() => subject.is_in(words),
        subject => {
            subject.is_on_agenda(meeting, row.agenda_item.as_deref())
                || tdoc.is_some_and(|tdoc| tdoc.is_of(subject))
        }
    }
}

fn describe(meeting: &MeetingId, decision: &MergedDecision) -> News {
    let row = &decision.row;
    let kind = row.kind;
    let under = row.recorded_under.as_ref().map(|id| format!(" on {id}")).unwrap_or_default();
    News {
        title: format!("{}: {kind}{under}", meeting.name()),
        text: row.quote.chars().take(MAX_QUOTE_CHARS).collect(),
        target: EventTarget::Decision {
            meeting_id: meeting.to_string(),
            decision_id: decision.id.clone(),
        },
        // A later version of the notes words the same decision alike, and may number it otherwise.
        keys: vec![format!("decision {meeting} {kind}{under} {:?} {}", row.agenda_item, row.quote)],
    }
}
