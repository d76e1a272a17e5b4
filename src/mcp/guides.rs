//! The guides for agents, filled in with this server's URL: over HTTP as Markdown, over MCP as a resource
//! and as instructions.

use std::sync::Arc;

use axum::{Router, http::header, response::IntoResponse, routing::get};

use crate::http::Edge;

const SKILL: &str = include_str!("../../docs/skill.md");
const SETUP: &str = include_str!("../../docs/agent-setup.md");
const CONNECT: &str = include_str!("../../docs/site/connect.md");
const INSTRUCTIONS: &str = include_str!("../../docs/instructions.md");
/// The media type of the guides.
pub(super) const MARKDOWN_TYPE: &str = "text/markdown";

pub(super) fn routes(base_url: &str) -> Router<Arc<Edge>> {
    let guide = |text: &str| {
        let text = with_base_url(text, base_url);
        let content_type = format!("{MARKDOWN_TYPE}; charset=utf-8");
        get(move || async move { ([(header::CONTENT_TYPE, content_type)], text).into_response() })
    };
    Router::new().route("/skill.md", guide(SKILL)).route(
        "/agent-setup/prompt.md",
        guide(&SETUP.replace("{connect}", &absolutize_links(CONNECT))),
    )
}

/// Adapts a page of the documentation for use elsewhere: links get this server's URL, headings lose their
/// anchors.
pub fn absolutize_links(page: &str) -> String {
    let lines = page.lines().map(|line| match line.strip_prefix('#') {
        Some(_) => line.split(" {#").next().unwrap_or(line),
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n").replace("](/", "]({base_url}/")
}

/// How to connect a program: the page of the documentation without its heading.
pub fn connect_guide(base_url: &str) -> String {
    let page = CONNECT.split_once('\n').map_or(CONNECT, |(_, rest)| rest);
    with_base_url(page, base_url)
}

/// How to search, read and cite.
pub(super) fn skill_guide(base_url: &str) -> String {
    with_base_url(SKILL, base_url)
}

/// The same in short, for clients that give every model the instructions of a server.
pub(super) fn server_instructions(base_url: &str) -> String {
    with_base_url(INSTRUCTIONS, base_url)
}

/// A text with `{base_url}` replaced.
pub fn with_base_url(text: &str, base_url: &str) -> String {
    text.replace("{base_url}", base_url)
}
