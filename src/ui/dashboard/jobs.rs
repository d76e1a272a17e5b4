//! Long work with its progress, for operators.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{chart::meter, corpus::refused, dashboard, minutes};
use crate::{http::Edge, service::Job, ui::person::Operator};
use store::{TdocJobKind, TdocJobRow};

/// Waiting documents that are shown.
const MOST_WAITING: usize = 50;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard/jobs", get(show))
}

async fn show(State(edge): State<Arc<Edge>>, Operator(person): Operator) -> Response {
    let jobs = edge.service().jobs.list();
    let running = jobs.iter().any(|job| job.outcome.is_none());
    let waiting = edge.service().store.snapshot().tdoc_jobs();
    let body = html! {
        @if let Ok(waiting) = &waiting {
            @if !waiting.is_empty() { (queue(waiting)) }
        }
        // The script fetches this part again while a run goes on; without it, the page is loaded
        // again by hand.
        div #jobs data-live=[running.then_some("2000")] {
            @if jobs.is_empty() {
                p.empty { "No run yet. " code { "specbox ingest PATH" }
                    " takes documents in, also while the server runs." }
            }
            @for job in &jobs { (card(job)) }
            @if running { noscript { p.quiet { "Load the page again to see how far it is." } } }
        }
    };
    dashboard(&person, "/dashboard/jobs", "Jobs", None, body)
}

/// Documents of meetings that are fetched, or wait for the full pipeline.
fn queue(waiting: &[TdocJobRow]) -> Markup {
    html! {
        section.card aria-label="Documents that wait" {
            h2 { "Documents of meetings that wait " span.tag { (waiting.len()) } }
            p.quiet { "Legacy files wait until LibreOffice is installed; "
                code { "specbox sync pending" } " works on them without a server." }
            ul {
                @for job in waiting.iter().take(MOST_WAITING) {
                    li {
                        (job.id) " "
                        span.tag { (match job.kind { TdocJobKind::Fetch => "fetch", TdocJobKind::Convert => "full pipeline" }) }
                        " since " (minutes(&job.queued_at))
                        @if let Some(error) = &job.last_error { ": " (error) }
                    }
                }
            }
            @if waiting.len() > MOST_WAITING { p.quiet { "and " (waiting.len() - MOST_WAITING) " more" } }
        }
    }
}

fn card(job: &Job) -> Markup {
    html! {
        section.card aria-label={ (job.kind.as_str()) " of " (job.started_at) } {
            h2 { (job.kind.as_str()) " "
                span.tag { (job.outcome.as_deref().unwrap_or("running")) } }
            p.quiet {
                "Began " (minutes(&job.started_at))
                @if let Some(ended) = &job.ended_at { ", ended " (minutes(ended)) }
            }
            @if job.outcome.is_none() && job.total > 0 {
                (meter(job.done, job.total))
                p { (job.done) " of " (job.total) " " (job.unit)
                    @if !job.current.is_empty() { ": " code { (job.current) } } }
            }
            @if job.taken + job.skipped + job.refused_count > 0 {
                p { (job.taken) " taken, " (job.skipped) " skipped, " (job.refused_count) " refused" }
            }
            (refused(job))
        }
    }
}
