//! The search page: search box, filters, results.

use std::sync::Arc;

use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, html};

use super::{
    headings::{PassageLocation, heading_paths},
    hints::render_hints,
    query::{SearchKind, SearchPageQuery},
    results::{ResultsStage, SearchPageResults, render_results},
    suggestions::{addressed_page, suggest},
};
use crate::{
    http::Edge,
    service::TextPreview,
    ui::{
        export::{ExportFormat, export_rows},
        page::{PageFrame, refusal_page, render_content_page},
        page_query::PageQuery,
        person::Person,
        run::{ExplainedReply, run_explained},
        sign_in::fault_line,
        visitor::PayingPerson,
    },
};
use domain::Release;
use wire::Failure;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search", get(show_search))
}

async fn show_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<SearchPageQuery>,
) -> Response {
    if query.q.trim().is_empty() {
        let hints = render_hints(&edge, &person).await;
        return search_page(&edge, &person, &query, None, PageNote::Hints(hints));
    }
    if let Some(format) = ExportFormat::from_word(&query.format) {
        return match run_search(&edge, &person, &query).await {
            Ok(results) => export_results(format, &results),
            Err(failure) => refusal_page(Some(&person), &failure),
        };
    }
    match search_or_open(&edge, &person, &query).await {
        Ok(SearchOutcome::Open(path)) => Redirect::to(&path).into_response(),
        Ok(SearchOutcome::Results(results)) => {
            search_page(&edge, &person, &query, Some(&results), PageNote::Nothing)
        }
        Err(Failure::Validation(faults)) => {
            let faults: Vec<String> = faults.iter().map(|fault| fault.kind.message()).collect();
            search_page(&edge, &person, &query, None, PageNote::Fault(faults.join(". ")))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
    }
}

/// The passages as a file, or the figures if only figures were searched.
fn export_results(format: ExportFormat, results: &SearchPageResults) -> Response {
    match (&results.passages, &results.figures) {
        (Some(passages), _) => export_rows("search", format, passages),
        (None, figures) => export_rows("search", format, figures.as_deref().unwrap_or_default()),
    }
}

/// What a request to search leads to.
enum SearchOutcome {
    /// The text was the address of a document or a clause: to its page.
    Open(String),
    Results(Box<SearchPageResults>),
}

async fn search_or_open(
    edge: &Arc<Edge>,
    person: &Person,
    query: &SearchPageQuery,
) -> Result<SearchOutcome, Failure> {
    let complete = format!("{} ", query.q.trim());
    let suggested = suggest(edge, person, &complete, 1).await?;
    let address = if query.kind == SearchKind::Text { suggested.as_ref() } else { None };
    if let Some(path) = address.and_then(addressed_page) {
        return Ok(SearchOutcome::Open(path));
    }
    let results = run_search(edge, person, query).await?;
    let did_you_mean = suggested.and_then(|reply| reply.did_you_mean);
    Ok(SearchOutcome::Results(Box::new(SearchPageResults { did_you_mean, ..results })))
}

async fn run_search(
    edge: &Arc<Edge>,
    person: &Person,
    query: &SearchPageQuery,
) -> Result<SearchPageResults, Failure> {
    let mut results = match query.kind {
        SearchKind::Text => {
            let ExplainedReply { reply, diagnosis } =
                run_explained(edge, person, query.to_text_search()).await?;
            SearchPageResults {
                passages: Some(reply.results),
                defined_name: reply.defined_name,
                unknown_terms: reply.unknown_terms,
                answer_unlikely: reply.answer_unlikely,
                missing_documents: reply.missing_documents,
                degraded: reply.degraded,
                coverage: reply.coverage,
                elapsed_ms: reply.elapsed_ms,
                diagnosis,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Figures => {
            let ExplainedReply { reply, diagnosis } =
                run_explained(edge, person, query.to_image_search()).await?;
            SearchPageResults {
                figures: Some(reply.results),
                elapsed_ms: reply.elapsed_ms,
                diagnosis,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Both => {
            let ExplainedReply { reply, diagnosis } =
                run_explained(edge, person, query.to_combined_search()).await?;
            SearchPageResults {
                passages: Some(reply.text_results),
                figures: Some(reply.image_results),
                defined_name: reply.defined_name,
                unknown_terms: reply.unknown_terms,
                answer_unlikely: reply.answer_unlikely,
                missing_documents: reply.missing_documents,
                degraded: reply.degraded,
                coverage: reply.coverage,
                elapsed_ms: reply.elapsed_ms,
                diagnosis,
                ..SearchPageResults::default()
            }
        }
    };
    let locations: Vec<PassageLocation> =
        results.passages.iter().flatten().map(PassageLocation::from_passage).collect();
    let search = query.to_text_search();
    let with_counts = query.kind != SearchKind::Figures;
    let found = edge.run_blocking(person.owner(), move |service| {
        let paths = heading_paths(service, &locations)?;
        let preview = if with_counts {
            crate::service::preview_text(service, &search, 0)?
        } else {
            TextPreview::default()
        };
        Ok((paths, preview.counts))
    });
    (results.heading_paths, results.counts) = found.await?;
    Ok(results)
}

/// What the page says besides results.
enum PageNote {
    Nothing,
    /// How to begin.
    Hints(Markup),
    /// Why there are no results.
    Fault(String),
}

fn search_page(
    edge: &Edge,
    person: &Person,
    query: &SearchPageQuery,
    results: Option<&SearchPageResults>,
    note: PageNote,
) -> Response {
    let fault = match &note {
        PageNote::Fault(fault) => Some(fault.as_str()),
        PageNote::Hints(_) | PageNote::Nothing => None,
    };
    let body = html! {
        h1.hidden { "Search" }
        (render_form(edge, person, query))
        (fault_line(fault))
        @match results {
            Some(results) => { (render_results(query, results, ResultsStage::Complete)) }
            None => {
                div #results {}
                @if let PageNote::Hints(hints) = &note {
                    div #remembered.remembered hidden {}
                    (hints)
                }
            }
        }
    };
    let title = if query.q.is_empty() { "Search".to_owned() } else { query.q.clone() };
    let mut response = render_content_page(
        &PageFrame { title: &title, person: Some(person), part: "/search" },
        body,
    );
    if fault.is_some() {
        *response.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    response
}

fn render_form(edge: &Edge, person: &Person, query: &SearchPageQuery) -> Markup {
    let kinds = [
        (SearchKind::Text, "text", "Text"),
        (SearchKind::Figures, "figures", "Figures"),
        (SearchKind::Both, "both", "Both"),
    ];
    let overview = crate::service::corpus_overview(edge.service());
    let mut releases: Vec<&String> = overview.releases.keys().collect();
    releases.sort_by_key(|release| release.parse::<Release>().ok());
    // The whole search uses a request, so it runs by itself only if requests are not limited.
    let plan = edge.service().access.plans().plan_of_account(&person.account.plan);
    let rerank = if plan.requests_per_month.is_none() { "typing" } else { "enter" };
    html! {
        form.search method="get" action="/search" role="search" data-live="/search/live" data-rerank=(rerank) {
            div.line {
                label.hidden for="q" { "Search query" }
                div.typing {
                    input #q type="search" name="q" value=(query.q) autofocus[query.q.is_empty()]
                        maxlength="4000" placeholder="Question, identifier, or clause (38.331 5.3.5)"
                        data-slash data-suggestions="/search/suggestions";
                }
                button type="submit" { "Search" }
            }
            fieldset.filters {
                legend.hidden { "Filters" }
                span.kinds role="radiogroup" aria-label="Search in" {
                    @for (kind, value, name) in kinds {
                        label {
                            input type="radio" name="kind" value=(value)
                                checked[query.kind == kind];
                            (name)
                        }
                    }
                }
                label { "Release "
                    select name="release" {
                        option value="" { "any" }
                        @for release in releases {
                            option value=(release) selected[query.release == *release] { (release) }
                        }
                    }
                }
                label { "Type "
                    select name="doc_type" {
                        @for (value, name) in [("", "any"), ("TS", "TS"), ("TR", "TR")] {
                            option value=(value) selected[query.doc_type == value] { (name) }
                        }
                    }
                }
                label { "Document "
                    input type="text" name="doc_number" value=(query.doc_number) size="9"
                        maxlength="40" placeholder="38.331";
                }
                label { "Series "
                    input type="text" name="series" value=(query.series) size="3" maxlength="10"
                        placeholder="38";
                }
            }
        }
    }
}
