//! Meetings for people: a list, and a meeting with its agenda and its decisions.

mod decision;
mod list;
mod meeting;
mod one;

use std::sync::Arc;

use axum::Router;

use super::contributions::encoded;
use crate::http::Edge;
use wire::records::MeetingRecord;

/// The part of the site that these pages belong to; `/meetings` is the operation.
const PART: &str = "/meeting";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().merge(list::routes()).merge(meeting::routes()).merge(one::routes())
}

/// Where a meeting is shown.
pub(super) fn meeting_path(meeting_id: &str) -> String {
    format!("{PART}/{}", encoded(meeting_id))
}

/// Where a decision is shown.
fn decision_path(meeting_id: &str, decision_id: &str) -> String {
    format!("{}/decisions/{}", meeting_path(meeting_id), encoded(decision_id))
}

/// When a meeting is.
fn dates(meeting: &MeetingRecord) -> String {
    match (&meeting.start_date, &meeting.end_date) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) if meeting.dates_estimated => format!("about {start}"),
        (Some(start), None) => start.clone(),
        (None, _) => "date not known".to_owned(),
    }
}
