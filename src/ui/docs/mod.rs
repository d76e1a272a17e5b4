//! The documentation: pages written by hand, and one for each operation made from its declaration.

mod code;
mod operation;
mod refusals;

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Options, Parser};

use super::{
    asked::PagePath,
    page::{Frame, page, refusal},
    person::Visitor,
};
use crate::{
    http::Edge,
    mcp::with_base_url,
    service::{declared, operations},
};
use wire::Failure;

/// A page written by hand.
struct Written {
    name: &'static str,
    title: &'static str,
    text: &'static str,
}

macro_rules! written {
    ($name:literal, $title:literal) => {
        Written {
            name: $name,
            title: $title,
            text: include_str!(concat!("../../../docs/site/", $name, ".md")),
        }
    };
}

static WRITTEN: [Written; 7] = [
    written!("start", "Start"),
    written!("connect", "Connect an agent"),
    written!("concepts", "Concepts"),
    written!("errors", "Errors"),
    written!("limits", "Limits and plans"),
    written!("administration", "Administration"),
    written!("air-gapped", "Without the internet"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/docs", get(|| async { Redirect::temporary("/docs/start").into_response() }))
        .route("/docs/{name}", get(written))
        .route("/docs/operations/{name}", get(of_operation))
}

async fn written(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PagePath(name): PagePath<String>,
) -> Response {
    let Some(written) = WRITTEN.iter().find(|written| written.name == name) else {
        return refusal(visitor.as_ref(), &Failure::NotFound);
    };
    let text = with_base_url(written.text, edge.service().base_url());
    let body = html! {
        (markdown(&text))
        @if written.name == "errors" { (refusals::table()) }
    };
    docs_page(&Frame { title: written.title, person: visitor.as_ref(), part: "/docs" }, &name, body)
}

async fn of_operation(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PagePath(name): PagePath<String>,
) -> Response {
    let Some(operation) = declared(&name) else {
        return refusal(visitor.as_ref(), &Failure::NotFound);
    };
    let body = operation::shown(&operation.descriptor, edge.service().base_url());
    docs_page(&Frame { title: &name, person: visitor.as_ref(), part: "/docs" }, &name, body)
}

fn docs_page(frame: &Frame<'_>, here: &str, body: Markup) -> Response {
    let current = |name: &str| (name == here).then_some("true");
    let body = html! {
        div.docs {
            nav aria-label="Documentation" {
                ul {
                    @for written in &WRITTEN {
                        li {
                            a href={ "/docs/" (written.name) } aria-current=[current(written.name)] {
                                (written.title)
                            }
                        }
                    }
                }
                p.quiet { "Operations" }
                ul {
                    @for operation in operations() {
                        @let name = operation.descriptor.name;
                        li { a href={ "/docs/operations/" (name) } aria-current=[current(name)] { (name) } }
                    }
                }
                p.quiet { "Machine-readable" }
                ul {
                    li { a href="/swagger" { "API explorer" } }
                    li { a href="/redoc" { "API reference" } }
                    li { a href="/openapi.json" { "openapi.json" } }
                    li { a href="/skill.md" { "skill.md" } }
                    li { a href="/agent-setup/prompt.md" { "agent set-up" } }
                }
            }
            article.prose { (body) }
        }
    };
    page(frame, body)
}

/// Our own Markdown as HTML; it is never written by others.
pub(super) fn markdown(text: &str) -> Markup {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, Parser::new_ext(text, options));
    // Wide code and tables are scrolled, with the keyboard too.
    PreEscaped(
        html.replace("<pre>", "<pre tabindex=\"0\">").replace("<table>", "<table tabindex=\"0\">"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_begins_with_its_heading_and_links_lead_to_pages() {
        for written in &WRITTEN {
            assert!(written.text.starts_with("# "), "{}", written.name);
            let html = markdown(written.text).into_string();
            for link in html.split("href=\"/docs/").skip(1) {
                let target = link.split(['"', '#']).next().unwrap_or_default();
                let known = match target.strip_prefix("operations/") {
                    Some(operation) => declared(operation).is_some(),
                    None => WRITTEN.iter().any(|page| page.name == target),
                };
                assert!(known, "{} links to {target}", written.name);
            }
        }
    }
}
