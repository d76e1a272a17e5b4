//! The guides for agents, as Markdown for this server's own URL.

use std::sync::Arc;

use axum::{Router, http::header, response::IntoResponse, routing::get};

use crate::http::Edge;

const SKILL: &str = include_str!("../../docs/skill.md");
const SETUP: &str = include_str!("../../docs/agent-setup.md");
const MARKDOWN: &str = "text/markdown; charset=utf-8";

pub(super) fn routes(base_url: &str) -> Router<Arc<Edge>> {
    let guide = |text: &str| {
        let text = with_base_url(text, base_url);
        get(move || async move { ([(header::CONTENT_TYPE, MARKDOWN)], text).into_response() })
    };
    Router::new().route("/skill.md", guide(SKILL)).route("/agent-setup/prompt.md", guide(SETUP))
}

/// A text with `{base_url}` replaced.
pub(super) fn with_base_url(text: &str, base_url: &str) -> String {
    text.replace("{base_url}", base_url)
}
