//! The list of meeting documents, with its filters.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use domain::RegisterStatus;
use maud::{Markup, html};

use super::{PART, render_candidates, render_tdoc_table};
use crate::{
    http::{Edge, failure_status},
    ui::{
        empty_state::{empty_state, explained_state},
        entered_query::EnteredQuery,
        export::{export_links, export_list},
        page::{PageFrame, refusal_page, render_content_page},
        person::Person,
        run::{ExplainedReply, run_explained},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use domain::DocKind;
use wire::{
    Failure,
    params::ListTdocs,
    records::{DiagnosisReason, TdocListReply},
    values::{DiagnosisCode, OrganizationResolutionStatus},
};

/// Documents on a page.
const TDOCS_PER_PAGE: u32 = 50;
/// Documents of a request for a file: the most that `list_tdocs` returns, because each request counts against the
/// allowance.
const EXPORTED_PER_REQUEST: u32 = 200;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(PART, get(show_tdoc_list))
}

/// Parameters behind "More filters".
const MORE_FILTERS: [&str; 6] = ["role", "group", "work_item", "spec", "since", "until"];

async fn show_tdoc_list(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    query: EnteredQuery<ListTdocs>,
) -> Response {
    let parameters = query.parameters.clone();
    if let Some(format) = query.format {
        let first = ListTdocs { limit: EXPORTED_PER_REQUEST, cursor: None, ..parameters };
        return export_list(
            &edge,
            &person,
            ("contributions", format),
            first,
            |reply, parameters, rows| {
                rows.extend(reply.items);
                parameters.cursor = reply.next_cursor;
                parameters.cursor.is_some()
            },
        )
        .await;
    }
    match run_explained(&edge, &person, ListTdocs { limit: TDOCS_PER_PAGE, ..parameters }).await {
        Ok(ExplainedReply { reply, diagnosis }) => {
            list_page(&person, &query, None, render_list(&query, &reply, &diagnosis))
        }
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates } = &failure else {
                return refusal_page(Some(&person), &failure);
            };
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} matches several organizations. Choose one:" }
                (render_candidates(candidates, |id| query.path_with(PART, "source", id)))
            };
            list_page(&person, &query, Some(&failure), body)
        }
        Err(failure @ (Failure::InvalidParameter { .. } | Failure::Validation(_))) => {
            let message = match &failure {
                Failure::InvalidParameter { message, .. } => message.clone(),
                Failure::Validation(faults) => {
                    let faults = faults.iter().map(|fault| fault.kind.message());
                    faults.collect::<Vec<_>>().join(". ")
                }
                _ => String::new(),
            };
            list_page(&person, &query, Some(&failure), fault_line(Some(&message)))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn list_page(
    person: &Person,
    query: &EnteredQuery<ListTdocs>,
    failure: Option<&Failure>,
    body: Markup,
) -> Response {
    let body = html! {
        h1 { "Contributions" }
        p.facts { a href="/contributions/search" { "Search the text" } }
        (render_form(query))
        (body)
    };
    let frame = PageFrame { title: "Contributions", person: Some(person), part: PART };
    let mut response = render_content_page(&frame, body);
    if let Some(failure) = failure {
        *response.status_mut() = failure_status(failure);
    }
    response
}

fn render_form(query: &EnteredQuery<ListTdocs>) -> Markup {
    let text =
        |name: &'static str, label: &'static str, value: &str, size: u8, hint: &'static str| {
            html! {
                label { (label) " "
                    input type="text" name=(name) value=(value) size=(size) maxlength="200"
                        placeholder=(hint);
                }
            }
        };
    html! {
        form.search method="get" action=(PART) role="search" {
            div.line {
                label.hidden for="q" { "Words in the title or abstract" }
                input #q type="search" name="q" value=(query.value("q")) maxlength="1000"
                    placeholder="Words in the title or abstract" data-slash;
                button type="submit" { "Show" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                (text("source", "Company", query.value("source"), 16, ""))
                (text("meeting", "Meeting", query.value("meeting"), 10, "RAN1#118"))
                (text("agenda_item", "Agenda item", query.value("agenda_item"), 7, "8.1"))
                label { "Kind "
                    select name="doc_kind" {
                        option value="" { "any" }
                        @for kind in DocKind::ALL.into_iter() {
                            option value=(kind) selected[query.value("doc_kind") == kind.as_str()] { (kind) }
                        }
                    }
                }
                label { "Status "
                    select name="status" {
                        option value="" { "any" }
                        @for status in RegisterStatus::ALL.map(RegisterStatus::as_str) {
                            option value=(status) selected[query.value("status") == status] { (status) }
                        }
                    }
                }
            }
            details open[MORE_FILTERS.iter().any(|name| !query.value(name).is_empty())] {
                summary { "More filters" }
                fieldset.filters {
                    legend.hidden { "More filters" }
                    label { "Role "
                        select name="role" {
                            option value="" { "any" }
                            @for (value, name) in ROLES {
                                option value=(value) selected[query.value("role") == value] { (name) }
                            }
                        }
                    }
                    (text("group", "Group", query.value("group"), 6, "RAN1"))
                    (text("work_item", "Work item", query.value("work_item"), 18, ""))
                    (text("spec", "Specification", query.value("spec"), 8, "38.214"))
                    (text("since", "Meetings since", query.value("since"), 10, "2024-01-01"))
                    (text("until", "until", query.value("until"), 10, "2024-12-31"))
                }
            }
        }
    }
}

/// Roles to choose, with their names for people.
const ROLES: [(&str, &str); 4] = [
    ("submitter,co_submitter", "submitter or co-submitter"),
    ("submitter", "submitter"),
    ("co_submitter", "co-submitter"),
    ("editor", "editor"),
];

fn render_list(
    query: &EnteredQuery<ListTdocs>,
    reply: &TdocListReply,
    diagnosis: &[DiagnosisReason],
) -> Markup {
    let (covered, total) = (&reply.coverage, reply.total);
    html! {
        @if let Some(resolution) = &reply.source_resolution {
            @match (resolution.status, resolution.candidates.first()) {
                (OrganizationResolutionStatus::Fuzzy, Some(best)) => {
                    p.note { "No organization is named \u{201c}" (resolution.query) "\u{201d}. Showing results for "
                        strong { (best.display_name) } "." }
                }
                (OrganizationResolutionStatus::NotFound, _) => {
                    p.note { "No organization matches \u{201c}" (resolution.query)
                        "\u{201d}." }
                }
                _ => {}
            }
        }
        p.quiet {
            (total) @if total == 1 { " document" } @else { " documents" }
            " in " (covered.meetings.len())
            @if covered.meetings.len() == 1 { " meeting with " } @else { " meetings with " }
            (covered.known_tdocs) " documents in total"
            @if !covered.undated_meetings.is_empty() {
                "; not included because their dates are unknown: "
                (covered.undated_meetings.join(", "))
            }
            "."
        }
        @if reply.items.is_empty() {
            @if diagnosis.iter().any(|reason| reason.code == DiagnosisCode::NothingIndexed) {
                (empty_state("No registers yet.", html! { "Import some with " code { "specbox tdocs import FILE" } "." }))
            } @else {
                (explained_state("No documents in these meetings match these filters.", diagnosis, html! {
                    a href=(PART) { "Show all contributions" } ", or "
                    a href="/contributions/search" { "search their text" } "."
                }))
            }
        } @else {
            div.actions-line { (export_links(&query.path_with(PART, "cursor", ""))) }
            (render_tdoc_table(&reply.items))
            @if let Some(next) = &reply.next_cursor {
                p { a.button href=(query.path_with(PART, "cursor", next)) { "Next" } }
            }
        }
    }
}
