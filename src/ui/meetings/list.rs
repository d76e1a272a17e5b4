//! The list of meetings.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, dates, meeting_path};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PageQuery,
        page::{Frame, page, refusal},
        person::Payer,
        run::{Arguments, run},
        sign_in::fault_line,
    },
};
use wire::{Failure, records::MeetingListReply};

/// Meetings on a page.
const ON_A_PAGE: u32 = 100;
/// States with their names.
const STATES: [(&str, &str); 5] = [
    ("ended", "ended"),
    ("ongoing", "going on"),
    ("upcoming", "to come"),
    ("cancelled", "cancelled"),
    ("unknown", "date not known"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(PART, get(show))
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
    group: String,
    since: String,
    until: String,
    state: String,
    offset: u32,
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let arguments = Arguments::default()
        .with("group", asked.group.trim())
        .with("since", asked.since.trim())
        .with("until", asked.until.trim())
        .with("state", asked.state.trim())
        .with("limit", ON_A_PAGE)
        .with("offset", asked.offset);
    let (status, body) =
        match run::<MeetingListReply>(&edge, &person, "list_meetings", arguments).await {
            Ok(reply) => (None, listed(&asked, &reply)),
            Err(failure @ Failure::InvalidParameter { .. }) => {
                let told = match &failure {
                    Failure::InvalidParameter { message, .. } => message.clone(),
                    _ => String::new(),
                };
                (Some(status_of(&failure)), fault_line(Some(&told)))
            }
            Err(failure) => return refusal(Some(&person), &failure),
        };
    let body = html! { h1 { "Meetings" } (form(&asked)) (body) };
    let mut response = page(&Frame { title: "Meetings", person: Some(&person), part: PART }, body);
    if let Some(status) = status {
        *response.status_mut() = status;
    }
    response
}

fn form(asked: &Asked) -> Markup {
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

fn listed(asked: &Asked, reply: &MeetingListReply) -> Markup {
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
                                td.number { (dates(meeting)) }
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
                p { a.button.second href={ (PART) "?group=" (super::encoded(&asked.group)) "&state=" (super::encoded(&asked.state))
                    "&since=" (super::encoded(&asked.since)) "&until=" (super::encoded(&asked.until)) "&offset=" (next) } { "More" } }
            }
        }
    }
}
