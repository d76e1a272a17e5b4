//! Meetings: their dates, agendas and documents, and their decisions.

mod adopted_proposals;
mod decision_records;
mod get_meeting;
mod list_decisions;
mod list_meetings;
mod overview;
mod record;
mod register_outcomes;
mod trace_clause;
mod view;

pub(super) use view::MeetingViewCache;
