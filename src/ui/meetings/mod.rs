//! Meetings for people: a list, a meeting with its agenda and its decisions, and the decisions of all meetings.

mod agenda;
mod decision_card;
mod decision_links;
mod decision_page;
mod decision_parts;
mod decision_search;
mod list;
mod meeting;
mod notes;

use std::sync::Arc;

use axum::Router;

use crate::http::Edge;
use wire::records::MeetingRecord;

pub(super) use decision_links::{render_links, render_standing};

/// The part of the site that these pages belong to; `/meetings` is the operation.
const PART: &str = "/meeting";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .merge(list::routes())
        .merge(meeting::routes())
        .merge(decision_page::routes())
        .merge(decision_search::routes())
        .merge(notes::routes())
}

/// The dates of a meeting.
fn meeting_dates(meeting: &MeetingRecord) -> String {
    match (&meeting.start_date, &meeting.end_date) {
        (Some(start), Some(end)) => format!("{start} to {end}"),
        (Some(start), None) if meeting.dates_estimated => format!("about {start}"),
        (Some(start), None) => start.clone(),
        (None, _) => "unknown date".to_owned(),
    }
}
