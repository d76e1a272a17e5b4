//! Whether everything works, for operators.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::html;

use super::{
    chart::{render_day_chart, render_latency_chart},
    dashboard_page,
};
use crate::ui::numbers::group_thousands;
use crate::{
    http::Edge,
    ui::{
        page::refusal_page, run::run_operation, status_badge::status_badge, visitor::OperatorPerson,
    },
};
use accounts::{Access, AccessError};
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
    let ready = if service.is_ready() { "loaded" } else { "loading or missing" };
    let days = count_daily_requests(&service.access).ok();
    let body = html! {
        section.card aria-label="State" {
            h2 { "State " (status_badge(&health.status.to_string())) }
            dl {
                dt { "Interface version" } dd { (health.version) }
                dt { "Program" } dd { (env!("CARGO_PKG_VERSION")) }
                dt { "Models" } dd { (ready) }
                dt { "Text model" } dd { (health.models.text_embedding) }
                dt { "Image model" } dd { (health.models.image_embedding) }
                dt { "Reranker" } dd { (health.models.reranker) }
                dt { "Base URL" } dd { code { (service.address.base_url()) } }
                dt { "Data folder" } dd { code { (folder.root().display()) } }
            }
        }
        section.card aria-label="Requests by day" {
            h2 { "Requests by day" }
            @match &days {
                Some(days) => { (render_day_chart(days)) }
                None => { p.empty { "The accounts cannot be read at the moment." } }
            }
            p.quiet { "Requests of all accounts this month." }
        }
        section.card aria-label="Latency" {
            h2 { "Latency" }
            (render_latency_chart(&edge.operation_latencies()))
            p.quiet { "Over the last 30 days. The bar is the median; the pale bar behind it is the 95th percentile." }
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

/// The requests of all accounts in this month, by day.
fn count_daily_requests(access: &Access) -> Result<Vec<u64>, AccessError> {
    let mut totals: Vec<u64> = Vec::new();
    for account in access.accounts().list_accounts()? {
        let days = access.charges().monthly_usage(&account)?.days;
        totals.resize(totals.len().max(days.len()), 0);
        totals.iter_mut().zip(days).for_each(|(total, count)| *total += count);
    }
    Ok(totals)
}
