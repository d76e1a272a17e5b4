//! Whether everything works, for operators.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{dashboard_page, group_thousands};
use crate::{
    http::Edge,
    ui::{page::refusal_page, run::run_operation, visitor::OperatorPerson},
};
use wire::params::Health;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard/health", get(show_health))
}

async fn show_health(
    State(edge): State<Arc<Edge>>,
    OperatorPerson(person): OperatorPerson,
) -> Response {
    let health = match run_operation(&edge, &person, Health {}).await {
        Ok(health) => health,
        Err(failure) => return refusal_page(Some(&person), &failure),
    };
    let service = edge.service();
    let (folder, queues) = (service.store.index_folder(), edge.queue_depths());
    let ready = if service.is_ready() { "loaded" } else { "loading, or one is missing" };
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
                dt { "Base URL" } dd { code { (service.address.base_url()) } }
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
                @for (part, bytes) in folder.index_sizes() {
                    dt { (part) } dd { (group_thousands(bytes.div_ceil(1 << 10))) " KiB" }
                }
            }
        }
    };
    dashboard_page(&person, "/dashboard/health", "Health", None, body)
}
