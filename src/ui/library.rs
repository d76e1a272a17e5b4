//! The indexed documents, to browse.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    empty_state::empty_state,
    export::{ExportFormat, export_links, export_rows},
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PageQuery,
    person::Person,
    reading_report::render_reading_report,
    run::{entered_text, run_operation},
    status_badge::status_badge,
    visitor::PayingPerson,
};
use crate::http::Edge;
use domain::ReadingCheck;
use wire::{
    params::ListDocuments,
    records::DocumentInfo,
    values::{DocumentType, IndexingStatus},
};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/library", get(show_library)).route("/library/reading", get(show_reading))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LibraryQuery {
    q: String,
    series: String,
    release: String,
    format: String,
}

async fn show_library(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<LibraryQuery>,
) -> Response {
    let parameters = ListDocuments {
        series: entered_text(&query.series),
        release: entered_text(&query.release),
        ..ListDocuments::default()
    };
    match run_operation(&edge, &person, parameters).await {
        Ok(list) => {
            let documents = matching_documents(list.documents(), &query.q);
            match ExportFormat::from_word(&query.format) {
                Some(format) => export_rows("documents", format, &documents),
                None => library_page(&edge, &person, &query, &documents),
            }
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// What reading the files could not read, in all versions.
async fn show_reading(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
) -> Response {
    match run_operation(&edge, &person, ListDocuments::default()).await {
        Ok(list) => {
            let frame =
                PageFrame { title: "Reading report", person: Some(&person), part: "/library" };
            render_content_page(&frame, render_reading_report(list.documents()))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// The documents whose number or title has all words.
fn matching_documents<'a>(documents: &'a [DocumentInfo], words: &str) -> Vec<&'a DocumentInfo> {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let has_words = |document: &&DocumentInfo| {
        let title = document.title.as_deref().unwrap_or_default();
        let text = format!("{} {} {title}", document.doc_type, document.doc_number).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    documents.iter().filter(has_words).collect()
}

fn list_path(query: &LibraryQuery) -> String {
    let mut path = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in [("q", &query.q), ("series", &query.series), ("release", &query.release)] {
        if !value.trim().is_empty() {
            path.append_pair(name, value.trim());
        }
    }
    format!("/library?{}", path.finish())
}

fn library_page(
    edge: &Edge,
    person: &Person,
    query: &LibraryQuery,
    documents: &[&DocumentInfo],
) -> Response {
    let mut by_number: BTreeMap<&str, Vec<&DocumentInfo>> = BTreeMap::new();
    for document in documents {
        by_number.entry(&document.doc_number).or_default().push(document);
    }
    let overview = crate::service::corpus_overview(edge.service());
    let body = html! {
        h1 { "Documents" }
        form.filters method="get" action="/library" role="search" {
            label { "Number or title "
                input type="search" name="q" value=(query.q) size="20" maxlength="200" data-slash data-narrows="library";
            }
            label { "Series "
                input type="text" name="series" value=(query.series) size="4" maxlength="10";
            }
            label { "Release "
                select name="release" {
                    option value="" { "any" }
                    @for release in overview.releases.keys() {
                        option value=(release) selected[query.release == *release] { (release) }
                    }
                }
            }
            button type="submit" { "Show" }
        }
        @if by_number.is_empty() {
            (empty_state("No documents match these filters.", html! {
                @if overview.documents > 0 { a href="/library" { "Show all documents" } ". " }
                @if person.is_operator() {
                    a href="/dashboard/jobs" { "Upload archives" } ", or run " code { "specbox ingest PATH" } "."
                }
            }))
        } @else {
            div.actions-line {
                span.quiet { (by_number.len()) " documents, " (documents.len()) " versions" }
                a href="/library/reading" { "Reading report" }
                (export_links(&list_path(query)))
            }
            div #library.table role="region" aria-label="Documents" tabindex="0" {
                table.rows {
                    thead { tr {
                        th scope="col" { "Number" } th scope="col" { "Title" }
                        th scope="col" { "Versions" }
                    } }
                    tbody {
                        @for (number, versions) in &by_number {
                            tr data-filtered {
                                td.number {
                                    a.doc-badge.tr[versions[0].doc_type == DocumentType::Report] href={ "/read/" (number) } {
                                        (versions[0].doc_type) " " (number)
                                    }
                                }
                                td { (versions[0].title.as_deref().unwrap_or("")) }
                                td.versions {
                                    @for document in versions { (render_version(document)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    render_content_page(
        &PageFrame { title: "Documents", person: Some(person), part: "/library" },
        body,
    )
}

/// A version with its state.
fn render_version(document: &DocumentInfo) -> Markup {
    let path = format!("/read/{}/{}", document.doc_number, document.version);
    html! {
        a href=(path) title=(document.release) { (document.version) } " "
        @if document.status == IndexingStatus::IndexedWithoutVectors { (status_badge("no vectors")) " " }
        @if document.reading.iter().flatten().any(ReadingCheck::is_loss) {
            (status_badge("incomplete")) " "
        }
        @if !document.warnings.is_empty() {
            span.tag title=(document.warnings.join("\n")) {
                (document.warnings.len())
                @if document.warnings.len() == 1 { " warning" } @else { " warnings" }
            } " "
        }
    }
}
