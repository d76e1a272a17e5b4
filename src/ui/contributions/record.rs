//! The record of a meeting document.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{PART, dates, encoded, record_path, sources, status};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PagePath,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
    },
    wire::{
        Failure,
        records::{ChangeRequest, TdocRecord, TdocRevision},
    },
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/contributions/{tdoc_id}", get(show))
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(tdoc_id): PagePath<String>,
) -> Response {
    let arguments = Arguments::default().with("tdoc_id", tdoc_id).with("include", "revisions");
    match run::<TdocRecord>(&edge, &person, "get_tdoc", arguments).await {
        Ok(record) => record_page(&person, &record, None),
        Err(failure @ Failure::TdocWithdrawn(_)) => match &failure {
            Failure::TdocWithdrawn(record) => record_page(&person, record, Some(&failure)),
            _ => refusal(Some(&person), &failure),
        },
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn record_page(person: &Person, record: &TdocRecord, failure: Option<&Failure>) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } " / "
            a href={ (PART) "?meeting=" (encoded(&record.meeting.meeting_id)) } { (record.meeting.name) } }
        h1 { (record.tdoc_id) " " (record.title) }
        p { (status(record)) " " (record.status_label) }
        @if let Some(summary) = &record.summary { p { (summary) } }
        (facts(record))
        @if let Some(request) = &record.change_request { (change_request(record, request)) }
        @if let Some(revisions) = &record.revisions {
            @if !revisions.is_empty() { (chain(record, revisions)) }
        }
        @match &record.official_url {
            Some(url) => { p { a.button.second href=(url) rel="noreferrer" { "File on the standards body's server" } } }
            None => { p.quiet { "There is no file of it." } }
        }
    };
    let title = format!("{} {}", record.tdoc_id, record.title);
    let mut response = page(&Frame { title: &title, person: Some(person), part: PART }, body);
    if let Some(failure) = failure {
        *response.status_mut() = status_of(failure);
    }
    response
}

fn facts(record: &TdocRecord) -> Markup {
    let item = match (&record.agenda_item, &record.agenda_title) {
        (Some(number), Some(title)) => Some(format!("{number} {title}")),
        (number, title) => number.clone().or_else(|| title.clone()),
    };
    let meeting = match (dates(&record.meeting), &record.meeting.place) {
        (Some(dates), Some(place)) => format!("{}, {dates}, {place}", record.meeting.name),
        (Some(dates), None) => format!("{}, {dates}", record.meeting.name),
        (None, _) => record.meeting.name.clone(),
    };
    let link =
        |id: &Option<String>| id.as_ref().map(|id| html! { a href=(record_path(id)) { (id) } });
    let text = |text: &Option<String>| text.as_ref().map(|text| html! { (text) });
    let spec = record.spec.as_ref().map(|spec| {
        html! {
            a href={ "/read/" (encoded(spec)) } { (spec) }
            @if let Some(version) = &record.spec_version { " " (version) }
        }
    });
    let work_items = (!record.work_items.is_empty()).then(|| {
        html! {
            @for (at, code) in record.work_items.iter().enumerate() {
                @if at > 0 { ", " }
                a href={ (PART) "?work_item=" (encoded(code)) } { (code) }
            }
        }
    });
    let from = (!record.sources.is_empty()).then(|| sources(&record.sources));
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

fn change_request(record: &TdocRecord, request: &ChangeRequest) -> Markup {
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
        }
    }
}

fn chain(record: &TdocRecord, revisions: &[TdocRevision]) -> Markup {
    let (earlier, later): (Vec<_>, Vec<_>) =
        revisions.iter().partition(|revision| revision.relation == "earlier");
    let one = |revision: &TdocRevision| {
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
                @for revision in earlier { (one(revision)) }
                li { strong { (record.tdoc_id) } " " span.tag { (record.status) } }
                @for revision in later { (one(revision)) }
            }
        }
    }
}
