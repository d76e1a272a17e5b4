//! The indexed documents, to browse.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;
use serde::Deserialize;

use super::{
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PageQuery,
    person::Person,
    run::{entered_text, run_operation},
    visitor::PayingPerson,
};
use crate::http::Edge;
use wire::{params::ListDocuments, records::DocumentInfo, values::IndexingStatus};

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/library", get(show_library))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct LibraryQuery {
    series: String,
    release: String,
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
        Ok(list) => library_page(&edge, &person, &query, list.documents()),
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

fn library_page(
    edge: &Edge,
    person: &Person,
    query: &LibraryQuery,
    documents: &[DocumentInfo],
) -> Response {
    let mut by_number: BTreeMap<&str, Vec<&DocumentInfo>> = BTreeMap::new();
    for document in documents {
        by_number.entry(&document.doc_number).or_default().push(document);
    }
    let overview = edge.service().corpus_overview();
    let body = html! {
        h1 { "Documents" }
        form.filters method="get" action="/library" {
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
            p.empty {
                "No documents match these filters. " @if person.is_operator() {
                    "Add archives with " code { "specbox ingest PATH" } "."
                }
            }
        } @else {
            div.table role="region" aria-label="Documents" tabindex="0" {
                table {
                    thead { tr {
                        th scope="col" { "Number" } th scope="col" { "Title" }
                        th scope="col" { "Versions" }
                    } }
                    tbody {
                        @for (number, versions) in &by_number {
                            tr {
                                td.number {
                                    a href={ "/read/" (number) } {
                                        (versions[0].doc_type) " " (number)
                                    }
                                }
                                td { (versions[0].title.as_deref().unwrap_or("")) }
                                td.versions {
                                    @for document in versions {
                                        a href={ "/read/" (number) "/" (document.version) }
                                            title=(document.release) { (document.version) } " "
                                        @if document.status != IndexingStatus::Indexed {
                                            span.tag { "no vectors" } " "
                                        }
                                        @if !document.warnings.is_empty() {
                                            span.tag title=(document.warnings.join("\n")) {
                                                (document.warnings.len())
                                                @if document.warnings.len() == 1 { " warning" } @else { " warnings" }
                                            } " "
                                        }
                                    }
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
