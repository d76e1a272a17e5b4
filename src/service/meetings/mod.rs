//! Meetings: when they are, what is before them, and what they decided.

mod adopted_proposals;
mod get_meeting;
mod list_decisions;
mod list_meetings;
mod record;
mod register_outcomes;
mod trace_clause;
mod view;

pub(super) use view::MeetingViewCache;
