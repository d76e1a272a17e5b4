//! The first page.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::html;

use super::{
    page::{PageFrame, render_content_page},
    visitor::Visitor,
};
use crate::http::Edge;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/", get(show_home))
}

async fn show_home(State(edge): State<Arc<Edge>>, Visitor(visitor): Visitor) -> Response {
    if visitor.is_some() {
        return Redirect::to("/search").into_response();
    }
    let overview = crate::service::corpus_overview(edge.service());
    let body = html! {
        section.hero {
            h1 { "Find the clause." }
            p.lead {
                "specbox searches telecom standards by meaning and by exact words, shows figures, "
                "and cites the document, version and clause of every answer."
            }
            p {
                a.button href="/sign-in" { "Sign in" } " "
                a.button.second href="/docs" { "Read the documentation" }
            }
            p.quiet {
                (overview.documents) " document versions, " (overview.passages) " passages, "
                (overview.figures) " figures indexed."
            }
        }
        section.columns {
            div {
                h2 { "For people" }
                p { "Search pages and a document reader, with inline figures and links to cited "
                    "clauses." }
            }
            div {
                h2 { "For programs" }
                p { "A documented REST API: " a href="/docs/start" { "first request" }
                    ", " a href="/swagger" { "explorer" } ", " a href="/redoc" { "reference" }
                    ", " a href="/openapi.json" { "openapi.json" } "." }
            }
            div {
                h2 { "For agents" }
                p { "A guide for agents: " a href="/skill.md" { "skill.md" } "." }
            }
        }
    };
    render_content_page(
        &PageFrame { title: "Search telecom standards", person: None, part: "/" },
        body,
    )
}
