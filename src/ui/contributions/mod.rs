//! What meetings have before them, for people: a list to filter, a record, a company.

mod company;
mod list;
mod record;
mod search;
mod text;

pub(super) use text::place_path;

use std::sync::Arc;

use axum::Router;
use maud::{Markup, html};
use url::form_urlencoded::byte_serialize;

use crate::http::Edge;
use wire::records::{OrganizationCandidate, TdocMeeting, TdocRecord, TdocSource};

/// The part of the site that these pages belong to.
const PART: &str = "/contributions";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .merge(list::routes())
        .merge(search::routes())
        .merge(record::routes())
        .merge(text::routes())
        .merge(company::routes())
}

/// A piece of text within a path or a query.
pub(super) fn encoded(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20")
}

/// Where the record of a document is shown.
pub(super) fn record_path(tdoc_id: &str) -> String {
    format!("/contributions/{}", encoded(tdoc_id))
}

/// Where a company is shown.
fn company_path(org_id: &str) -> String {
    format!("/companies/{}", encoded(org_id))
}

/// Who a document is from, each with a way to what else they brought.
fn sources(sources: &[TdocSource]) -> Markup {
    html! {
        @for (at, source) in sources.iter().enumerate() {
            @if at > 0 { ", " }
            a href=(company_path(&source.org_id)) { (source.display_name) }
            @if source.role == "editor" { " " span.tag { "editor" } }
        }
    }
}

/// What became of a document.
fn status(document: &TdocRecord) -> Markup {
    html! { span.tag title=(document.status_label) { (document.status) } }
}

/// When a meeting is.
fn dates(meeting: &TdocMeeting) -> Option<String> {
    let start = meeting.start_date.as_deref()?;
    Some(match &meeting.end_date {
        Some(end) => format!("{start} to {end}"),
        None if meeting.dates_estimated => format!("about {start}"),
        None => start.to_owned(),
    })
}

/// Documents as a table.
fn table(documents: &[TdocRecord]) -> Markup {
    html! {
        div.table role="region" aria-label="Meeting documents" tabindex="0" {
            table {
                thead { tr {
                    th scope="col" { "Number" } th scope="col" { "Title" } th scope="col" { "From" }
                    th scope="col" { "Meeting" } th scope="col" { "Item" } th scope="col" { "Kind" }
                    th scope="col" { "Status" }
                } }
                tbody {
                    @for document in documents {
                        tr {
                            td.number { a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) } }
                            td { (document.title) }
                            td { (sources(&document.sources)) }
                            td.number {
                                a href={ "/contributions?meeting=" (encoded(&document.meeting.meeting_id)) }
                                    title=[dates(&document.meeting)] { (document.meeting.name) }
                            }
                            td { (document.agenda_item.as_deref().unwrap_or("")) }
                            td { (document.doc_kind) }
                            td { (status(document)) }
                        }
                    }
                }
            }
        }
    }
}

/// The organizations that a name may mean; `path` makes the way on with one of them.
fn candidates(candidates: &[OrganizationCandidate], path: impl Fn(&str) -> String) -> Markup {
    html! {
        ul {
            @for candidate in candidates {
                li {
                    a href=(path(&candidate.org_id)) { (candidate.display_name) }
                    " " span.quiet { (candidate.tdoc_count) " documents" }
                }
            }
        }
    }
}
