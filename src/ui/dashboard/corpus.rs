//! What is indexed, and the files that the last ingest refused.

use std::sync::Arc;

use axum::{Router, extract::State, response::Response, routing::get};
use maud::{Markup, html};

use super::{
    chart::{render_bars, render_growth_chart},
    dashboard_page, render_time,
};
use crate::ui::numbers::group_thousands;
use crate::{
    http::Edge,
    jobs::{JobKind, JobRecord},
    ui::person::Person,
};
use domain::Release;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/dashboard/corpus", get(show_corpus))
}

async fn show_corpus(State(edge): State<Arc<Edge>>, person: Person) -> Response {
    let service = edge.service();
    let overview = crate::service::corpus_overview(service);
    let last =
        service.jobs.history.recent_jobs().into_iter().find(|job| job.kind == JobKind::Ingest);
    let mut releases: Vec<(String, u64)> =
        overview.releases.iter().map(|(release, count)| (release.clone(), *count)).collect();
    releases.sort_by_key(|(release, _)| std::cmp::Reverse(release.parse::<Release>().ok()));
    let body = html! {
        section.card.numbers aria-label="Corpus" {
            @for (number, name) in [
                (overview.documents, "document versions"),
                (overview.numbers, "documents"),
                (overview.passages, "passages"),
                (overview.figures, "figures"),
            ] {
                p { strong { (group_thousands(number)) } " " (name) }
            }
            @if overview.without_vectors > 0 {
                p.note {
                    (overview.without_vectors) " document versions can be searched only by words until "
                    "their vectors have been computed in the background."
                }
            }
        }
        div.pictures {
            section.card aria-label="Releases" {
                h2 { "Documents by release" }
                (render_bars(&releases, ("Release", "Document versions"), &|release| format!("/library?release={release}")))
            }
            section.card aria-label="Growth" {
                h2 { "Growth" }
                (render_growth_chart(&overview.growth))
                p.quiet { "Document versions by the date on which they were added." }
            }
        }
        section.card aria-label="Last ingest" {
            h2 { "Last ingest" }
            @match &last {
                Some(job) => { (render_last_ingest(job)) }
                None => { p.empty { "No documents have been indexed yet." } }
            }
        }
    };
    dashboard_page(&person, "/dashboard/corpus", "Corpus", None, body)
}

fn render_last_ingest(job: &JobRecord) -> Markup {
    html! {
        p {
            "Started " (render_time(&job.started_at)) ", "
            (job.outcome.as_deref().unwrap_or("running")) ": "
            (job.taken) " indexed, " (job.skipped) " skipped, " (job.refused_count) " rejected."
        }
        (render_refused_files(job))
    }
}

/// A file as its sender knows it: each upload has its own folder below the inbox.
fn uploaded_name(file: &str) -> &str {
    match file.split_once("/inbox/uploads/") {
        Some((_, path)) => path.splitn(3, '/').last().unwrap_or(path),
        None => file,
    }
}

/// The files that a run refused.
pub(super) fn render_refused_files(job: &JobRecord) -> Markup {
    html! {
        @if !job.refused.is_empty() {
            details open[job.refused.len() < 10] {
                summary {
                    (job.refused_count) @if job.refused_count == 1 { " file was" } @else { " files were" } " rejected"
                }
                ul.refused {
                    @for refused in &job.refused {
                        li { code { (uploaded_name(&refused.file)) } ": " (refused.reason) }
                    }
                }
                @if job.refused_count > job.refused.len() as u64 {
                    p.quiet {
                        "Only the first " (job.refused.len()) " are listed here. " code { "specbox ingest --report FILE" }
                        " writes a report of all files."
                    }
                }
            }
        }
    }
}
