//! The indexed documents, to browse.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;
use serde::Deserialize;

use super::{
    asked::PageQuery,
    page::{Frame, page, refusal},
    person::{Payer, Person},
    run::{Arguments, run},
};
use crate::http::Edge;
use wire::records::DocumentInfo;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/library", get(library))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    series: String,
    release: String,
}

async fn library(
    State(edge): State<Arc<Edge>>,
    Payer(person): Payer,
    PageQuery(asked): PageQuery<Asked>,
) -> Response {
    let arguments = Arguments::default()
        .with("series", asked.series.trim())
        .with("release", asked.release.trim());
    match run::<Vec<DocumentInfo>>(&edge, &person, "list_documents", arguments).await {
        Ok(documents) => library_page(&edge, &person, &asked, &documents),
        Err(failure) => refusal(Some(&person), &failure),
    }
}

fn library_page(
    edge: &Edge,
    person: &Person,
    asked: &Asked,
    documents: &[DocumentInfo],
) -> Response {
    let mut by_number: BTreeMap<&str, Vec<&DocumentInfo>> = BTreeMap::new();
    for document in documents {
        by_number.entry(&document.doc_number).or_default().push(document);
    }
    let overview = edge.service().overview();
    let body = html! {
        h1 { "Documents" }
        form.filters method="get" action="/library" {
            label { "Series "
                input type="text" name="series" value=(asked.series) size="4" maxlength="10";
            }
            label { "Release "
                select name="release" {
                    option value="" { "any" }
                    @for release in overview.releases.keys() {
                        option value=(release) selected[asked.release == *release] { (release) }
                    }
                }
            }
            button type="submit" { "Show" }
        }
        @if by_number.is_empty() {
            p.empty {
                "No document. " @if person.is_operator() {
                    "Take archives in with " code { "specbox ingest PATH" } "."
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
                                        @if document.status != "indexed" {
                                            span.tag { "no vectors" } " "
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
    page(&Frame { title: "Documents", person: Some(person), part: "/library" }, body)
}
