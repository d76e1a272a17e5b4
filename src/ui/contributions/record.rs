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
    PART, dates, encoded, record_path, sources, status,
    text::{place_path, text_path},
};
use crate::{
    http::{Edge, status_of},
    ui::{
        asked::PagePath,
        forms::OwnForm,
        page::{Frame, page, refusal},
        person::{Payer, Person},
        run::{Arguments, run},
    },
};
use wire::{
    Failure,
    records::{ChangeRequest, TdocRecord, TdocRevision},
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/contributions/{tdoc_id}", get(show))
        .route("/contributions/{tdoc_id}/fetch", post(fetch))
}

async fn show(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PagePath(tdoc_id): PagePath<String>,
) -> Response {
    let arguments =
        Arguments::default().with("tdoc_id", tdoc_id).with("include", "units,revisions");
    match run::<TdocRecord>(&edge, &person, "get_tdoc", arguments).await {
        Ok(record) => record_page(&person, &record, None),
        Err(failure @ Failure::TdocWithdrawn(_)) => match &failure {
            Failure::TdocWithdrawn(record) => record_page(&person, record, Some(&failure)),
            _ => refusal(Some(&person), &failure),
        },
        Err(failure) => refusal(Some(&person), &failure),
    }
}

/// Fetches the file, and shows the record again: with its units, or that they are on their way.
async fn fetch(
    State(edge): State<Arc<Edge>>,
    PagePath(tdoc_id): PagePath<String>,
    form: OwnForm,
) -> Response {
    let path = record_path(&tdoc_id);
    let arguments = Arguments::default().with("tdoc_id", tdoc_id);
    match run::<TdocRecord>(&edge, &form.person, "fetch_tdoc", arguments).await {
        Ok(_) | Err(Failure::TdocFetchInProgress { .. }) => Redirect::to(&path).into_response(),
        Err(failure) => refusal(Some(&form.person), &failure),
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
        @if failure.is_none() { (content(person, record)) }
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

/// What was read of the file: its units, a way to its text, or a way to fetch it.
fn content(person: &Person, record: &TdocRecord) -> Markup {
    let content = &record.content;
    let is_read = matches!(content.status.as_str(), "complete" | "partial");
    let can_fetch = content.status == "not_retrieved" && record.official_url.is_some();
    html! {
        section aria-label="Content" {
            h2 { "Content" }
            @for reason in &content.partial_reasons { p.quiet { "In part: " (reason) "." } }
            @if content.queued {
                p.quiet { "It is being fetched or waits for the full pipeline. Load the page again in a while." }
            } @else if can_fetch {
                form method="post" action={ (record_path(&record.tdoc_id)) "/fetch" } {
                    (person.form_token())
                    button { "Fetch and read the file" }
                }
            }
            @if is_read {
                p { a.button.second href=(text_path(&record.tdoc_id)) { "Read the text" } }
                (units(record))
            }
        }
    }
}

fn units(record: &TdocRecord) -> Markup {
    let units = record.units.as_deref().unwrap_or_default();
    html! {
        @if units.is_empty() {
            p.quiet { "No numbered proposals or observations." }
        } @else {
            p.quiet { "What its authors want and saw. A proposal is no agreement." }
            ol.units {
                @for unit in units {
                    li {
                        p {
                            a href=(place_path(&record.tdoc_id, &unit.anchor)) { (unit.label) }
                            " " span.tag { (unit.unit_type) }
                            @if let Some(page) = unit.page { " " span.quiet { "page " (page) } }
                        }
                        blockquote.lines { (unit.quote) }
                    }
                }
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
    let of = |relation: &'static str| revisions.iter().filter(move |one| one.relation == relation);
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
                @for revision in of("earlier") { (one(revision)) }
                li { strong { (record.tdoc_id) } " " span.tag { (record.status) } }
                @for revision in of("later") { (one(revision)) }
            }
            @if of("inbox").next().is_some() {
                p { "In the inbox of the meeting: "
                    @for revision in of("inbox") {
                        @if let Some(url) = &revision.official_url { a href=(url) { (revision.tdoc_id) } " " }
                    }
                }
            }
        }
    }
}
