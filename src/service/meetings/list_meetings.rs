//! `list_meetings`: meetings with their dates and the coverage of each.

use std::collections::HashMap;

use crate::service::{
    Operation, Service,
    diagnosis::{
        DiagnosisContext, MeetingRange, Reasons, diagnose_filters, diagnose_meetings, diagnose_page,
    },
    internal_failure,
    tdocs::parameter_values,
};
use accounts::Caller;
use contributions::{Meeting, TdocCatalog};
use domain::{Group, MeetingId};
use serde_json::Value;
use wire::{Failure, params::ListMeetings, records::MeetingListReply, values::MeetingState};

use super::record;

impl Operation for ListMeetings {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        admitted_meetings(self, &catalog).map(drop)
    }

    fn next_page(&self, rows: usize, _last: &Value) -> Option<(&'static str, Value)> {
        Some(("next_offset", (self.offset as usize + rows).into()))
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<MeetingListReply, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let mut admitted = admitted_meetings(&self, &catalog)?;
        admitted.sort_by(|(_, a), (_, b)| newest_first(a, b));
        let indexed_counts = service.indexed_tdocs.by_meeting(&catalog, &snapshot);
        let mut decisions_by_notes: HashMap<MeetingId, Vec<u32>> = HashMap::new();
        for notes in snapshot.meetings().all_notes().map_err(internal_failure)? {
            decisions_by_notes.entry(notes.meeting).or_default().push(notes.decisions);
        }
        let today = record::today();
        let (from, limit) = (self.offset as usize, self.limit as usize);
        let total = admitted.len();
        let items = admitted.into_iter().skip(from).take(limit).map(|(meeting_index, meeting)| {
            let decision_count = match decisions_by_notes.get(&meeting.id).map(Vec::as_slice) {
                None => 0,
                Some([decisions]) => u64::from(*decisions),
                // A decision that several notes have counts once.
                Some(_) => {
                    crate::service::meetings::meeting_decisions(service, &snapshot, &meeting.id)?
                        .decisions
                        .len() as u64
                }
            };
            Ok(record::to_meeting_record(
                meeting,
                today,
                indexed_counts[meeting_index],
                decision_count,
            ))
        });
        let items: Vec<_> = items.collect::<Result<_, Failure>>()?;
        let next = from + items.len();
        let next_offset = (next < total && !items.is_empty()).then_some(next);
        Ok(MeetingListReply {
            items,
            total: total as u64,
            next_offset: next_offset.and_then(|next| u32::try_from(next).ok()),
        })
    }

    fn diagnose(
        &self,
        context: &DiagnosisContext<'_>,
        reply: &MeetingListReply,
        reasons: &mut Reasons,
    ) -> Result<(), Failure> {
        if !reply.items.is_empty()
            || diagnose_page("offset", self.offset.into(), reply.total, reasons)
        {
            return Ok(());
        }
        let catalog = context.service.tdoc_catalog(&context.snapshot)?;
        let range = MeetingRange {
            group: self.group.as_deref(),
            since: self.since.as_deref(),
            until: self.until.as_deref(),
        };
        diagnose_meetings(&catalog, &range, "", reasons);
        let filters = ["group", "since", "until", "state"];
        diagnose_filters(self, &filters, "meeting", reasons, |asked| {
            Ok(admitted_meetings(asked, &catalog)?.len() as u64)
        })
    }
}

/// By their first day; those without one come last, by number.
fn newest_first(a: &Meeting, b: &Meeting) -> std::cmp::Ordering {
    b.dates.start.cmp(&a.dates.start).then_with(|| b.id.cmp(&a.id))
}

fn admitted_meetings<'a>(
    parameters: &ListMeetings,
    catalog: &'a TdocCatalog,
) -> Result<Vec<(usize, &'a Meeting)>, Failure> {
    let groups: Vec<Group> = parameter_values::parse_list(
        "group",
        parameters.group.as_deref(),
        parameter_values::parse_group,
    )?;
    let since = parameters
        .since
        .as_deref()
        .map(|day| parameter_values::parse_date("since", day))
        .transpose()?;
    let until = parameters
        .until
        .as_deref()
        .map(|day| parameter_values::parse_date("until", day))
        .transpose()?;
    let states = parameter_values::parse_list("state", parameters.state.as_deref(), |text| {
        let word = text.to_lowercase();
        MeetingState::ALL.into_iter().find(|state| state.to_string() == word).ok_or_else(|| {
            let known = MeetingState::ALL.map(|state| state.to_string()).join(", ");
            parameter_values::invalid_parameter(
                "state",
                format!("'{text}' is not a meeting state: {known}."),
            )
        })
    })?;
    let today = record::today();
    let passes = |meeting: &Meeting| {
        let start = meeting.dates.start;
        (groups.is_empty() || groups.contains(&meeting.id.group()))
            && since.is_none_or(|day| start.is_some_and(|start| start >= day))
            && until.is_none_or(|day| start.is_some_and(|start| start <= day))
            && (states.is_empty() || states.contains(&record::meeting_state(meeting, today)))
    };
    Ok(catalog.meetings.iter().enumerate().filter(|(_, meeting)| passes(meeting)).collect())
}
