//! Records of meetings, of the sources of their decisions, and of the documents that decisions name.

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use register::Column;

use super::quotations::quotation_indexes;
use crate::service::{internal_failure, tdocs::record::to_tdoc_meeting};
use contributions::{
    DecisionLife, Meeting, MeetingDecisions, TdocCatalog, notes_kind_of_entry, read_completed_row,
};
use domain::{NotesKind, TdocId};
use minutes::GrammarSet;
use store::{NotesBases, NotesRow, Snapshot};
use wire::{
    Failure,
    records::{
        ClauseChange, DecisionOrigins, DecisionSourceRecord, DecisionTdoc, MeetingRecord, TdocRange,
    },
    values::{DecisionSourceReading, DecisionSourceStatus, MeetingCoverage, MeetingState},
};

/// Assumed length of a meeting of which only the first day is known, from Monday to Friday: otherwise it would count
/// as ended on its second day.
const ASSUMED_MEETING_DAYS: i64 = 5;

/// The current date in UTC.
pub(super) fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::UTC).date()
}

pub(super) fn meeting_state(meeting: &Meeting, today: Date) -> MeetingState {
    if meeting.calendar.as_ref().is_some_and(|calendar| calendar.is_cancelled) {
        return MeetingState::Cancelled;
    }
    let Some(start) = meeting.dates.start else { return MeetingState::Unknown };
    let assumed_end = || start.checked_add((ASSUMED_MEETING_DAYS - 1).days()).ok();
    let end = meeting.dates.end.or_else(assumed_end).unwrap_or(start);
    match () {
        () if today < start => MeetingState::Upcoming,
        () if today <= end => MeetingState::Ongoing,
        () => MeetingState::Ended,
    }
}

pub(super) fn to_meeting_record(
    meeting: &Meeting,
    today: Date,
    indexed_tdocs: u64,
    decision_count: u64,
) -> MeetingRecord {
    let summary = to_tdoc_meeting(meeting);
    let register = meeting.register.as_ref();
    let range = register.and_then(|register| register.range.as_ref());
    let range = range.map(|(first, last)| (first.to_string(), last.to_string()));
    let range = range.or_else(|| meeting.calendar.as_ref()?.range.clone());
    MeetingRecord {
        meeting_id: summary.meeting_id,
        name: summary.name,
        group: meeting.id.group().code().to_owned(),
        start_date: summary.start_date,
        end_date: summary.end_date,
        dates_estimated: summary.dates_estimated,
        dates_source: summary.dates_source,
        place: summary.place,
        state: meeting_state(meeting, today),
        tdoc_range: range.map(|(first, last)| TdocRange { first, last }),
        tdoc_count: meeting.registered as u64,
        indexed_tdocs,
        decision_count,
        coverage: meeting_coverage(meeting),
    }
}

/// How much of a meeting its register lists.
pub(super) fn meeting_coverage(meeting: &Meeting) -> MeetingCoverage {
    match meeting.register.as_ref() {
        Some(register) if register.is_full => MeetingCoverage::FullRegister,
        _ => MeetingCoverage::Partial,
    }
}

/// The records of the notes of a meeting that were read. What they only quote is doubtful.
pub(super) fn list_processed_sources(
    snapshot: &Snapshot,
    decisions: &MeetingDecisions,
    life: &DecisionLife,
) -> Result<Vec<DecisionSourceRecord>, Failure> {
    let quoted = quotation_indexes(decisions, life);
    let sources = decisions.notes.iter().enumerate();
    let records = sources.map(|(index, notes)| {
        let is_here = |quoted: &&usize| {
            let decision = decisions.decisions.get(**quoted);
            decision.is_some_and(|decision| {
                decision.occurrences.iter().any(|place| place.source == index)
            })
        };
        let quoted_here = quoted.iter().filter(is_here).count() as u64;
        let doubtful = decisions.doubtful.iter().filter(|(source, _)| *source == index);
        let bases = snapshot.meetings().notes_bases(notes).map_err(internal_failure)?;
        Ok(DecisionSourceRecord {
            decision_count: u64::from(notes.decisions).saturating_sub(quoted_here),
            doubtful_count: doubtful.count() as u64 + quoted_here,
            ..to_processed_source(notes, bases)
        })
    });
    records.collect()
}

/// How a source was read: verified if real files show the forms of all of its decisions, and of the group if it has none.
fn source_reading(notes: &NotesRow, bases: NotesBases) -> DecisionSourceReading {
    let is_known = || GrammarSet::builtin().is_measured(notes.meeting.group().name());
    if bases.is_measured() && (bases.real_file > 0 || is_known()) {
        DecisionSourceReading::Verified
    } else {
        DecisionSourceReading::General
    }
}

fn to_processed_source(notes: &NotesRow, bases: Option<NotesBases>) -> DecisionSourceRecord {
    DecisionSourceRecord {
        source_kind: notes.kind.into(),
        source_key: Some(notes.key.clone()),
        title: notes.title.clone(),
        tdoc_id: notes.tdoc.as_ref().map(TdocId::to_string),
        file: Some(notes.file.clone()),
        version: notes.version.clone(),
        is_final: notes.is_final,
        status: DecisionSourceStatus::Processed,
        read_at: Some(notes.read_at.clone()),
        decision_count: notes.decisions.into(),
        reading: bases.map(|bases| source_reading(notes, bases)),
        decision_origins: bases.map(|bases| DecisionOrigins {
            real_file: bases.real_file.into(),
            public_description: bases.public_description.into(),
            own_knowledge: bases.own_knowledge.into(),
        }),
        doubtful_count: 0,
        partial_reasons: notes.faults.clone(),
    }
}

/// The notes and reports among the documents of a meeting that were not read. Summaries are left out: they
/// are many, and few have decisions that no other source has.
pub(super) fn find_missing_sources(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    meeting_index: u32,
    processed: &[NotesRow],
) -> Result<Vec<DecisionSourceRecord>, Failure> {
    let mut missing = Vec::new();
    let entries = catalog.meeting_entries(meeting_index);
    let reports = entries.filter(|entry| entry.kind.is_report_of_others());
    for entry in reports {
        if processed.iter().any(|notes| notes.tdoc.as_ref() == Some(&entry.id)) {
            continue;
        }
        let Some(row) = snapshot.tdocs().tdoc_row(&entry.id).map_err(internal_failure)? else {
            continue;
        };
        let kind = notes_kind_of_entry(&row.entry).filter(|kind| *kind != NotesKind::Summary);
        // A meeting report on the agenda is that of the previous meeting.
        let Some(kind) = kind.filter(|kind| *kind != NotesKind::MeetingReport) else { continue };
        missing.push(DecisionSourceRecord {
            source_kind: kind.into(),
            source_key: None,
            title: row.entry.column_text(Column::Title).unwrap_or_default().to_owned(),
            tdoc_id: Some(entry.id.to_string()),
            file: None,
            version: None,
            is_final: false,
            status: DecisionSourceStatus::NotRetrieved,
            read_at: None,
            decision_count: 0,
            reading: None,
            decision_origins: None,
            doubtful_count: 0,
            partial_reasons: Vec::new(),
        });
    }
    Ok(missing)
}

/// A document as decisions name it.
pub(super) fn read_decision_tdoc(
    catalog: &TdocCatalog,
    snapshot: &Snapshot,
    id: &TdocId,
) -> Result<DecisionTdoc, Failure> {
    let Some(entry) = catalog.get(id) else {
        return Ok(DecisionTdoc {
            tdoc_id: id.to_string(),
            title: None,
            doc_kind: None,
            status: None,
            official_url: None,
            changes: None,
        });
    };
    let row = read_completed_row(snapshot, id).map_err(internal_failure)?;
    let link = row.as_ref().and_then(|row| row.entry.url.as_deref());
    Ok(DecisionTdoc {
        tdoc_id: id.to_string(),
        title: row.as_ref().and_then(|row| row.entry.column_text(Column::Title).map(str::to_owned)),
        doc_kind: Some(entry.kind),
        status: Some(entry.status),
        official_url: Some(catalog.official_url(entry, link)),
        changes: match &row {
            Some(row) if entry.kind.is_change() => to_clause_change(&row.entry),
            _ => None,
        },
    })
}

/// What a change request changes, from its register.
fn to_clause_change(entry: &register::RegisterEntry) -> Option<ClauseChange> {
    let text = |column| entry.column_text(column).map(str::to_owned);
    Some(ClauseChange {
        doc_number: text(Column::Spec)?,
        cr_number: text(Column::Cr),
        clauses: text(Column::Clauses),
    })
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use store::{CalendarNote, MeetingRow};

    #[test]
    fn the_state_of_a_meeting_is_that_of_the_day() {
        let meeting = |start, end, is_cancelled| {
            let calendar = CalendarNote { start, end, is_cancelled, ..CalendarNote::default() };
            let id = "R1-99".parse().expect("valid");
            Meeting::new(MeetingRow { id, calendar: Some(calendar), register: None })
        };
        let today = date(2026, 5, 20);
        for (start, end, cancelled, expected) in [
            (Some(date(2026, 5, 18)), Some(date(2026, 5, 22)), false, MeetingState::Ongoing),
            (Some(date(2026, 5, 18)), None, false, MeetingState::Ongoing),
            (Some(date(2026, 5, 11)), None, false, MeetingState::Ended),
            (Some(date(2026, 5, 21)), None, false, MeetingState::Upcoming),
            (Some(date(2026, 5, 11)), None, true, MeetingState::Cancelled),
            (None, None, false, MeetingState::Unknown),
        ] {
            assert_eq!(meeting_state(&meeting(start, end, cancelled), today), expected);
        }
    }
}
