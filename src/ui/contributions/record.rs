//! The record of a meeting document.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{PART, meeting_dates, render_sources, render_status};
use crate::ui::paths::{percent_encode, record_path, request_path, text_path};
use crate::{
    http::{Edge, failure_status},
    ui::{
        citation_block::{CopyableCitation, bibtex_entry, year_of},
        evidence::QuoteLink,
        export::{ExportFormat, export_links, export_rows},
        forms::OwnForm,
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        person::Person,
        run::run_operation,
        sign_in::fault_line,
        status_badge::status_badge,
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RecordQuery {
    /// The outcome of a fetch of the file.
    fetched: String,
    format: String,
}

async fn show_record(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(tdoc_id): PagePath<String>,
    PageQuery(query): PageQuery<RecordQuery>,
) -> Response {
    match read_record(&edge, &person, tdoc_id).await {
        Ok(record) => match ExportFormat::from_word(&query.format) {
            Some(format) => export_rows(&record.tdoc_id.clone(), format, &[record]),
            None => {
                let said = fetch_message(&query.fetched, &record);
                record_page(&person, &record, None, said)
            }
        },
        Err(failure @ Failure::TdocWithdrawn(_)) => match &failure {
            Failure::TdocWithdrawn(record) => {
                record_page(&person, record, Some(&failure), html! {})
            }
            _ => refusal_page(Some(&person), &failure),
        },
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

async fn read_record(
    edge: &Arc<Edge>,
    person: &Person,
    tdoc_id: String,
) -> Result<TdocRecord, Failure> {
    let include = Some("units,revisions".to_owned());
    let parameters = GetTdoc { tdoc_id, include, ..GetTdoc::default() };
    run_operation(edge, person, parameters).await
}

/// Fetches the file and shows the record again, with its units or the state of the fetch.
async fn fetch_tdoc(
    State(edge): State<Arc<Edge>>,
    PagePath(tdoc_id): PagePath<String>,
    form: OwnForm,
) -> Response {
    let path = record_path(&tdoc_id);
    let parameters = FetchTdoc { tdoc_id: tdoc_id.clone(), ..FetchTdoc::default() };
    match run_operation(&edge, &form.person, parameters).await {
        Ok(fetched) => Redirect::to(&format!("{path}?fetched={}#content", fetch_word(&fetched)))
            .into_response(),
        Err(Failure::TdocFetchInProgress { .. }) => {
            Redirect::to(&format!("{path}?fetched=queued#content")).into_response()
        }
        // What went wrong is shown next to what is known about the document.
        Err(failure) => match read_record(&edge, &form.person, tdoc_id).await {
            Ok(record) => {
                let said = fault_line(Some(&failure.client_message()));
                let mut response = record_page(&form.person, &record, None, said);
                *response.status_mut() = failure_status(&failure);
                response
            }
            Err(_) => refusal_page(Some(&form.person), &failure),
        },
    }
}

/// The outcome of a fetch, as a word for the address of the page.
fn fetch_word(record: &TdocRecord) -> &'static str {
    let was_there = record.fetch.as_ref().is_some_and(|times| times.was_there);
    match record.content.status {
        TdocContentStatus::Complete | TdocContentStatus::Partial if was_there => "there",
        TdocContentStatus::Complete | TdocContentStatus::Partial => "read",
        TdocContentStatus::NotRetrieved | TdocContentStatus::Unavailable => "unavailable",
    }
}

/// Says how a fetch ended.
fn fetch_message(word: &str, record: &TdocRecord) -> Markup {
    let units = record.content.unit_count;
    html! {
        @match word {
            "read" => { p.done role="status" { "The file was fetched and read. It has " (units)
                @if units == 1 { " numbered proposal or observation." } @else { " numbered proposals and observations." } } }
            "there" => { p.done role="status" { "The file was already read; there was nothing to fetch." } }
            "queued" => { p.note role="status" { "The file is being fetched. Large files take a minute or more." } }
            "unavailable" => { p.fault role="status" { "The mirror has no file for this document, or the file cannot be read." } }
            _ => {}
        }
    }
}

/// How a document is cited: `Example Radio, "On waiting times", 3GPP R1-2600104, RAN1#190, 2026`.
fn citation_of(record: &TdocRecord) -> CopyableCitation {
    let sources: Vec<&str> =
        record.sources.iter().map(|source| source.display_name.as_str()).collect();
    let author = sources.join(" and ");
    let meeting = record.meeting.name.as_str();
    let date = record.meeting.start_date.as_deref();
    let mut text = if author.is_empty() { String::new() } else { format!("{author}, ") };
    text.push_str(&format!("\"{}\", 3GPP {}, {meeting}", record.title, record.tdoc_id));
    for more in [date, record.official_url.as_deref()].into_iter().flatten() {
        text.push_str(&format!(", {more}"));
    }
    let number = format!("3GPP {}", record.tdoc_id);
    let bibtex = bibtex_entry(
        &format!("3gpp.{}", record.tdoc_id),
        &[
            ("author", Some(author.as_str())),
            ("title", Some(record.title.as_str())),
            ("institution", Some("3GPP")),
            ("number", Some(number.as_str())),
            ("note", Some(meeting)),
            ("year", year_of(date)),
            ("url", record.official_url.as_deref()),
        ],
    );
    CopyableCitation { id: "document".to_owned(), text, bibtex }
}

fn record_page(
    person: &Person,
    record: &TdocRecord,
    failure: Option<&Failure>,
    said: Markup,
) -> Response {
    let body = html! {
        p.facts { a href=(PART) { "Contributions" } " / "
            a href={ (PART) "?meeting=" (percent_encode(&record.meeting.meeting_id)) } { (record.meeting.name) } }
        h1 { (record.tdoc_id) " " (record.title) }
        (said)
        div.actions-line {
            (render_status(record))
            @if !record.status_label.eq_ignore_ascii_case(&record.status.to_string()) { span.quiet { (record.status_label) } }
            (citation_of(record).render_buttons())
            (export_links(&record_path(&record.tdoc_id)))
        }
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
                p.quiet { "The file, if there is one, is " a href=(url) rel="noreferrer" { "on the 3GPP server" } "." }
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
        ("Source", from),
        ("Meeting", Some(html! { (meeting) })),
        ("Agenda item", text(&item)),
        ("Kind", Some(html! { (record.doc_kind) })),
        ("Purpose", text(&record.purpose)),
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
        section #content aria-label="Content" data-refresh=[(content.queued && person.is_operator()).then_some("3000")] {
            h2 { "Content" }
            @for reason in &content.partial_reasons { p.quiet { "Partial: " (reason) "." } }
            @if content.queued {
                p { (status_badge("running")) " The file is being fetched or read. Reload this page to see it when it is ready." }
                span.skeleton {} span.skeleton.short {}
            } @else if can_fetch {
                p.quiet { "The file of this document has not been fetched. Its text, proposals and observations are shown once it has been read." }
                form method="post" action={ (record_path(&record.tdoc_id)) "/fetch" } {
                    (person.form_token())
                    button data-busy="Fetching\u{2026}" { "Fetch file" }
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
                @if let Some(status) = &revision.status { " " (status_badge(&status.to_string())) }
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
                li { strong { (record.tdoc_id) } " " (status_badge(&record.status.to_string())) }
                @for revision in with_relation(RevisionRelation::Later) {
                    (render_revision(revision))
                }
            }
            @for (relation, label) in [
                (RevisionRelation::MergedInto, "Merged into"),
                (RevisionRelation::Merges, "Merges"),
            ] {
                @if with_relation(relation).next().is_some() {
                    p { (label) ":" }
                    ul { @for revision in with_relation(relation) { (render_revision(revision)) } }
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
