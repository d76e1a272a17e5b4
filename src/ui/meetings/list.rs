//! The list of meetings.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, meeting_dates, meeting_path};
use crate::{
    http::{Edge, failure_status},
    ui::{
        page::{PageFrame, refusal_page, render_page},
        page_query::PageQuery,
        person::PayingPerson,
        run::{OperationArguments, run_operation},
        sign_in::fault_line,
    },
};
use wire::{Failure, records::MeetingListReply};

/// Meetings on a page.
const MEETINGS_PER_PAGE: u32 = 100;
/// States with their names.
const STATES: [(&str, &str); 5] = [
    ("ended", "ended"),
    ("ongoing", "going on"),
    ("upcoming", "to come"),
    ("cancelled", "cancelled"),
    ("unknown", "date not known"),
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
    PageQuery(asked): PageQuery<MeetingListQuery>,
) -> Response {
    let arguments = OperationArguments::default()
        .with_argument("group", asked.group.trim())
        .with_argument("since", asked.since.trim())
        .with_argument("until", asked.until.trim())
        .with_argument("state", asked.state.trim())
        .with_argument("limit", MEETINGS_PER_PAGE)
        .with_argument("offset", asked.offset);
    let (status, body) =
        match run_operation::<MeetingListReply>(&edge, &person, "list_meetings", arguments).await {
            Ok(reply) => (None, render_list(&asked, &reply)),
            Err(failure @ Failure::InvalidParameter { .. }) => {
                let told = match &failure {
                    Failure::InvalidParameter { message, .. } => message.clone(),
                    _ => String::new(),
                };
                (Some(failure_status(&failure)), fault_line(Some(&told)))
            }
            Err(failure) => return refusal_page(Some(&person), &failure),
        };
    let body = html! { h1 { "Meetings" } (render_form(&asked)) (body) };
    let mut response =
        render_page(&PageFrame { title: "Meetings", person: Some(&person), part: PART }, body);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn render_form(asked: &MeetingListQuery) -> Markup {
    html! {
        form.search method="get" action=(PART) role="search" {
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Group " input type="text" name="group" value=(asked.group) size="8" placeholder="RAN1"; }
                label { "Since " input type="text" name="since" value=(asked.since) size="10" placeholder="2024-01-01"; }
                label { "until " input type="text" name="until" value=(asked.until) size="10" placeholder="2024-12-31"; }
                label { "State "
                    select name="state" {
                        option value="" { "any" }
                        @for (value, name) in STATES {
                            option value=(value) selected[asked.state == value] { (name) }
                        }
                    }
                }
                button type="submit" { "Show" }
            }
        }
    }
}

fn render_list(asked: &MeetingListQuery, reply: &MeetingListReply) -> Markup {
    html! {
        @if reply.items.is_empty() {
            p.empty { "No meeting passes. Registers, calendars and reports bring meetings here: "
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
                p { a.button.second href={ (PART) "?group=" (super::percent_encode(&asked.group)) "&state=" (super::percent_encode(&asked.state))
                    "&since=" (super::percent_encode(&asked.since)) "&until=" (super::percent_encode(&asked.until)) "&offset=" (next) } { "More" } }
            }
        }
    }
}
