//! The list of meetings.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, decision_search::SEARCH_PATH, meeting_dates, meeting_path};
use crate::{
    http::{Edge, failure_status},
    ui::{
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PageQuery,
        run::{entered_text, run_operation},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use wire::{Failure, params::ListMeetings, records::MeetingListReply};

/// Meetings on a page.
const MEETINGS_PER_PAGE: u32 = 100;
/// States with their labels.
const STATES: [(&str, &str); 5] = [
    ("ended", "ended"),
    ("ongoing", "ongoing"),
    ("upcoming", "upcoming"),
    ("cancelled", "cancelled"),
    ("unknown", "unknown date"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(PART, get(show_meetings))
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct MeetingListQuery {
    group: String,
    since: String,
    until: String,
    state: String,
    offset: u32,
}

async fn show_meetings(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<MeetingListQuery>,
) -> Response {
    let parameters = ListMeetings {
        group: entered_text(&query.group),
        since: entered_text(&query.since),
        until: entered_text(&query.until),
        state: entered_text(&query.state),
        limit: MEETINGS_PER_PAGE,
        offset: query.offset,
    };
    let (status, body) = match &run_operation(&edge, &person, parameters).await {
        Ok(reply) => (None, render_list(&query, reply)),
        Err(failure @ Failure::InvalidParameter { message, .. }) => {
            (Some(failure_status(failure)), fault_line(Some(message)))
        }
        Err(failure) => return refusal_page(Some(&person), failure),
    };
    let body = html! {
        h1 { "Meetings" }
        p.facts { a href=(SEARCH_PATH) { "Search decisions of all meetings" } }
        (render_form(&query))
        (body)
    };
    let mut response = render_content_page(
        &PageFrame { title: "Meetings", person: Some(&person), part: PART },
        body,
    );
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn render_form(query: &MeetingListQuery) -> Markup {
    html! {
        form.search method="get" action=(PART) role="search" {
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Group " input type="text" name="group" value=(query.group) size="8" placeholder="RAN1"; }
                label { "Since " input type="text" name="since" value=(query.since) size="10" placeholder="2024-01-01"; }
                label { "until " input type="text" name="until" value=(query.until) size="10" placeholder="2024-12-31"; }
                label { "State "
                    select name="state" {
                        option value="" { "any" }
                        @for (value, name) in STATES {
                            option value=(value) selected[query.state == value] { (name) }
                        }
                    }
                }
                button type="submit" { "Show" }
            }
        }
    }
}

fn render_list(query: &MeetingListQuery, reply: &MeetingListReply) -> Markup {
    html! {
        @if reply.items.is_empty() {
            p.empty { "No meetings match these filters. To add meetings, import registers, calendars or reports: "
                code { "specbox tdocs import" } ", " code { "specbox meetings import" } "." }
        } @else {
            p.facts { (reply.total) " meetings" }
            div.table role="region" aria-label="Meetings" tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { "Meeting" } th scope="col" { "When" } th scope="col" { "Where" }
                        th scope="col" { "Documents" } th scope="col" { "Read" } th scope="col" { "Decisions" }
                        th scope="col" { "State" }
                    } }
                    tbody {
                        @for meeting in &reply.items {
                            tr {
                                td.number { a href=(meeting_path(&meeting.meeting_id)) { (meeting.name) } }
                                td.number { (meeting_dates(meeting)) }
                                td { (meeting.place.as_deref().unwrap_or("")) }
                                td { (meeting.tdoc_count) }
                                td { (meeting.indexed_tdocs) }
                                td { (meeting.decision_count) }
                                td { span.tag { (meeting.state) } }
                            }
                        }
                    }
                }
            }
            @if let Some(next) = reply.next_offset {
                p { a.button.second href={ (PART) "?group=" (super::percent_encode(&query.group)) "&state=" (super::percent_encode(&query.state))
                    "&since=" (super::percent_encode(&query.since)) "&until=" (super::percent_encode(&query.until)) "&offset=" (next) } { "More" } }
            }
        }
    }
}
