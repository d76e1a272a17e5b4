//! The search page: search box, filters, passages and figures.

use std::{
    collections::{HashMap, hash_map},
    sync::Arc,
};

use axum::{
    Router,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use maud::{Markup, html};
use serde::Deserialize;

use super::{
    page::{PageFrame, refusal_page, render_content_page},
    page_query::PageQuery,
    person::Person,
    results::{SearchPageResults, render_results},
    run::{entered_text, run_operation},
    sign_in::fault_line,
    suggestions::{addressed_page, suggest},
    visitor::PayingPerson,
};
use crate::{
    http::Edge,
    service::{Service, internal_failure},
};
use domain::Release;
use wire::{
    Failure,
    params::{SearchCombined, SearchImages, SearchText},
    records::TextResult,
};

/// Passages on a page.
const PASSAGES_PER_PAGE: u32 = 10;
/// Figures on a page; half as many beside passages.
const FIGURES_PER_PAGE: u32 = 12;

pub(super) fn routes() -> Router<Arc<Edge>> {
    Router::new().route("/search", get(show_search))
}

/// What a search looks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SearchKind {
    #[default]
    Text,
    Figures,
    Both,
}

/// The query string of the page, as its form sends it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SearchPageQuery {
    q: String,
    kind: SearchKind,
    release: String,
    doc_type: String,
    doc_number: String,
    series: String,
}

async fn show_search(
    State(edge): State<Arc<Edge>>,
    PayingPerson(person): PayingPerson,
    PageQuery(query): PageQuery<SearchPageQuery>,
) -> Response {
    if query.q.trim().is_empty() {
        return search_page(&edge, &person, &query, None, None);
    }
    match search_or_open(&edge, &person, &query).await {
        Ok(SearchOutcome::Open(path)) => Redirect::to(&path).into_response(),
        Ok(SearchOutcome::Results(results)) => {
            search_page(&edge, &person, &query, Some(&results), None)
        }
        Err(Failure::Validation(faults)) => {
            let faults: Vec<String> = faults.iter().map(|fault| fault.kind.message()).collect();
            search_page(&edge, &person, &query, None, Some(&faults.join(". ")))
        }
        Err(failure) => refusal_page(Some(&person), &failure),
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
    let suggested = suggest(edge, person, &query.q, 1).await?;
    let address = suggested.as_ref().filter(|_| query.kind == SearchKind::Text);
    if let Some(path) = address.and_then(addressed_page) {
        return Ok(SearchOutcome::Open(path));
    }
    let results = run_search(edge, person, query).await?;
    let did_you_mean = suggested.and_then(|reply| reply.did_you_mean);
    Ok(SearchOutcome::Results(Box::new(SearchPageResults { did_you_mean, ..results })))
}

impl SearchPageQuery {
    /// The page of the same search for another text.
    fn path_for(&self, text: &str) -> String {
        let mut path = url::form_urlencoded::Serializer::new(String::new());
        path.append_pair("q", text);
        let kind = match self.kind {
            SearchKind::Text => "",
            SearchKind::Figures => "figures",
            SearchKind::Both => "both",
        };
        let filters = [
            ("kind", kind),
            ("release", &self.release),
            ("doc_type", &self.doc_type),
            ("doc_number", &self.doc_number),
            ("series", &self.series),
        ];
        for (name, value) in filters.into_iter().filter(|(_, value)| !value.is_empty()) {
            path.append_pair(name, value);
        }
        format!("/search?{}", path.finish())
    }

    fn to_text_search(&self) -> SearchText {
        SearchText {
            query: self.q.trim().to_owned(),
            rerank_top_k: PASSAGES_PER_PAGE,
            include_section_text: false,
            filter_release: entered_text(&self.release),
            filter_doc_type: entered_text(&self.doc_type),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            ..SearchText::default()
        }
    }

    fn to_image_search(&self) -> SearchImages {
        SearchImages {
            query: self.q.trim().to_owned(),
            match_count: FIGURES_PER_PAGE,
            filter_release: entered_text(&self.release),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            ..SearchImages::default()
        }
    }

    fn to_combined_search(&self) -> SearchCombined {
        SearchCombined {
            query: self.q.trim().to_owned(),
            rerank_top_k: PASSAGES_PER_PAGE,
            include_section_text: false,
            image_match_count: FIGURES_PER_PAGE / 2,
            filter_release: entered_text(&self.release),
            filter_doc_type: entered_text(&self.doc_type),
            filter_doc_number: entered_text(&self.doc_number),
            filter_series: entered_text(&self.series),
            ..SearchCombined::default()
        }
    }
}

async fn run_search(
    edge: &Arc<Edge>,
    person: &Person,
    query: &SearchPageQuery,
) -> Result<SearchPageResults, Failure> {
    let mut results = match query.kind {
        SearchKind::Text => {
            let reply = run_operation(edge, person, query.to_text_search()).await?;
            SearchPageResults {
                passages: Some(reply.results),
                defined_name: reply.defined_name,
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                degraded: reply.degraded,
                coverage: reply.coverage,
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Figures => {
            let reply = run_operation(edge, person, query.to_image_search()).await?;
            SearchPageResults {
                figures: Some(reply.results),
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
        SearchKind::Both => {
            let reply = run_operation(edge, person, query.to_combined_search()).await?;
            SearchPageResults {
                passages: Some(reply.text_results),
                figures: Some(reply.image_results),
                defined_name: reply.defined_name,
                unknown_terms: reply.unknown_terms,
                confidence: reply.confidence,
                degraded: reply.degraded,
                coverage: reply.coverage,
                elapsed_ms: reply.elapsed_ms,
                ..SearchPageResults::default()
            }
        }
    };
    let locations: Vec<PassageLocation> =
        results.passages.iter().flatten().map(PassageLocation::from_passage).collect();
    results.heading_paths =
        edge.run_blocking(move |service| heading_paths(service, &locations)).await?;
    Ok(results)
}

/// The section that holds a passage.
struct PassageLocation {
    number: String,
    version: String,
    section: Option<String>,
}

impl PassageLocation {
    fn from_passage(passage: &TextResult) -> Self {
        Self {
            number: passage.doc_number.clone(),
            version: passage.version.clone(),
            section: passage.section_number.clone(),
        }
    }
}

/// The headings above each passage, from the top down.
fn heading_paths(
    service: &Service,
    locations: &[PassageLocation],
) -> Result<Vec<Vec<String>>, Failure> {
    let snapshot = service.store.snapshot();
    let mut titles_by_document: HashMap<u32, HashMap<String, String>> = HashMap::new();
    let mut paths = Vec::with_capacity(locations.len());
    for PassageLocation { number, version, section } in locations {
        let parsed = number.parse().ok().zip(version.parse().ok());
        let entry =
            parsed.and_then(|(number, version)| snapshot.catalog().find_version(&number, version));
        let (Some(entry), Some(section)) = (entry, section) else {
            paths.push(Vec::new());
            continue;
        };
        if let hash_map::Entry::Vacant(new) = titles_by_document.entry(entry.id) {
            let heads = snapshot.documents().section_heads(entry.id).map_err(internal_failure)?;
            new.insert(heads.into_iter().map(|head| (head.number, head.title)).collect());
        }
        let parent_number =
            |number: &String| number.rsplit_once('.').map(|(parent, _)| parent.to_owned());
        let numbers = std::iter::successors(parent_number(section), parent_number);
        let headings = numbers.filter_map(|number| {
            let title = titles_by_document.get(&entry.id)?.get(&number)?;
            Some(format!("{number} {title}"))
        });
        let mut path: Vec<String> = headings.collect();
        path.reverse();
        paths.push(path);
    }
    Ok(paths)
}

fn search_page(
    edge: &Edge,
    person: &Person,
    query: &SearchPageQuery,
    results: Option<&SearchPageResults>,
    fault: Option<&str>,
) -> Response {
    let body = html! {
        h1.quiet-title { "Search" }
        (render_form(edge, query))
        (fault_line(fault))
        @if let Some(text) = results.and_then(|results| results.did_you_mean.as_deref()) {
            p.note role="status" { "Did you mean " a href=(query.path_for(text)) { (text) } "?" }
        }
        @if let Some(results) = results { (render_results(&query.q, results)) }
        @else if fault.is_none() { (render_hints()) }
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

fn render_form(edge: &Edge, query: &SearchPageQuery) -> Markup {
    let kinds = [
        (SearchKind::Text, "text", "Text"),
        (SearchKind::Figures, "figures", "Figures"),
        (SearchKind::Both, "both", "Both"),
    ];
    let overview = edge.service().corpus_overview();
    let mut releases: Vec<&String> = overview.releases.keys().collect();
    releases.sort_by_key(|release| release.parse::<Release>().ok());
    html! {
        form.search method="get" action="/search" role="search" {
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

fn render_hints() -> Markup {
    html! {
        section.hints {
            p { "Ask a question or enter an identifier. Try: "
                a href="/search?q=conditions+for+starting+timer+T310" {
                    "conditions for starting timer T310"
                } ", "
                a href="/search?q=random+access+procedure&kind=figures" {
                    "random access procedure"
                } " as a figure. Enter a document and clause number, "
                kbd { "38.331 5.3.5" } ", to open the clause." }
            p.quiet { "Each search uses one request. Press " kbd { "/" }
                " to go to the search box." }
        }
    }
}
