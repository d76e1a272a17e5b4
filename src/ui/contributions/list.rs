//! The list of meeting documents, with its filters.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use domain::RegisterStatus;
use maud::{Markup, html};
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{PART, render_candidates, render_tdoc_table};
use crate::{
    http::{Edge, failure_status},
    ui::{
        empty_state::empty_state,
        export::{ExportFormat, export_links, export_list},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PageQuery,
        person::Person,
        run::{entered_text, run_operation},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use domain::DocKind;
use wire::{
    Failure, params::ListTdocs, records::TdocListReply, values::OrganizationResolutionStatus,
};

/// Documents on a page.
const TDOCS_PER_PAGE: u32 = 50;
/// Documents of a request for a file: the most that `list_tdocs` returns, because each request counts against the
/// allowance.
const EXPORTED_PER_REQUEST: u32 = 200;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(PART, get(show_tdoc_list))
}

/// The query string of the page, as its form sends it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct TdocListQuery {
    q: String,
    source: String,
    role: String,
    meeting: String,
    group: String,
    agenda_item: String,
    doc_kind: String,
    status: String,
    work_item: String,
    spec: String,
    since: String,
    until: String,
    cursor: String,
    /// `csv` or `json` if the list is wanted as a file.
    format: String,
}

impl TdocListQuery {
    fn filter_fields(&self) -> [(&'static str, &str); 12] {
        [
            ("q", &self.q),
            ("source", &self.source),
            ("role", &self.role),
            ("meeting", &self.meeting),
            ("group", &self.group),
            ("agenda_item", &self.agenda_item),
            ("doc_kind", &self.doc_kind),
            ("status", &self.status),
            ("work_item", &self.work_item),
            ("spec", &self.spec),
            ("since", &self.since),
            ("until", &self.until),
        ]
    }

    fn to_parameters(&self) -> ListTdocs {
        ListTdocs {
            source: entered_text(&self.source),
            role: entered_text(&self.role),
            meeting: entered_text(&self.meeting),
            group: entered_text(&self.group),
            agenda_item: entered_text(&self.agenda_item),
            doc_kind: entered_text(&self.doc_kind),
            status: entered_text(&self.status),
            work_item: entered_text(&self.work_item),
            spec: entered_text(&self.spec),
            since: entered_text(&self.since),
            until: entered_text(&self.until),
            q: entered_text(&self.q),
            limit: TDOCS_PER_PAGE,
            cursor: entered_text(&self.cursor),
        }
    }

    /// The path of the same list with another value of a field.
    fn path_with(&self, name: &str, value: &str) -> String {
        let mut query = Serializer::new(String::new());
        for (own, text) in self.filter_fields() {
            if own != name && !text.is_empty() {
                query.append_pair(own, text);
            }
        }
        query.append_pair(name, value);
        format!("{PART}?{}", query.finish())
    }

    fn has_more_filters(&self) -> bool {
        let more = [&self.role, &self.group, &self.work_item, &self.spec, &self.since, &self.until];
        more.iter().any(|field| !field.trim().is_empty())
    }
}

async fn show_tdoc_list(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<TdocListQuery>,
) -> Response {
    if let Some(format) = ExportFormat::from_word(&query.format) {
        let first =
            ListTdocs { limit: EXPORTED_PER_REQUEST, cursor: None, ..query.to_parameters() };
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
    match run_operation(&edge, &person, query.to_parameters()).await {
        Ok(reply) => list_page(&person, &query, None, render_list(&query, &reply)),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates } = &failure else {
                return refusal_page(Some(&person), &failure);
            };
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} matches several organizations. Choose one:" }
                (render_candidates(candidates, |id| query.path_with("source", id)))
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
    query: &TdocListQuery,
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

fn render_form(query: &TdocListQuery) -> Markup {
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
                input #q type="search" name="q" value=(query.q) maxlength="1000"
                    placeholder="Words in the title or abstract" data-slash;
                button type="submit" { "Show" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                (text("source", "Company", &query.source, 16, ""))
                (text("meeting", "Meeting", &query.meeting, 10, "RAN1#118"))
                (text("agenda_item", "Agenda item", &query.agenda_item, 7, "8.1"))
                label { "Kind "
                    select name="doc_kind" {
                        option value="" { "any" }
                        @for kind in DocKind::ALL.into_iter() {
                            option value=(kind) selected[query.doc_kind == kind.as_str()] { (kind) }
                        }
                    }
                }
                label { "Status "
                    select name="status" {
                        option value="" { "any" }
                        @for status in RegisterStatus::ALL.map(RegisterStatus::as_str) {
                            option value=(status) selected[query.status == status] { (status) }
                        }
                    }
                }
            }
            details open[query.has_more_filters()] {
                summary { "More filters" }
                fieldset.filters {
                    legend.hidden { "More filters" }
                    label { "Role "
                        select name="role" {
                            option value="" { "any" }
                            @for (value, name) in ROLES {
                                option value=(value) selected[query.role == value] { (name) }
                            }
                        }
                    }
                    (text("group", "Group", &query.group, 6, "RAN1"))
                    (text("work_item", "Work item", &query.work_item, 18, ""))
                    (text("spec", "Specification", &query.spec, 8, "38.214"))
                    (text("since", "Meetings since", &query.since, 10, "2024-01-01"))
                    (text("until", "until", &query.until, 10, "2024-12-31"))
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

fn render_list(query: &TdocListQuery, reply: &TdocListReply) -> Markup {
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
            (covered.registered_tdocs) " documents in total"
            @if !covered.undated_meetings.is_empty() {
                "; not included because their dates are unknown: "
                (covered.undated_meetings.join(", "))
            }
            "."
        }
        @if reply.items.is_empty() {
            @if covered.registered_tdocs == 0 {
                (empty_state("No registers yet.", html! { "Import some with " code { "specbox tdocs import FILE" } "." }))
            } @else {
                (empty_state("No documents in these meetings match these filters.", html! {
                    a href=(PART) { "Show all contributions" } ", or "
                    a href="/contributions/search" { "search their text" } "."
                }))
            }
        } @else {
            div.actions-line { (export_links(&query.path_with("cursor", ""))) }
            (render_tdoc_table(&reply.items))
            @if let Some(next) = &reply.next_cursor {
                p { a.button href=(query.path_with("cursor", next)) { "Next" } }
            }
        }
    }
}
