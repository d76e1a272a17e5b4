//! What the empty search page says: searches to begin with, about what is indexed.

use std::sync::Arc;

use maud::{Markup, html};

use super::query::SearchKind;
use crate::{
    http::Edge,
    service::Service,
    ui::{docs::first_searches, person::Person},
};

/// The path of a search.
fn search_path(text: &str, kind: SearchKind) -> String {
    let mut path = url::form_urlencoded::Serializer::new("/search?".to_owned());
    path.append_pair("q", text);
    if kind == SearchKind::Figures {
        path.append_pair("kind", "figures");
    }
    path.finish()
}

/// The hints for a person; without examples if the index cannot be read now.
pub(super) async fn render_hints(edge: &Arc<Edge>, person: &Person) -> Markup {
    let find = |service: &Service| Ok(first_searches(service));
    let first = edge.run_blocking(person.owner(), find).await.ok().flatten();
    let is_empty = crate::service::corpus_overview(edge.service()).documents == 0;
    html! {
        section.hints.card {
            @if is_empty {
                p { strong { "No documents have been indexed yet." } }
                p {
                    @if person.is_operator() {
                        a href="/dashboard/jobs" { "Upload archives" } ", or run " code { "specbox ingest PATH" } ". "
                    } @else {
                        "The operator of this server adds archives. "
                    }
                    "They can be searched by words as soon as they are read."
                }
            } @else {
                p {
                    "Ask a question or enter an identifier."
                    @if let Some(first) = &first {
                        " Try: " a href=(search_path(&first.words, SearchKind::Text)) { (first.words) }
                        @if let Some(figure) = &first.figure {
                            ", or as a figure: "
                            a href=(search_path(figure, SearchKind::Figures)) { (figure) }
                        }
                        ". Enter a document and clause number, "
                        a href=(search_path(&first.clause, SearchKind::Text)) { kbd { (first.clause) } }
                        ", to open the clause."
                    }
                }
                p.quiet { kbd { "/" } " moves to the search box, " kbd { "\u{2193}" } " to the results; "
                    kbd { "Ctrl K" } " opens Go to. Word matches appear as you type; each complete search uses one request." }
            }
        }
    }
}
