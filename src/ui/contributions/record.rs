//! The record of a meeting document.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use maud::{Markup, html};

use super::{
    PART, meeting_dates, percent_encode, record_path, render_sources, render_status,
    text::text_path,
};
use crate::{
    http::{Edge, failure_status},
    ui::{
        changes::request_path,
        evidence::QuoteLink,
        forms::OwnForm,
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PagePath,
        person::Person,
        run::run_operation,
        visitor::PayingPerson,
    },
};
use wire::{
    Failure,
    params::{FetchTdoc, GetTdoc},
    records::{ChangeRequest, TdocRecord, TdocRevision},
    values::{RegisterStatus, RevisionRelation, TdocContentStatus},
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/contributions/{tdoc_id}", get(show_record))
        .route("/contributions/{tdoc_id}/fetch", post(fetch_tdoc))
}

async fn show_record(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(tdoc_id): PagePath<String>,
) -> Response {
    let include = Some("units,revisions".to_owned());
    let parameters = GetTdoc { tdoc_id, include, ..GetTdoc::default() };
    match run_operation(&edge, &person, parameters).await {
        Ok(record) => record_page(&person, &record, None),
        Err(failure @ Failure::TdocWithdrawn(_)) => match &failure {
            Failure::TdocWithdrawn(record) => record_page(&person, record, Some(&failure)),
            _ => refusal_page(Some(&person), &failure),
        },
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// Fetches the file and shows the record again, with its units or the state of the fetch.
async fn fetch_tdoc(
    State(edge): State<Arc<Edge>>,
    PagePath(tdoc_id): PagePath<String>,
    form: OwnForm,
) -> Response {
    let path = record_path(&tdoc_id);
    let parameters = FetchTdoc { tdoc_id, ..FetchTdoc::default() };
    match run_operation(&edge, &form.person, parameters).await {
        Ok(_) | Err(Failure::TdocFetchInProgress { .. }) => Redirect::to(&path).into_response(),
        Err(failure) => refusal_page(Some(&form.person), &failure),
    }
}

fn record_page(person: &Person, record: &TdocRecord, failure: Option<&Failure>) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } " / "
            a href={ (PART) "?meeting=" (percent_encode(&record.meeting.meeting_id)) } { (record.meeting.name) } }
        h1 { (record.tdoc_id) " " (record.title) }
        p { (render_status(record)) " " (record.status_label) }
        @if let Some(summary) = &record.summary { p { (summary) } }
        (render_facts(record))
        @if let Some(request) = &record.change_request { (render_change_request(record, request)) }
        @if let Some(revisions) = &record.revisions {
            @if !revisions.is_empty() { (render_revisions(record, revisions)) }
        }
        @if failure.is_none() { (render_content(person, record)) }
        @match &record.official_url {
            Some(url) if has_file(record) => {
                p { a.button.second href=(url) rel="noreferrer" { "Original file" } }
            }
            Some(url) => {
                p.quiet { "The file, if there is one, is " a href=(url) rel="noreferrer" { "on the standards body's server" } "." }
            }
            None => { p.quiet { "This document has no file." } }
        }
    };
    let title = format!("{} {}", record.tdoc_id, record.title);
    let mut response =
        render_content_page(&PageFrame { title: &title, person: Some(person), part: PART }, body);
    if let Some(failure) = failure {
        *response.status_mut() = failure_status(failure);
    }
    response
}

/// Whether a document has a file: one whose number is only reserved, or that was withdrawn, rarely has.
fn has_file(record: &TdocRecord) -> bool {
    !matches!(record.status, RegisterStatus::Reserved | RegisterStatus::Withdrawn)
}

fn render_facts(record: &TdocRecord) -> Markup {
    let item = match (&record.agenda_item, &record.agenda_title) {
        (Some(number), Some(title)) => Some(format!("{number} {title}")),
        (number, title) => number.clone().or_else(|| title.clone()),
    };
    let meeting = match (meeting_dates(&record.meeting), &record.meeting.place) {
        (Some(dates), Some(place)) => format!("{}, {dates}, {place}", record.meeting.name),
        (Some(dates), None) => format!("{}, {dates}", record.meeting.name),
        (None, _) => record.meeting.name.clone(),
    };
    let link =
        |id: &Option<String>| id.as_ref().map(|id| html! { a href=(record_path(id)) { (id) } });
    let text = |text: &Option<String>| text.as_ref().map(|text| html! { (text) });
    let spec = record.spec.as_ref().map(|spec| {
        html! {
            a href={ "/read/" (percent_encode(spec)) } { (spec) }
            @if let Some(version) = &record.spec_version { " " (version) }
        }
    });
    let work_items = (!record.work_items.is_empty()).then(|| {
        html! {
            @for (index, code) in record.work_items.iter().enumerate() {
                @if index > 0 { ", " }
                a href={ (PART) "?work_item=" (percent_encode(code)) } { (code) }
            }
        }
    });
    let from = (!record.sources.is_empty()).then(|| render_sources(&record.sources));
    let rows = [
        ("From", from),
        ("Meeting", Some(html! { (meeting) })),
        ("Agenda item", text(&item)),
        ("Kind", Some(html! { (record.doc_kind) })),
        ("For", text(&record.purpose)),
        ("Release", text(&record.release)),
        ("Specification", spec),
        ("Work items", work_items),
        ("Answers", link(&record.reply_to)),
        ("Answered by", link(&record.reply_in)),
        ("Uploaded", text(&record.uploaded_at.as_ref().map(|time| time.replace('T', " ")))),
    ];
    html! {
        dl {
            @for (name, value) in rows {
                @if let Some(value) = value { dt { (name) } dd { (value) } }
            }
        }
    }
}

/// The content of the file: its units, a link to its text, or a button that fetches it.
fn render_content(person: &Person, record: &TdocRecord) -> Markup {
    let content = &record.content;
    let is_read =
        matches!(content.status, TdocContentStatus::Complete | TdocContentStatus::Partial);
    let can_fetch = content.status == TdocContentStatus::NotRetrieved && has_file(record);
    html! {
        section aria-label="Content" {
            h2 { "Content" }
            @for reason in &content.partial_reasons { p.quiet { "In part: " (reason) "." } }
            @if content.queued {
                p.quiet { "The file is being fetched or processed. Reload this page later." }
            } @else if can_fetch {
                form method="post" action={ (record_path(&record.tdoc_id)) "/fetch" } {
                    (person.form_token())
                    button { "Fetch file" }
                }
            }
            @if is_read {
                p { a.button.second href=(text_path(&record.tdoc_id)) { "Read text" } }
                (render_units(record))
            }
        }
    }
}

fn render_units(record: &TdocRecord) -> Markup {
    let units = record.units.as_deref().unwrap_or_default();
    let text_path = text_path(&record.tdoc_id);
    let address = |anchor: &str, last_anchor: Option<&str>| {
        QuoteLink { anchor, last_anchor, back: None }.address_in(&text_path)
    };
    html! {
        @if units.is_empty() {
            p.quiet { "No numbered proposals or observations." }
        } @else {
            p.quiet { "Proposals and observations of the authors. A proposal is not an agreement." }
            ol.units {
                @for unit in units {
                    li {
                        p {
                            a href=(address(&unit.anchor, unit.last_anchor.as_deref())) { (unit.label) }
                            " " span.tag { (unit.unit_type) }
                            @if let Some(page) = unit.page { " " span.quiet { "page " (page) } }
                        }
                        blockquote.lines { (unit.quote) }
                        @if !unit.repeated_at.is_empty() {
                            p.quiet { "Repeated at "
                                @for (index, anchor) in unit.repeated_at.iter().enumerate() {
                                    @if index > 0 { ", " }
                                    a href=(address(anchor, None)) { code { (anchor) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn render_change_request(record: &TdocRecord, request: &ChangeRequest) -> Markup {
    let rows = [
        ("Number", &request.number),
        ("Revision", &request.revision),
        ("Category", &request.category),
        ("Clauses", &request.clauses),
        ("Pack", &request.pack),
        ("Decision of the TSG", &request.tsg_decision),
    ];
    html! {
        section.card aria-label="Change request" {
            h2 { "Change request" @if let Some(spec) = &record.spec { " to " (spec) } }
            dl {
                @for (name, value) in rows {
                    @if let Some(value) = value { dt { (name) } dd { (value) } }
                }
            }
            p { a.button.second href=(request_path(&record.tdoc_id)) { "Show changes" } }
        }
    }
}

fn render_revisions(record: &TdocRecord, revisions: &[TdocRevision]) -> Markup {
    let with_relation =
        |relation: RevisionRelation| revisions.iter().filter(move |one| one.relation == relation);
    let render_revision = |revision: &TdocRevision| {
        html! {
            li {
                a href=(record_path(&revision.tdoc_id)) { (revision.tdoc_id) }
                @if let Some(status) = &revision.status { " " span.tag { (status) } }
            }
        }
    };
    html! {
        section aria-label="Revisions" {
            h2 { "Revisions" }
            ol {
                @for revision in with_relation(RevisionRelation::Earlier) {
                    (render_revision(revision))
                }
                li { strong { (record.tdoc_id) } " " span.tag { (record.status) } }
                @for revision in with_relation(RevisionRelation::Later) {
                    (render_revision(revision))
                }
            }
            @if with_relation(RevisionRelation::Inbox).next().is_some() {
                p { "In the meeting inbox: "
                    @for revision in with_relation(RevisionRelation::Inbox) {
                        @if let Some(url) = &revision.official_url { a href=(url) { (revision.tdoc_id) } " " }
                    }
                }
            }
        }
    }
}
