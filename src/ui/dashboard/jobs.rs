//! Long-running jobs and their progress, for operators.

use std::{path::PathBuf, sync::Arc};

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{
    chart::render_meter, corpus::render_refused_files, dashboard_page, render_time,
    uploads::render_upload_form,
};
use crate::{
    http::Edge,
    jobs::JobRecord,
    ui::{
        empty_state::empty_state,
        export::{ExportQuery, export_links, export_rows},
        page_query::PageQuery,
        status_badge::status_badge,
        visitor::OperatorPerson,
    },
};
use store::{TdocJobKind, TdocJobRow};

const HERE: &str = "/dashboard/jobs";

/// Maximum number of waiting documents that are listed; a synchronised meeting may have more than a thousand.
const MAX_LISTED_TDOCS: usize = 50;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route(HERE, get(show_jobs))
}

/// Documents of a job that are shown unfolded.
const MAX_OPEN_DOCUMENTS: usize = 12;

async fn show_jobs(
    State(edge): State<Arc<Edge>>,
    OperatorPerson(person): OperatorPerson,
    PageQuery(query): PageQuery<ExportQuery>,
) -> Response {
    let jobs = edge.service().jobs.history.recent_jobs();
    if let Some(format) = query.format() {
        return export_rows("jobs", format, &jobs);
    }
    let waiting_uploads = crate::jobs::waiting_uploads(&edge.service().jobs);
    let set_aside = crate::jobs::set_aside_uploads(&edge.service().jobs);
    let running = waiting_uploads > 0 || jobs.iter().any(|job| job.outcome.is_none());
    edge.service().recover_store();
    let waiting = edge.service().store.snapshot().tdocs().tdoc_jobs();
    let body = html! {
        @if crate::jobs::check_changeable(&edge.service().jobs).is_ok() { (render_upload_form(&person)) }
        @if let Ok(waiting) = &waiting {
            @if !waiting.is_empty() { (render_waiting_tdocs(waiting)) }
        }
        @if !set_aside.is_empty() { (render_set_aside(&set_aside)) }
        // While a job runs, the script reloads this part; without the script, people reload the page.
        div #jobs data-refresh=[running.then_some("2000")] {
            @if jobs.is_empty() {
                (empty_state("No jobs yet.", html! { "Upload documents here, or run "
                    code { "specbox ingest PATH" } " on the server." }))
            }
            @if !jobs.is_empty() { div.actions-line { (export_links(HERE)) } }
            @if waiting_uploads > 0 {
                p.note { (waiting_uploads) @if waiting_uploads == 1 { " upload waits" } @else { " uploads wait" }
                    " for the running job to end." }
            }
            @for job in &jobs { (render_job(job)) }
            @if running { noscript { p.quiet { "Reload the page to update the progress." } } }
        }
    };
    dashboard_page(&person, HERE, "Jobs", None, body)
}

/// Uploads that are not indexed at a start any more.
fn render_set_aside(folders: &[PathBuf]) -> Markup {
    html! {
        section.card aria-label="Uploads set aside" {
            h2 { "Uploads set aside " span.tag { (folders.len()) } }
            p.quiet { "Each of these uploads ended the server twice while it was indexed. To try one again, run "
                code { "specbox ingest" } " with its folder. Then, or to discard it, delete the folder." }
            ul { @for folder in folders { li { code { (folder.display()) } } } }
        }
    }
}

/// Documents of meetings that are fetched, or wait for a conversion.
fn render_waiting_tdocs(waiting: &[TdocJobRow]) -> Markup {
    html! {
        section.card aria-label="Pending documents" {
            h2 { "Pending meeting documents " span.tag { (waiting.len()) } }
            p.quiet { "Legacy files wait until LibreOffice is installed; "
                code { "specbox sync pending" } " processes them now, with or without a running server." }
            ul {
                @for job in waiting.iter().take(MAX_LISTED_TDOCS) {
                    li {
                        (job.id) " "
                        span.tag { (match job.kind { TdocJobKind::Fetch => "fetch", TdocJobKind::Convert => "conversion" }) }
                        " since " (render_time(&job.queued_at))
                        @if let Some(error) = &job.last_error { ": " (error) }
                    }
                }
            }
            @if waiting.len() > MAX_LISTED_TDOCS { p.quiet { "and " (waiting.len() - MAX_LISTED_TDOCS) " more" } }
        }
    }
}

fn render_job(job: &JobRecord) -> Markup {
    html! {
        section.card aria-label={ (job.kind.as_str()) " of " (job.started_at) } {
            h2 { (job.kind.as_str()) " "
                (status_badge(job.outcome.as_deref().unwrap_or("running"))) }
            p.quiet {
                "Started " (render_time(&job.started_at))
                @if let Some(ended) = &job.ended_at { ", ended " (render_time(ended)) }
            }
            @if job.outcome.is_none() && job.total > 0 {
                (render_meter(job.done, job.total))
                p { (job.done) " of " (job.total) " " (job.unit)
                    @if !job.current.is_empty() { ": " code { (job.current) } } }
            }
            @if job.taken + job.skipped + job.refused_count > 0 {
                p { (job.taken) " indexed, " (job.skipped) " skipped, " (job.refused_count) " rejected" }
            }
            (render_documents(job))
            (render_refused_files(job))
        }
    }
}

/// The document versions that a job indexed, folded if there are many.
fn render_documents(job: &JobRecord) -> Markup {
    let more = job.taken.saturating_sub(job.documents.len() as u64);
    html! {
        @if !job.documents.is_empty() {
            details open[job.documents.len() <= MAX_OPEN_DOCUMENTS] {
                summary { "Indexed documents" }
                p { (job.documents.join(", ")) @if more > 0 { " and " (more) " more" } }
            }
        }
    }
}
