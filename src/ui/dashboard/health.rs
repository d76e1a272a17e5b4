//! Whether everything works, for operators.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{dashboard, grouped};
use crate::{
    http::Edge,
    ui::{
        page::refusal,
        person::Operator,
        run::{Arguments, run},
    },
};
use wire::records::HealthResponse;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard/health", get(show))
}

async fn show(State(edge): State<Arc<Edge>>, Operator(person): Operator) -> Response {
    let health: HealthResponse = match run(&edge, &person, "health", Arguments::default()).await {
        Ok(health) => health,
        Err(failure) => return refusal(Some(&person), &failure),
    };
    let service = edge.service();
    let (folder, queues) = (service.store.folder(), edge.queued());
    let ready = if service.is_ready() { "loaded" } else { "not loaded yet, or one is missing" };
    let body = html! {
        section.card aria-label="State" {
            h2 { "State " span.tag { (health.status) } }
            dl {
                dt { "Interface version" } dd { (health.version) }
                dt { "Program" } dd { (env!("CARGO_PKG_VERSION")) }
                dt { "Models" } dd { (ready) }
                dt { "Text embedder" } dd { (health.models.text_embedding) }
                dt { "Image embedder" } dd { (health.models.image_embedding) }
                dt { "Reranker" } dd { (health.models.reranker) }
                dt { "Base URL" } dd { code { (service.base_url()) } }
                dt { "Data folder" } dd { code { (folder.root().display()) } }
            }
        }
        section.card aria-label="Queues" {
            h2 { "Waiting requests" }
            dl { @for (queue, depth) in queues { dt { (queue) } dd { (depth) } } }
        }
        section.card aria-label="Files" {
            h2 { "Files" }
            dl {
                @for (part, bytes) in folder.sizes() {
                    dt { (part) } dd { (grouped(bytes.div_ceil(1 << 10))) " KiB" }
                }
            }
        }
    };
    dashboard(&person, "/dashboard/health", "Health", None, body)
}
