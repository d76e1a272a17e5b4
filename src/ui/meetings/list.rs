//! The list of meetings.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{PART, decision_search::SEARCH_PATH, meeting_dates};
use crate::ui::paths::meeting_path;
use crate::{
    http::{Edge, failure_status},
    ui::{
        empty_state::explained_state,
        entered_query::EnteredQuery,
        export::{export_links, export_list},
        page::{PageFrame, refusal_page, render_content_page},
        run::{ExplainedReply, run_explained},
        sign_in::fault_line,
        status_badge::status_badge,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::ListMeetings,
    records::{DiagnosisReason, MeetingListReply},
};

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

async fn show_meetings(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    query: EnteredQuery<ListMeetings>,
) -> Response {
    let parameters = ListMeetings { limit: MEETINGS_PER_PAGE, ..query.parameters.clone() };
    if let Some(format) = query.format {
        return export_list(
            &edge,
            &person,
            ("meetings", format),
            ListMeetings { offset: 0, ..parameters },
            |reply, parameters, rows| {
                rows.extend(reply.items);
                reply.next_offset.map(|next| parameters.offset = next).is_some()
            },
        )
        .await;
    }
    let (status, body) = match &run_explained(&edge, &person, parameters).await {
        Ok(ExplainedReply { reply, diagnosis }) => (None, render_list(&query, reply, diagnosis)),
        Err(failure @ Failure::InvalidParameter { message, .. }) => {
            (Some(failure_status(failure)), fault_line(Some(message)))
        }
        Err(failure) => return refusal_page(Some(&person), failure),
    };
    let body = html! {
        h1 { "Meetings" }
        p.facts { a href=(SEARCH_PATH) { "Search decisions of all meetings" } " \u{b7} " a href="/trace" { "Trace a clause" } }
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

fn render_form(query: &EnteredQuery<ListMeetings>) -> Markup {
    html! {
        form.search method="get" action=(PART) role="search" {
            fieldset.filters {
                legend.hidden { "Filters" }
                label { "Group " input type="text" name="group" value=(query.value("group")) size="8" placeholder="RAN1"; }
                label { "Since " input type="text" name="since" value=(query.value("since")) size="10" placeholder="2024-01-01"; }
                label { "until " input type="text" name="until" value=(query.value("until")) size="10" placeholder="2024-12-31"; }
                label { "State "
                    select name="state" {
                        option value="" { "any" }
                        @for (value, name) in STATES {
                            option value=(value) selected[query.value("state") == value] { (name) }
                        }
                    }
                }
                button type="submit" { "Show" }
            }
        }
    }
}

fn render_list(
    query: &EnteredQuery<ListMeetings>,
    reply: &MeetingListReply,
    diagnosis: &[DiagnosisReason],
) -> Markup {
    html! {
        @if reply.items.is_empty() {
            (explained_state("No meetings match these filters.", diagnosis, html! {
                "To add meetings, import registers, calendars or reports: "
                code { "specbox tdocs import" } ", " code { "specbox meetings import" } "."
            }))
        } @else {
            div.actions-line {
                span.quiet { (reply.total) @if reply.total == 1 { " meeting" } @else { " meetings" } }
                (export_links(&query.path_with(PART, "offset", "")))
            }
            div.table role="region" aria-label="Meetings" tabindex="0" {
                table.rows {
                    thead { tr {
                        th scope="col" { "Meeting" } th scope="col" { "Dates" } th scope="col" { "Place" }
                        th.count scope="col" { "Documents" } th.count scope="col" { "Indexed" }
                        th.count scope="col" { "In notes and reports" }
                        th scope="col" { "State" }
                    } }
                    tbody {
                        @for meeting in &reply.items {
                            tr {
                                td.number { a href=(meeting_path(&meeting.meeting_id)) { (meeting.name) } }
                                td.number { (meeting_dates(meeting)) }
                                td { (meeting.place.as_deref().unwrap_or("")) }
                                td.count data-label="Documents" { (meeting.tdoc_count) }
                                td.count data-label="Indexed" { (meeting.indexed_tdocs) }
                                td.count data-label="In notes and reports" title="Decisions and noted documents in the notes and reports that were read" { (meeting.decision_count) }
                                td { (status_badge(&meeting.state.to_string())) }
                            }
                        }
                    }
                }
            }
            @if let Some(next) = reply.next_offset {
                p { a.button.second href=(query.path_with(PART, "offset", &next.to_string())) { "Next" } }
            }
        }
    }
}
