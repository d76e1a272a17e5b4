//! The list of meeting documents, with its filters.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use register::Status;
use serde::Deserialize;
use url::form_urlencoded::Serializer;

use super::{PART, candidates, table};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PageQuery,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
        sign_in::fault_line,
    },
};
use contributions::DocKind;
use wire::{Failure, records::TdocListReply};

/// Documents on a page.
const ON_A_PAGE: u64 = 50;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(PART, get(show))
}

/// What the form asks for.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct Asked {
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
}

impl Asked {
    fn fields(&self) -> [(&'static str, &str); 12] {
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

    fn arguments(&self) -> Arguments {
        let fields =
            self.fields().into_iter().fold(Arguments::default(), |arguments, (name, value)| {
                arguments.with(name, value.trim())
            });
        fields.with("cursor", self.cursor.trim()).with("limit", ON_A_PAGE)
    }

    /// The path of the same list with another value of a field.
    fn path_with(&self, name: &str, value: &str) -> String {
        let mut query = Serializer::new(String::new());
        for (own, text) in self.fields() {
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

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    match run::<TdocListReply>(&edge, &person, "list_tdocs", asked.arguments()).await {
        Ok(reply) => framed(&person, &asked, None, listed(&person, &asked, &reply)),
        Err(failure @ Failure::OrganizationAmbiguous { .. }) => {
            let Failure::OrganizationAmbiguous { name, candidates: found } = &failure else {
                return refusal(Some(&person), &failure);
            };
            let body = html! {
                p { "\u{201c}" (name) "\u{201d} may be several organizations. Which is it?" }
                (candidates(found, |id| asked.path_with("source", id)))
            };
            framed(&person, &asked, Some(&failure), body)
        }
        Err(failure @ (Failure::InvalidParameter { .. } | Failure::Validation(_))) => {
            let told = match &failure {
                Failure::InvalidParameter { message, .. } => message.clone(),
                Failure::Validation(faults) => {
                    let faults = faults.iter().map(|fault| fault.kind.message());
                    faults.collect::<Vec<_>>().join(". ")
                }
                _ => String::new(),
            };
            framed(&person, &asked, Some(&failure), fault_line(Some(&told)))
        }
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn framed(person: &Person, asked: &Asked, failure: Option<&Failure>, body: Markup) -> Response {
    let body = html! {
        h1 { "Contributions" }
        p.facts { a href="/contributions/search" { "Search their text" } }
        (form(asked))
        (body)
    };
    let frame = Frame { title: "Contributions", person: Some(person), part: PART };
    let mut response = page(&frame, body);
    if let Some(failure) = failure {
        *response.status_mut() = status_of(failure);
    }
    response
}

fn form(asked: &Asked) -> Markup {
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
                label.hidden for="q" { "Words of title or abstract" }
                input #q type="search" name="q" value=(asked.q) maxlength="1000"
                    placeholder="Words of title or abstract" data-slash;
                button type="submit" { "Show" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                (text("source", "Company", &asked.source, 16, ""))
                (text("meeting", "Meeting", &asked.meeting, 10, "RAN1#118"))
                (text("agenda_item", "Agenda item", &asked.agenda_item, 7, "8.1"))
                label { "Kind "
                    select name="doc_kind" {
                        option value="" { "any" }
                        @for kind in DocKind::all() {
                            option value=(kind) selected[asked.doc_kind == kind.as_str()] { (kind) }
                        }
                    }
                }
                label { "Status "
                    select name="status" {
                        option value="" { "any" }
                        @for status in Status::all().map(Status::as_str) {
                            option value=(status) selected[asked.status == status] { (status) }
                        }
                    }
                }
            }
            details open[asked.has_more_filters()] {
                summary { "More filters" }
                fieldset.filters {
                    legend.hidden { "More filters" }
                    label { "Role "
                        select name="role" {
                            option value="" { "any" }
                            @for (value, name) in ROLES {
                                option value=(value) selected[asked.role == value] { (name) }
                            }
                        }
                    }
                    (text("group", "Group", &asked.group, 6, "RAN1"))
                    (text("work_item", "Work item", &asked.work_item, 18, ""))
                    (text("spec", "Specification", &asked.spec, 8, "38.214"))
                    (text("since", "Meetings since", &asked.since, 10, "2024-01-01"))
                    (text("until", "until", &asked.until, 10, "2024-12-31"))
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

fn listed(person: &Person, asked: &Asked, reply: &TdocListReply) -> Markup {
    let (covered, total) = (&reply.coverage, reply.total);
    html! {
        @if let Some(resolution) = &reply.source_resolution {
            @match resolution.candidates.first().filter(|_| resolution.status == "fuzzy") {
                Some(best) => {
                    p.note { "No organization is called \u{201c}" (resolution.query) "\u{201d}; taken for "
                        strong { (best.display_name) } "." }
                }
                None if resolution.status == "not_found" => {
                    p.note { "No organization is known by the name \u{201c}" (resolution.query)
                        "\u{201d}." }
                }
                None => {}
            }
        }
        p.quiet {
            (total) @if total == 1 { " document" } @else { " documents" }
            " in " (covered.meetings.len())
            @if covered.meetings.len() == 1 { " meeting with " } @else { " meetings with " }
            (covered.registered_tdocs) " documents in all"
            @if !covered.undated_meetings.is_empty() {
                "; left out, for it is not known when they were: "
                (covered.undated_meetings.join(", "))
            }
            "."
        }
        @if reply.items.is_empty() {
            p.empty {
                @if covered.registered_tdocs == 0 && person.is_operator() {
                    "No register yet. Take some in with " code { "specbox tdocs import FILE" } "."
                } @else { "Nothing in those meetings." }
            }
        } @else {
            (table(&reply.items))
            @if let Some(next) = &reply.next_cursor {
                p { a.button href=(asked.path_with("cursor", next)) { "Next page" } }
            }
        }
    }
}
