//! The documentation: guides written by hand, and a page for each operation, generated from its declaration.

mod code;
mod llms;
mod operation;
mod own_examples;
mod refusals;
mod search;

pub(super) use own_examples::first_searches;

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::header::CONTENT_TYPE,
    response::{IntoResponse, Response},
    routing::get,
};
use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Options, Parser};

use super::{
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PagePath,
    visitor::Visitor,
};
use crate::{
    http::Edge,
    mcp::{absolutize_links, with_base_url},
    service::{Service, find_operation, operations},
};
use wire::Failure;

/// A guide written by hand.
struct GuidePage {
    name: &'static str,
    title: &'static str,
    /// What it is about, as a half sentence.
    about: &'static str,
    text: &'static str,
}

macro_rules! guide {
    ($name:literal, $title:literal, $about:literal) => {
        GuidePage {
            name: $name,
            title: $title,
            about: $about,
            text: include_str!(concat!("../../../docs/site/", $name, ".md")),
        }
    };
}

static GUIDE_PAGES: [GuidePage; 7] = [
    guide!("start", "Get started", "from an API key to the first answer over REST"),
    guide!("connect", "Connect an agent", "MCP in Claude Code, Cursor, VS Code and other programs"),
    guide!("concepts", "Concepts", "scores, versions, sections, figures, meetings and decisions"),
    guide!("errors", "Errors", "every error and whether to retry"),
    guide!("limits", "Limits and plans", "the allowance, parameter bounds and other limits"),
    guide!("administration", "Administration", "accounts, keys, plans and jobs, for operators"),
    guide!("air-gapped", "Use without internet access", "models, documents and updates as files"),
];

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new()
        .route("/docs", get(show_start))
        .route("/docs/", get(show_start))
        .route("/docs/search", get(search::show_found))
        .route("/docs/{name}", get(show_guide))
        .route("/docs/operations/{name}", get(show_operation))
        .route("/llms.txt", get(send_llms_text))
}

async fn send_llms_text(State(edge): State<Arc<Edge>>) -> Response {
    send_text(&edge, "text/plain; charset=utf-8", &llms::llms_text())
}

/// A text for programs, with this server's URL in it.
fn send_text(edge: &Edge, content_type: &'static str, text: &str) -> Response {
    let text = with_base_url(text, edge.service().address.base_url());
    ([(CONTENT_TYPE, content_type)], text).into_response()
}

async fn show_start(state: State<Arc<Edge>>, visitor: Visitor) -> Response {
    show_guide(state, visitor, PagePath(GUIDE_PAGES[0].name.to_owned())).await
}

async fn show_guide(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PagePath(name): PagePath<String>,
) -> Response {
    // With the ending of Markdown: the text itself.
    let (name, is_text) = name.strip_suffix(".md").map_or((name.as_str(), false), |n| (n, true));
    let Some(guide) = GUIDE_PAGES.iter().find(|guide| guide.name == name) else {
        return refusal_page(visitor.as_ref(), &Failure::NotFound);
    };
    if is_text {
        let text = absolutize_links(guide.text);
        return send_text(&edge, "text/markdown; charset=utf-8", &text);
    }
    let text = with_base_url(guide.text, edge.service().address.base_url());
    let body = html! {
        (render_markdown(&text))
        @if guide.name == "errors" { (refusals::render_refusals()) }
    };
    docs_page(
        &PageFrame { title: guide.title, person: visitor.as_ref(), part: "/docs" },
        name,
        body,
    )
}

async fn show_operation(
    State(edge): State<Arc<Edge>>,
    Visitor(visitor): Visitor,
    PagePath(name): PagePath<String>,
) -> Response {
    let Some(operation) = find_operation(&name) else {
        return refusal_page(visitor.as_ref(), &Failure::NotFound);
    };
    let name = operation.descriptor.name;
    let own = match &visitor {
        Some(person) => {
            let find = move |service: &Service| Ok(own_examples::own_example(service, name));
            match edge.run_blocking(person.owner(), find).await {
                Ok(own) => own,
                Err(failure) => return refusal_page(visitor.as_ref(), &failure),
            }
        }
        None => None,
    };
    let base_url = edge.service().address.base_url();
    let body = operation::render_operation(&operation.descriptor, own.as_deref(), base_url);
    docs_page(&PageFrame { title: name, person: visitor.as_ref(), part: "/docs" }, name, body)
}

fn docs_page(frame: &PageFrame<'_>, here: &str, body: Markup) -> Response {
    let current = |name: &str| (name == here).then_some("true");
    let body = html! {
        div.docs {
            nav aria-label="Documentation" {
                form.docs-search role="search" action="/docs/search" {
                    label.hidden for="docs-query" { "Search the documentation" }
                    input #docs-query type="search" name="q" placeholder="Search the documentation" maxlength="100" required;
                }
                ul {
                    @for guide in &GUIDE_PAGES {
                        li {
                            a href={ "/docs/" (guide.name) } aria-current=[current(guide.name)] {
                                (guide.title)
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
                    li { a href="/llms.txt" { "llms.txt" } }
                    li { a href="/skill.md" { "skill.md" } }
                    li { a href="/agent-setup/prompt.md" { "agent setup" } }
                }
            }
            article.prose { (body) }
        }
    };
    render_content_page(frame, body)
}

/// Renders our own Markdown as HTML; it is trusted, text of others must not come here.
pub(super) fn render_markdown(text: &str) -> Markup {
    let options = Options::ENABLE_TABLES | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, Parser::new_ext(text, options));
    // Wide code and tables scroll; `tabindex` lets the keyboard do it too.
    PreEscaped(
        html.replace("<pre>", "<pre tabindex=\"0\">").replace("<table>", "<table tabindex=\"0\">"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_begins_with_its_heading_and_links_lead_to_pages() {
        for guide in &GUIDE_PAGES {
            assert!(guide.text.starts_with("# "), "{}", guide.name);
            let html = render_markdown(guide.text).into_string();
            for link in html.split("href=\"/docs/").skip(1) {
                let target = link.split(['"', '#']).next().unwrap_or_default();
                let known = match target.strip_prefix("operations/") {
                    Some(operation) => find_operation(operation).is_some(),
                    None => GUIDE_PAGES.iter().any(|page| page.name == target),
                };
                assert!(known, "{} links to {target}", guide.name);
            }
        }
    }
}
