//! The API explorer and the API reference, by Swagger UI and Redoc from files in the program.

use std::sync::Arc;

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use maud::{DOCTYPE, Markup, html};

use super::{assets::asset_path, page::with_page_headers};
use crate::http::Edge;

/// Both libraries write styles into the page, and Redoc searches in a worker.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; \
    img-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; font-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/swagger", get(show_swagger)).route("/redoc", get(show_redoc))
}

async fn show_swagger() -> Response {
    let styles = ["swagger-ui.css", "swagger.css"];
    let scripts = ["swagger-ui-bundle.js", "swagger.js"];
    library_page("API explorer", "explorer", &styles, &scripts)
}

async fn show_redoc() -> Response {
    let scripts = ["redoc.standalone.js", "redoc.js"];
    library_page("API reference", "reference", &["swagger.css"], &scripts)
}

fn library_page(title: &str, id: &str, styles: &[&str], scripts: &[&str]) -> Response {
    let page: Markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " \u{b7} specbox" }
                link rel="icon" href=(asset_path("icon.svg")) type="image/svg+xml";
                @for style in styles { link rel="stylesheet" href=(asset_path(style)); }
                @for script in scripts { script src=(asset_path(script)) defer {} }
            }
            body {
                a.back href="/docs" { "\u{2190} specbox documentation" }
                main id=(id) { noscript { "This page needs JavaScript. Without it, use /openapi.json." } }
            }
        }
    };
    with_page_headers(Html(page.into_string()).into_response(), POLICY)
}
