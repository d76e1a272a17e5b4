//! Pages of meeting documents: a list with filters, search, records, texts and companies.

mod company;
mod list;
mod record;
mod search;
mod text;

use std::sync::Arc;

use axum::Router;
use maud::{Markup, html};

use crate::ui::paths::{company_path, percent_encode, record_path};
use crate::{http::Edge, ui::status_badge::status_badge};
use wire::{
    records::{OrganizationCandidate, TdocMeeting, TdocRecord, TdocSource},
    values::SourceRole,
};

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

/// The sources of a document, each with a link to its other documents.
fn render_sources(sources: &[TdocSource]) -> Markup {
    html! {
        @for (index, source) in sources.iter().enumerate() {
            @if index > 0 { ", " }
            a href=(company_path(&source.org_id)) { (source.display_name) }
            @if source.role == SourceRole::Editor { " " span.tag { "editor" } }
        }
    }
}

/// The status of a document.
fn render_status(document: &TdocRecord) -> Markup {
    html! { span title=(document.status_label) { (status_badge(&document.status.to_string())) } }
}

/// The dates of a meeting.
fn meeting_dates(meeting: &TdocMeeting) -> Option<String> {
    let start = meeting.start_date.as_deref()?;
    Some(match &meeting.end_date {
        Some(end) => format!("{start} to {end}"),
        None if meeting.dates_estimated => format!("about {start}"),
        None => start.to_owned(),
    })
}

/// Documents as a table.
fn render_tdoc_table(documents: &[TdocRecord]) -> Markup {
    html! {
        div.table role="region" aria-label="Meeting documents" tabindex="0" {
            table.rows {
                thead { tr {
                    th scope="col" { "Number" } th scope="col" { "Title" } th scope="col" { "Source" }
                    th scope="col" { "Meeting" } th scope="col" { "Item" } th scope="col" { "Kind" }
                    th scope="col" { "Status" }
                } }
                tbody {
                    @for document in documents {
                        tr {
                            td.number { a href=(record_path(&document.tdoc_id)) { (document.tdoc_id) } }
                            td { (document.title) }
                            td data-label="Source" { (render_sources(&document.sources)) }
                            td.number data-label="Meeting" {
                                a href={ "/contributions?meeting=" (percent_encode(&document.meeting.meeting_id)) }
                                    title=[meeting_dates(&document.meeting)] { (document.meeting.name) }
                            }
                            td data-label="Item" { (document.agenda_item.as_deref().unwrap_or("")) }
                            td data-label="Kind" { (document.doc_kind) }
                            td { (render_status(document)) }
                        }
                    }
                }
            }
        }
    }
}

/// The organizations that a name may mean; `path` gives the link for the id of one.
fn render_candidates(
    candidates: &[OrganizationCandidate],
    path: impl Fn(&str) -> String,
) -> Markup {
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
