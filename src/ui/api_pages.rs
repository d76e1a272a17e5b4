//! The API explorer and the API reference, drawn from the description of the API by a script of this program.

use std::sync::Arc;

use axum::{Router, response::Response, routing::get};
use maud::html;

use super::{
    page::{PageFrame, render_content_page},
    visitor::Visitor,
};
use crate::http::Edge;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/swagger", get(show_explorer)).route("/redoc", get(show_reference))
}

async fn show_explorer(visitor: Visitor) -> Response {
    schema_page(&visitor, "API explorer", "explorer")
}

async fn show_reference(visitor: Visitor) -> Response {
    schema_page(&visitor, "API reference", "reference")
}

fn schema_page(Visitor(visitor): &Visitor, title: &str, mode: &str) -> Response {
    let body = html! {
        p.facts {
            a href="/docs" { "Documentation" } " / " (title)
        }
        div.schema data-openapi="/openapi.json" data-mode=(mode) {
            noscript { p.note { "This page needs JavaScript. Without it, use " a href="/openapi.json" { "openapi.json" }
                " or the pages of the operations in the " a href="/docs" { "documentation" } "." } }
            span.skeleton.title {} span.skeleton {} span.skeleton.short {}
        }
    };
    render_content_page(&PageFrame { title, person: visitor.as_ref(), part: "/docs" }, body)
}
