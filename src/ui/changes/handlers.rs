//! The requests of the pages of changes.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use serde::Deserialize;

use super::{
    compare_page::{CompareForm, render_document, render_sections},
    history_page::render_history,
    request_page::render_request,
};
use crate::{
    http::Edge,
    ui::{
        export::{ExportFormat, export_rows},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::{PagePath, PageQuery},
        run::{entered_text, run_operation},
        visitor::PayingPerson,
    },
};
use domain::DocNumber;
use wire::{
    params::{CompareDocuments, CompareSections, GetChangeRequest, SectionHistory},
    records::RecordedChange,
    values::DifferenceForm,
};

/// Sections of a document that are listed on one page: the most that `compare_documents` returns for one request.
const MAX_LISTED: u32 = 1000;
/// Sections whose differences are shown on one page. The operation returns up to 200, in full: too long a page.
const MAX_SHOWN: u32 = 50;
/// Versions on the page of a history: the most that `section_history` returns for one request.
const MAX_VERSIONS: u32 = 200;

pub(in crate::ui) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/read/{number}/compare", get(show_comparison))
        .route("/read/{number}/history", get(show_history))
        .route("/contributions/{tdoc_id}/changes", get(show_request))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CompareQuery {
    from: String,
    to: String,
    section: String,
    view: String,
    offset: u32,
    /// `csv` or `json` if the changed sections are wanted as a file.
    format: String,
}

async fn show_comparison(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(number): PagePath<String>,
    PageQuery(query): PageQuery<CompareQuery>,
) -> Response {
    let versions = indexed_versions(&edge, &number);
    let (from, to) = (entered_text(&query.from), entered_text(&query.to));
    let is_split = query.view == "split";
    let form = |from: &str, to: &str| CompareForm {
        doc_number: number.clone(),
        versions: versions.clone(),
        from: from.to_owned(),
        to: to.to_owned(),
        section: entered_text(&query.section),
        is_split,
    };
    let title = format!("Changes of {number}");
    let frame = PageFrame { title: &title, person: Some(&person), part: "/library" };
    let body = match entered_text(&query.section) {
        None => {
            let parameters = CompareDocuments {
                doc_number: number.clone(),
                from,
                to,
                limit: MAX_LISTED,
                offset: query.offset,
                ..CompareDocuments::default()
            };
            let reply = run_operation(&edge, &person, parameters).await;
            match (reply, ExportFormat::from_word(&query.format)) {
                (Ok(reply), Some(format)) => {
                    return export_rows(&format!("changes-{number}"), format, &reply.sections);
                }
                (reply, _) => reply.map(|reply| {
                    render_document(&form(&reply.from, &reply.to), &reply, query.offset)
                }),
            }
        }
        Some(section_number) => {
            let parameters = CompareSections {
                doc_number: number.clone(),
                section_number,
                from,
                to,
                prefix: true,
                form: DifferenceForm::Hunks,
                limit: MAX_SHOWN,
                offset: query.offset,
            };
            let reply = run_operation(&edge, &person, parameters).await;
            reply.map(|reply| render_sections(&form(&reply.from, &reply.to), &reply, query.offset))
        }
    };
    match body {
        Ok(body) => render_content_page(&frame, body),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct HistoryQuery {
    section: String,
    to: String,
}

async fn show_history(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(number): PagePath<String>,
    PageQuery(query): PageQuery<HistoryQuery>,
) -> Response {
    let parameters = SectionHistory {
        doc_number: number,
        section_number: query.section.trim().to_owned(),
        to: entered_text(&query.to),
        limit: MAX_VERSIONS,
    };
    match run_operation(&edge, &person, parameters).await {
        Ok(history) => {
            let title = format!("History of {} {}", history.doc_number, history.section_number);
            let frame = PageFrame { title: &title, person: Some(&person), part: "/library" };
            render_content_page(&frame, render_history(&history))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RequestQuery {
    view: String,
    offset: u32,
    /// `csv` or `json` if the changed sections are wanted as a file.
    format: String,
}

/// Whether a version of a document is indexed, so that it can be linked to.
fn is_indexed_version(edge: &Edge, number: &str, version: &str) -> bool {
    let (Ok(number), Ok(version)) = (number.parse(), version.parse()) else { return false };
    let snapshot = edge.service().store.snapshot();
    let versions = snapshot.catalog().document_versions(&number);
    versions.iter().any(|entry| entry.row.version == version)
}

async fn show_request(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PagePath(tdoc_id): PagePath<String>,
    PageQuery(query): PageQuery<RequestQuery>,
) -> Response {
    let parameters = GetChangeRequest {
        tdoc_id,
        form: DifferenceForm::Hunks,
        limit: MAX_SHOWN,
        offset: query.offset,
    };
    match run_operation(&edge, &person, parameters).await {
        Ok(details) => {
            let title = format!("Changes of {}", details.document.tdoc_id);
            let frame = PageFrame { title: &title, person: Some(&person), part: "/contributions" };
            let is_split = query.view == "split";
            let is_indexed = |change: &RecordedChange| {
                let document = details.baseline.as_ref().map(|baseline| &baseline.doc_number);
                let version = document.zip(change.new_version.as_ref());
                version.is_some_and(|(number, version)| is_indexed_version(&edge, number, version))
            };
            let page = render_request(&details, is_indexed, is_split, query.offset);
            render_content_page(&frame, page)
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// The indexed versions of a document, the newest first.
fn indexed_versions(edge: &Edge, number: &str) -> Vec<String> {
    let snapshot = edge.service().store.snapshot();
    let Ok(number) = number.parse::<DocNumber>() else { return Vec::new() };
    let versions = snapshot.catalog().document_versions(&number);
    versions.iter().map(|entry| entry.row.version.to_string()).collect()
}
