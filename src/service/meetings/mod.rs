//! Meetings: their dates, agendas and documents, and their decisions.

mod adopted_proposals;
mod agenda_topics;
mod decision_criteria;
mod decision_records;
mod decision_topics;
mod find_meetings;
mod get_meeting;
mod left_out;
mod life;
mod list_decisions;
mod list_meetings;
mod meeting_companies;
mod named_proposals;
mod notes_text;
mod overview;
mod quotations;
mod record;
mod register_agreement;
mod register_outcomes;
mod search_decisions;
mod search_reasons;
mod trace_clause;
mod traced_decisions;
mod view;
pub use find_meetings::find_meetings;
pub(in crate::service) use life::group_life;
pub use meeting_companies::meeting_companies;
pub use notes_text::notes_text;
pub(in crate::service) use view::meeting_decisions;

pub use find_meetings::NamedMeeting;
pub(super) use life::DecisionLifeCache;
pub use meeting_companies::MeetingCompany;
pub use notes_text::NotesText;
pub(super) use traced_decisions::decisions_recorded_under;
pub(super) use view::MeetingViewCache;
