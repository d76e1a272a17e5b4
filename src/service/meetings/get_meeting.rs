//! `get_meeting`: a meeting with its agenda, its key documents and the sources of its decisions.

use super::{overview::MeetingOverview, quotations::quotation_indexes, record};
use crate::service::{Operation, Service, tdocs::parameter_values};
use accounts::Caller;
use wire::{Failure, params::GetMeeting, records::MeetingDetail};

impl Operation for GetMeeting {
    fn check_parameters(&self, service: &Service) -> Result<(), Failure> {
        let catalog = service.tdoc_catalog(&service.store.snapshot())?;
        parameter_values::parse_meeting_parameter("meeting_id", &catalog, &self.meeting_id)
            .map(drop)
    }

    fn run(self, service: &Service, _caller: &Caller) -> Result<MeetingDetail, Failure> {
        let snapshot = service.store.snapshot();
        let catalog = service.tdoc_catalog(&snapshot)?;
        let meeting_index =
            parameter_values::parse_meeting_parameter("meeting_id", &catalog, &self.meeting_id)?;
        let meeting = &catalog.meetings[meeting_index as usize];
        let view = crate::service::meetings::view::meeting_view(
            service,
            &snapshot,
            &catalog,
            meeting_index,
        )?;
        let meeting_decisions = &view.decisions;
        let indexed_count =
            service.indexed_tdocs.by_meeting(&catalog, &snapshot)[meeting_index as usize];
        let life = super::group_life(service, &snapshot, &catalog, meeting.id.group())?;
        let mut sources = record::list_processed_sources(&snapshot, meeting_decisions, &life)?;
        sources.extend(view.missing_sources.iter().cloned());
        let quoted = quotation_indexes(meeting_decisions, &life);
        let mut overview = view.overview.clone();
        overview.leave_out_decisions(&quoted, meeting_decisions, &catalog, meeting_index);
        let MeetingOverview { agenda_items, key_documents, counts } = overview;
        let decision_count = (meeting_decisions.decisions.len() - quoted.len()) as u64;
        Ok(MeetingDetail {
            meeting: record::to_meeting_record(
                meeting,
                record::today(),
                indexed_count,
                decision_count,
            ),
            agenda_items,
            key_documents,
            decision_sources: sources,
            decisions: counts,
        })
    }
}
